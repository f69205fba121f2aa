// The reference as an implementation of the contract: the same numbers as its stages, through the
// border that submissions cross.
#include <gtest/gtest.h>

#include <cmath>

#include "grader/channel/in_process.hpp"
#include "reference/trusted.hpp"
#include "testcases/checks/student.hpp"
#include "testcases/contract.hpp"

namespace reference {
namespace {

using attention_assignment::AttentionInputs;
using attention_assignment::AttentionResult;
using attention_assignment::Student;
using grader::Matrix;
using grader::RowVector;

AttentionInputs uneven_inputs(bool causal, bool scaled) {
  AttentionInputs inputs{Matrix(5, 3), Matrix(5, 3), Matrix(5, 2), {causal, scaled}};
  double number = 0.5;
  for (Matrix* matrix : {&inputs.Q, &inputs.K, &inputs.V}) {
    for (double& entry : matrix->entries) {
      entry = number;
      number = number > 2 ? number - 3.25 : number + 0.375;
    }
  }
  return inputs;
}

class AttentionTest : public ::testing::Test {
 protected:
  grader::InProcessImplementation implementation_{attention_assignment::contract(),
                                                  &attention_grader_dispatch};
  Student student_{implementation_};
  ReferenceTrusted trusted_;
};

TEST_F(AttentionTest, EqualsItsStagesBitForBitUnderAllOptions) {
  for (const bool causal : {false, true}) {
    for (const bool scaled : {false, true}) {
      const AttentionInputs inputs = uneven_inputs(causal, scaled);
      const AttentionResult returned = student_.attention(inputs);
      const AttentionResult expected = trusted_.attention(inputs).result;
      EXPECT_TRUE(grader::identical(returned.logits, expected.logits));
      EXPECT_TRUE(grader::identical(returned.weights, expected.weights));
      EXPECT_TRUE(grader::identical(returned.output, expected.output));
    }
  }
}

TEST_F(AttentionTest, RowsAreRowsOfTheWhole) {
  const AttentionInputs inputs = uneven_inputs(true, true);
  const AttentionResult whole = student_.attention(inputs);
  const auto row = student_.attention_row(3, inputs);
  for (std::int64_t j = 0; j < 5; ++j) EXPECT_EQ(row.weights(j), whole.weights(3, j));
  for (std::int64_t c = 0; c < 2; ++c) EXPECT_EQ(row.output(c), whole.output(3, c));
}

TEST_F(AttentionTest, SelfAttentionProjectsTheTokens) {
  const AttentionInputs direct = uneven_inputs(true, true);
  attention_assignment::ProjectionMatrices identity{Matrix(3, 3), Matrix(3, 3), Matrix(3, 3)};
  for (std::int64_t i = 0; i < 3; ++i) {
    identity.W_q(i, i) = 1;
    identity.W_k(i, i) = 2;
    identity.W_v(i, i) = -1;
  }
  const AttentionInputs projected = trusted_.project(direct.Q, identity, {});
  const AttentionResult expected = trusted_.attention(projected).result;
  const AttentionResult returned = student_.self_attention(direct.Q, identity, {});
  EXPECT_TRUE(grader::identical(returned.output, expected.output));
  EXPECT_EQ(projected.V(4, 2), -direct.Q(4, 2));
}

TEST_F(AttentionTest, LedgerNamesSixShapes) {
  EXPECT_EQ(student_.shape_ledger(7, 3, 5), trusted_.shape_ledger(7, 3, 5));
}

TEST_F(AttentionTest, EntropyAndSoftmaxAreTheStages) {
  const RowVector row{{0.5, 0.25, 0.25}};
  EXPECT_EQ(student_.entropy(row), trusted_.entropy(row));
  EXPECT_EQ(student_.softmax(row).entries, trusted_.softmax(row).entries);
}

}  // namespace
}  // namespace reference
