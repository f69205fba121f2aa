#include "reference/remembering_trusted.hpp"

#include <gtest/gtest.h>

#include "testcases/generators/attention_inputs.hpp"

namespace reference {
namespace {

using attention_assignment::AttentionInputs;
using grader::Matrix;

/// Asks, and says how often had to be computed by then.
std::size_t computed_after(const RememberingTrusted& trusted, const AttentionInputs& inputs) {
  EXPECT_EQ(trusted.attention(inputs).result.logits.rows, inputs.n());
  return trusted.computed();
}

AttentionInputs some_inputs() { return attention_assignment::lesson_inputs({true, true}); }

TEST(RememberingTrustedTest, ComputesOnceForTheSameInputsAndAnswersAsTheReference) {
  const RememberingTrusted trusted;
  const auto right = ReferenceTrusted().attention(some_inputs());
  for (int time = 0; time < 2; ++time) {
    const auto answer = trusted.attention(some_inputs());
    EXPECT_EQ(answer.result.logits.entries, right.result.logits.entries);
    EXPECT_EQ(answer.result.weights.entries, right.result.weights.entries);
    EXPECT_EQ(answer.result.output.entries, right.result.output.entries);
    EXPECT_EQ(answer.magnitudes.entries, right.magnitudes.entries);
  }
  EXPECT_EQ(trusted.computed(), 1U);
}

TEST(RememberingTrustedTest, TellsInputsApartByEveryBit) {
  const RememberingTrusted trusted;
  std::size_t computed = computed_after(trusted, some_inputs());
  for (int part = 0; part < 5; ++part) {
    AttentionInputs other = some_inputs();
    if (part == 0) other.options.causal = false;
    if (part == 1) other.options.scaled = false;
    if (part == 2) other.Q(0, 1) = -0.0;
    if (part == 3) other.K(0, 1) = -0.0;
    if (part == 4) other.V(3, 1) += 1;
    EXPECT_EQ(computed_after(trusted, other), ++computed) << part;
  }
}

TEST(RememberingTrustedTest, TellsShapesApart) {
  const RememberingTrusted trusted;
  const Matrix flat(2, 4, 1.0);
  const Matrix tall(4, 2, 1.0);
  EXPECT_EQ(computed_after(trusted, {flat, flat, flat, {}}), 1U);
  EXPECT_EQ(computed_after(trusted, {tall, tall, tall, {}}), 2U);
}

TEST(RememberingTrustedTest, ForgetsWhenItKnowsTooMuch) {
  const RememberingTrusted trusted(1);
  computed_after(trusted, some_inputs());
  computed_after(trusted, attention_assignment::lesson_inputs({true, false}));
  EXPECT_EQ(computed_after(trusted, some_inputs()), 3U);
}

}  // namespace
}  // namespace reference
