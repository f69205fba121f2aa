// What the searches of checks are for: mistakes that no random case shows, whatever the seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "grader/engine/engine.hpp"
#include "reference/trusted.hpp"
#include "testcases/checks/checks.hpp"
#include "testcases/contract.hpp"
#include "testcases/misconceptions/model.hpp"

namespace attention_assignment {
namespace {

using grader::Matrix;
using grader::RowVector;
using misconceptions::AttentionModel;
using misconceptions::with_entries;

struct Hidden {
  std::string claim;
  std::string check;  ///< whose search finds it
  AttentionModel model;
};

AttentionModel clamping_logits(double limit) {
  AttentionModel model;
  model.scale = [limit](const misconceptions::Problem& problem, Matrix products) {
    return with_entries(
        misconceptions::divide_by_root_of_features(problem, std::move(products)),
        [limit](auto, auto, double logit) { return std::clamp(logit, -limit, limit); });
  };
  return model;
}

AttentionModel filling_the_future(double fill) {
  AttentionModel model;
  model.mask = [fill](const misconceptions::Problem& problem, Matrix scores) {
    return with_entries(std::move(scores), [&](auto i, auto j, double score) {
      return problem.visible(i, j) ? score : fill;
    });
  };
  return model;
}

AttentionModel looking_for_the_maximum_from(double start) {
  AttentionModel model;
  model.shift = [start](const RowVector& logits) {
    return std::max(start, *std::ranges::max_element(logits.entries));
  };
  return model;
}

/// In attention() alone; softmax() itself is right.
AttentionModel looking_for_the_maximum_in_attention_from(double start) {
  AttentionModel model;
  model.weights = [start](const AttentionModel&, const misconceptions::Problem& problem,
                          const Matrix& logits) {
    return misconceptions::softmax_of_rows(looking_for_the_maximum_from(start), problem, logits);
  };
  return model;
}

std::vector<Hidden> hidden_mistakes() {
  return {{"LogitsClampedAt700", "scaling.logits", clamping_logits(700)},
          {"LogitsClampedAt1000", "scaling.logits", clamping_logits(1000)},
          {"FutureFilledWithMinus1200", "mask.future_weights", filling_the_future(-1200)},
          {"MaximumFromMinusAMillion", "softmax.stability", looking_for_the_maximum_from(-1e6)},
          {"MaximumFromMinusABillion", "softmax.stability", looking_for_the_maximum_from(-1e9)},
          {"MaximumInAttentionFromMinusAMillion", "softmax.stability",
           looking_for_the_maximum_in_attention_from(-1e6)},
          {"MaximumInAttentionFromMinusTenMillion", "softmax.stability",
           looking_for_the_maximum_in_attention_from(-1e7)}};
}

bool is_found(const Hidden& hidden, std::uint64_t seed, bool searches) {
  const reference::ReferenceTrusted trusted;
  std::vector<grader::Check> checks = all_checks(trusted);
  std::erase_if(checks, [&](const grader::Check& check) { return check.id != hidden.check; });
  grader::EngineOptions options;
  options.seed = seed;
  options.shrink_limit = 0;
  options.searches = searches;
  const auto implementation = misconceptions::implement(hidden.model);
  const grader::CheckResult result =
      grader::run_checks(checks, contract(), *implementation, options).front();
  return result.status == grader::CheckStatus::failed;
}

class SearchesTest : public testing::TestWithParam<Hidden> {};

TEST_P(SearchesTest, FindWhatRandomCasesDoNot) {
  for (const std::uint64_t seed : {2026U, 1U, 2U, 3U, 4U}) {
    EXPECT_FALSE(is_found(GetParam(), seed, false)) << "seed " << seed;
    EXPECT_TRUE(is_found(GetParam(), seed, true)) << "seed " << seed;
  }
}

void PrintTo(const Hidden& hidden, std::ostream* out) { *out << hidden.claim; }

INSTANTIATE_TEST_SUITE_P(Checks, SearchesTest, testing::ValuesIn(hidden_mistakes()),
                         [](const auto& instance) { return instance.param.claim; });

}  // namespace
}  // namespace attention_assignment
