// Correct submissions lose nothing whatever the seed, with four times the usual cases.
#include <gtest/gtest.h>

#include "testcases/submissions/bundled.hpp"

namespace {

using bundled::Submission;

constexpr int kSeeds = 20;

std::vector<Submission> accepted() {
  std::vector<Submission> all = bundled::submissions();
  std::erase_if(all, [](const Submission& each) { return each.verdict != "accepted"; });
  return all;
}

class CorrectSubmission : public testing::TestWithParam<Submission> {};

TEST_P(CorrectSubmission, LosesNothingWhateverTheSeed) {
  for (int seed = 1; seed <= kSeeds; ++seed) {
    const bundled::Graded graded =
        bundled::grade(GetParam(), {"--seed", std::to_string(seed), "--cases", "2000"});
    ASSERT_TRUE(graded.scorecard.is_object()) << graded.printed;
    EXPECT_EQ(graded.scorecard.at("score"), graded.scorecard.at("max_score"))
        << "seed " << seed << '\n'
        << graded.printed;
  }
}

std::string test_name(const testing::TestParamInfo<Submission>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(All, CorrectSubmission, testing::ValuesIn(accepted()), test_name);

}  // namespace
