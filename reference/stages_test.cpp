#include "reference/stages.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace reference {
namespace {

using attention_assignment::AttentionInputs;

constexpr long double kInfinity = std::numeric_limits<long double>::infinity();

/// Two tokens whose logits can be worked out by hand.
AttentionInputs two_tokens(bool causal, bool scaled) {
  AttentionInputs inputs;
  inputs.Q = grader::Matrix(2, 4);
  inputs.K = grader::Matrix(2, 4);
  inputs.V = grader::Matrix(2, 1);
  inputs.Q.entries = {1, 0, 0, 0, 0, 2, 0, -1};
  inputs.K.entries = {3, 1, 0, 0, 5, 0, 0, 4};
  inputs.V.entries = {10, 20};
  inputs.options = {causal, scaled};
  return inputs;
}

TEST(StagesTest, LogitsAreDotProductsOverRootOfFeatures) {
  const WideMatrix scaled = logits(two_tokens(false, true));
  EXPECT_EQ(scaled(0, 0), 1.5L);
  EXPECT_EQ(scaled(0, 1), 2.5L);
  EXPECT_EQ(scaled(1, 0), 1.0L);
  EXPECT_EQ(scaled(1, 1), -2.0L);
  EXPECT_EQ(logits(two_tokens(false, false))(1, 1), -4.0L);
}

TEST(StagesTest, CausalLogitsHideTheFutureOnly) {
  const WideMatrix masked = logits(two_tokens(true, true));
  EXPECT_EQ(masked(0, 0), 1.5L);
  EXPECT_EQ(masked(0, 1), -kInfinity);
  EXPECT_EQ(masked(1, 0), 1.0L);
}

TEST(StagesTest, MagnitudesAddUpAbsoluteValuesUnmasked) {
  const WideMatrix sizes = magnitudes(two_tokens(true, true));
  EXPECT_EQ(sizes(0, 1), 2.5L);
  EXPECT_EQ(sizes(1, 1), 2.0L);
}

TEST(StagesTest, SoftmaxOfEqualLogitsIsUniformHoweverLarge) {
  for (const long double logit : {0.0L, 1e4L, -1e300L}) {
    for (const long double weight : softmax({logit, logit, logit, logit})) {
      EXPECT_EQ(weight, 0.25L);
    }
  }
}

TEST(StagesTest, SoftmaxGivesMaskedLogitsNoWeight) {
  const auto weights = softmax({-kInfinity, 0.0L, std::log(3.0L)});
  EXPECT_EQ(weights[0], 0.0L);
  EXPECT_NEAR(static_cast<double>(weights[1]), 0.25, 1e-16);
  EXPECT_NEAR(static_cast<double>(weights[2]), 0.75, 1e-16);
}

TEST(StagesTest, SoftmaxWithoutFiniteLogitIsNotANumber) {
  EXPECT_TRUE(std::isnan(softmax({-kInfinity, -kInfinity})[1]));
  EXPECT_TRUE(std::isnan(softmax({0.0L, kInfinity})[0]));
  EXPECT_TRUE(std::isnan(softmax({0.0L, std::nanl("")})[0]));
}

TEST(StagesTest, EntropyCountsZeroTimesLogZeroAsZero) {
  EXPECT_EQ(entropy({0.0L, 1.0L, 0.0L}), 0.0L);
  EXPECT_NEAR(static_cast<double>(entropy({0.5L, 0.0L, 0.5L})), std::numbers::ln2, 1e-16);
}

}  // namespace
}  // namespace reference
