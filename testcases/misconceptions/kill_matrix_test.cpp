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
}

}  // namespace
}  // namespace attention_assignment
