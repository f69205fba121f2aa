#include "home/texts.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "grader/base/files.hpp"

namespace attention_home {
namespace {

grader::Policy sample() {
  grader::Policy policy;
  policy.title = "A lesson";
  policy.seed = 7;
  policy.max_score = 12.5;
  policy.limits.call_wall_ms = 750;
  policy.objectives.push_back({"shapes", "shapes", 12.5});
  policy.checks.push_back({"shapes.ledger", "shapes", "the ledger", 12.5, "Two\nlines.", ""});
  return policy;
}

TEST(TextsTest, ReadBackWhatWasWritten) {
  const grader::TemporaryDirectory directory;
  const auto file = directory.path() / "texts.txt";
  std::ofstream(file) << write_texts(sample(), 200);
  const grader::Policy policy = read_texts(file);
  EXPECT_EQ(policy.title, "A lesson");
  EXPECT_EQ(policy.seed, 7U);
  EXPECT_EQ(policy.cases, 200);
  EXPECT_EQ(policy.max_score, 12.5);
  EXPECT_EQ(policy.limits.call_wall_ms, 750);
  ASSERT_EQ(policy.objectives.size(), 1U);
  EXPECT_EQ(policy.objectives[0].points, 12.5);
  ASSERT_EQ(policy.checks.size(), 1U);
  EXPECT_EQ(policy.checks[0].hint, "Two lines.");
  EXPECT_EQ(policy.checks[0].lesson, "");
}

TEST(TextsTest, NameTheLineTheyDoNotUnderstand) {
  const grader::TemporaryDirectory directory;
  const auto file = directory.path() / "texts.txt";
  std::ofstream(file) << "title A lesson\ncheck.title before any check\n";
  try {
    static_cast<void>(read_texts(file));
    FAIL() << "accepted";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("line 2"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace attention_home
