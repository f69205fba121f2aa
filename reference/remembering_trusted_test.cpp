#include "reference/remembering_trusted.hpp"

#include <gtest/gtest.h>

#include "reference/trusted.hpp"
#include "testcases/generators/attention_inputs.hpp"

namespace reference {
namespace {

using attention_assignment::AttentionInputs;
using attention_assignment::ExpectedAttention;
using grader::Matrix;

/// Counts the questions and answers them with their number in the logits.
class Counting final : public attention_assignment::Trusted {
 public:
  [[nodiscard]] attention_assignment::ShapeLedger shape_ledger(std::int64_t, std::int64_t,
                                                               std::int64_t) const override {
    return {};
  }
  [[nodiscard]] ExpectedAttention attention(const AttentionInputs& inputs) const override {
    ExpectedAttention expected;
    expected.result.logits = Matrix(inputs.n(), inputs.n(), ++questions_);
    return expected;
  }
  [[nodiscard]] grader::RowVector softmax(const grader::RowVector& logits) const override {
    return logits;
  }
  [[nodiscard]] double entropy(const grader::RowVector&) const override { return 0; }
  [[nodiscard]] AttentionInputs project(const Matrix&,
                                        const attention_assignment::ProjectionMatrices&,
                                        const attention_assignment::Options&) const override {
    return {};
  }
  [[nodiscard]] Matrix weights_on_logits(const AttentionInputs&, const Matrix& own,
                                         attention_assignment::Keys) const override {
    return own;
  }
  [[nodiscard]] Matrix output_on_weights(const AttentionInputs&, const Matrix& own) const override {
    return own;
  }
  [[nodiscard]] double questions() const { return questions_; }

 private:
  mutable double questions_ = 0;
};

double number_of(const RememberingTrusted& trusted, const AttentionInputs& inputs) {
  return trusted.attention(inputs).result.logits(0, 0);
}

TEST(RememberingTrustedTest, AsksOnceForTheSameInputs) {
  const Counting counting;
  const RememberingTrusted trusted(counting);
  const AttentionInputs inputs = attention_assignment::lesson_inputs({true, true});
  EXPECT_EQ(number_of(trusted, inputs), 1);
  EXPECT_EQ(number_of(trusted, inputs), 1);
  EXPECT_EQ(counting.questions(), 1);
}

TEST(RememberingTrustedTest, TellsInputsApartByEveryBit) {
  const Counting counting;
  const RememberingTrusted trusted(counting);
  const AttentionInputs inputs = attention_assignment::lesson_inputs({true, true});
  double asked = number_of(trusted, inputs);
  for (int part = 0; part < 5; ++part) {
    AttentionInputs other = inputs;
    if (part == 0) other.options.causal = false;
    if (part == 1) other.options.scaled = false;
    if (part == 2) other.Q(0, 1) = -0.0;
    if (part == 3) other.K(0, 1) = -0.0;
    if (part == 4) other.V(3, 1) += 1;
    EXPECT_EQ(number_of(trusted, other), ++asked) << part;
  }
  const AttentionInputs reshaped{Matrix(2, 4, 1.0), Matrix(2, 4, 1.0), Matrix(2, 4, 1.0), {}};
  const AttentionInputs shaped{Matrix(4, 2, 1.0), Matrix(4, 2, 1.0), Matrix(4, 2, 1.0), {}};
  EXPECT_NE(number_of(trusted, reshaped), number_of(trusted, shaped));
}

TEST(RememberingTrustedTest, ForgetsWhenItKnowsTooMuch) {
  const Counting counting;
  const RememberingTrusted trusted(counting, 1);
  const AttentionInputs inputs = attention_assignment::lesson_inputs({true, true});
  const AttentionInputs other = attention_assignment::lesson_inputs({true, false});
  number_of(trusted, inputs);
  number_of(trusted, other);
  EXPECT_EQ(number_of(trusted, inputs), 3);
}

}  // namespace
}  // namespace reference
