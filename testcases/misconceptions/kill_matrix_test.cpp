// The proof that the checks judge fairly, over all models, with the judge and the policy as they
// are shipped. Compiled twice: KILL_MATRIX_CASES is 60 in the quick test and 500 in the slow one.
#include <gtest/gtest.h>

#include "grader/assignment/policy.hpp"
#include "grader/selftest/selftest.hpp"

extern "C" const grader::Judge* attention_grader_judge();

namespace attention_assignment {
namespace {

TEST(KillMatrixTest, Holds) {
  grader::SelfTestOptions options;
  options.cases = KILL_MATRIX_CASES;
  const grader::Policy policy = grader::read_policy(ASSIGNMENT_POLICY);
  options.seed = policy.seed;
  const grader::KillMatrix matrix =
      grader::run_selftest(*attention_grader_judge(), policy, options);
  EXPECT_TRUE(matrix.holds()) << grader::selftest_text(matrix);
  // Most mistakes are shown on an input that can be worked out by hand.
  std::int64_t misconceptions = 0;
  std::int64_t small = 0;
  for (const grader::MatrixRow& row : matrix.rows) {
    if (row.role != grader::Model::Role::misconception) continue;
    ++misconceptions;
    small += row.minimal_input && row.minimal_input->extent <= grader::kSmallExtent;
  }
  EXPECT_GE(static_cast<double>(small), 0.8 * static_cast<double>(misconceptions));
}

}  // namespace
}  // namespace attention_assignment
