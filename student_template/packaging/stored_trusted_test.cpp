// What is recorded from the reference comes back at home, for own results that are right within the
// tolerance and for those of a missing mask or scale, and for no others.
#include "home/stored_trusted.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "packaging/recording_trusted.hpp"
#include "reference/trusted.hpp"
#include "testcases/checks/tolerance.hpp"

namespace attention_home {
namespace {

using attention_assignment::Keys;
using attention_assignment::NotStored;
using grader::Matrix;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Matrix matrix(std::int64_t rows, std::int64_t columns, std::vector<double> entries) {
  Matrix result(rows, columns);
  result.entries = std::move(entries);
  return result;
}

AttentionInputs sample(Options options = {}) {
  return {matrix(3, 2, {1, 0.3, -0.7, 2, 1.1, 0.1}), matrix(3, 2, {0.2, 1, 1.5, -1, 0.9, 0.4}),
          matrix(3, 1, {1, -2, 4}), options};
}

class StoredTrustedTest : public testing::Test {
 protected:
  StoredTrustedTest() { static_cast<void>(recording_.attention(sample())); }

  [[nodiscard]] Matrix expected_logits(Options options) const {
    return reference_.attention(sample(options)).result.logits;
  }
  /// Which check blocks the weights on `own`.
  [[nodiscard]] std::string blocked_by(const Matrix& own, Keys keys) const {
    try {
      static_cast<void>(stored_.weights_on_logits(sample(), own, keys));
    } catch (const NotStored& fault) {
      return fault.blocked_by();
    }
    return "nothing";
  }
  void expect_close(const Matrix& stored, const Matrix& computed) const {
    ASSERT_EQ(stored.rows, computed.rows);
    ASSERT_EQ(stored.columns, computed.columns);
    for (std::size_t entry = 0; entry < stored.entries.size(); ++entry) {
      EXPECT_NEAR(stored.entries[entry], computed.entries[entry], 1e-14) << entry;
    }
  }

  reference::ReferenceTrusted reference_;
  Numbers numbers_;
  RecordingTrusted recording_{reference_, numbers_};
  StoredTrusted stored_{numbers_};
};

TEST_F(StoredTrustedTest, AnswersAllFourOptionCombinationsOnceRecorded) {
  for (const bool causal : {true, false}) {
    for (const bool scaled : {true, false}) {
      const AttentionInputs inputs = sample({causal, scaled});
      const auto stored = stored_.attention(inputs);
      const auto computed = reference_.attention(inputs);
      EXPECT_TRUE(grader::identical(stored.result.logits, computed.result.logits));
      EXPECT_TRUE(grader::identical(stored.result.weights, computed.result.weights));
      EXPECT_TRUE(grader::identical(stored.result.output, computed.result.output));
      EXPECT_TRUE(grader::identical(stored.magnitudes, computed.magnitudes));
    }
  }
}

TEST_F(StoredTrustedTest, KnowsNothingOfOtherInputs) {
  AttentionInputs other = sample();
  other.V(0, 0) = 1 + 0x1p-52;
  EXPECT_THROW(static_cast<void>(stored_.attention(other)), NotStored);
  EXPECT_THROW(static_cast<void>(stored_.softmax({{0.0, 1.0}})), NotStored);
  EXPECT_THROW(static_cast<void>(stored_.entropy({{0.5, 0.5}})), NotStored);
  EXPECT_THROW(static_cast<void>(stored_.shape_ledger(1, 2, 3)), NotStored);
}

TEST_F(StoredTrustedTest, GivesWeightsForLogitsThatAreRightWithinTheirRounding) {
  Matrix own = expected_logits({});
  own(2, 1) += 0x1p-53;
  for (const Keys keys : {Keys::visible, Keys::as_returned}) {
    expect_close(stored_.weights_on_logits(sample(), own, keys),
                 reference_.weights_on_logits(sample(), own, keys));
  }
}

TEST_F(StoredTrustedTest, GivesWeightsWhereOnlyTheMaskOrTheScaleIsMissing) {
  for (const Options options :
       {Options{false, true}, Options{true, false}, Options{false, false}}) {
    const Matrix own = expected_logits(options);
    for (const Keys keys : {Keys::visible, Keys::as_returned}) {
      expect_close(stored_.weights_on_logits(sample(), own, keys),
                   reference_.weights_on_logits(sample(), own, keys));
    }
  }
}

TEST_F(StoredTrustedTest, TakesALargeNegativeFillForAMask) {
  Matrix own = expected_logits({});
  own(0, 1) = own(0, 2) = own(1, 2) = -1e9;
  expect_close(stored_.weights_on_logits(sample(), own, Keys::as_returned),
               reference_.weights_on_logits(sample(), own, Keys::as_returned));
}

TEST_F(StoredTrustedTest, NamesTheCheckThatHasToPassFirst) {
  Matrix wrong_scale = expected_logits({});
  for (double& entry : wrong_scale.entries) entry *= 0.5;
  EXPECT_EQ(blocked_by(wrong_scale, Keys::visible), "scaling.logits");
  EXPECT_EQ(blocked_by(wrong_scale, Keys::as_returned), "scaling.logits");

  Matrix zero_fill = expected_logits({});
  zero_fill(0, 1) = zero_fill(0, 2) = zero_fill(1, 2) = 0;
  EXPECT_EQ(blocked_by(zero_fill, Keys::as_returned), "mask.future_logits");
  EXPECT_EQ(blocked_by(zero_fill, Keys::visible), "nothing");

  Matrix weights = reference_.attention(sample()).result.weights;
  weights(1, 0) += 1e-9;
  try {
    static_cast<void>(stored_.output_on_weights(sample(), weights));
    FAIL() << "answered";
  } catch (const NotStored& fault) {
    EXPECT_EQ(fault.blocked_by(), "softmax.values");
  }
}

TEST_F(StoredTrustedTest, LeavesRowsThatAreNotFiniteOpen) {
  Matrix own = expected_logits({});
  own(1, 0) = std::numeric_limits<double>::quiet_NaN();
  own(2, 0) = kInfinity;
  const Matrix weights = stored_.weights_on_logits(sample(), own, Keys::visible);
  EXPECT_EQ(weights(0, 0), 1);
  EXPECT_TRUE(std::isnan(weights(1, 0)));
  EXPECT_TRUE(std::isnan(weights(2, 2)));

  Matrix own_weights = reference_.attention(sample()).result.weights;
  own_weights(2, 2) = std::numeric_limits<double>::quiet_NaN();
  const Matrix output = stored_.output_on_weights(sample(), own_weights);
  EXPECT_EQ(output(0, 0), 1);
  EXPECT_TRUE(std::isnan(output(2, 0)));
}

TEST_F(StoredTrustedTest, GivesOutputsOfEveryOptionCombinationsWeights) {
  for (const Options options : {Options{true, true}, Options{true, false}, Options{false, true}}) {
    const Matrix own = reference_.attention(sample(options)).result.weights;
    expect_close(stored_.output_on_weights(sample(), own),
                 reference_.output_on_weights(sample(), own));
  }
}

TEST_F(StoredTrustedTest, AnswersTheSmallQuestionsBitForBit) {
  const grader::RowVector row{{0.25, 0.5, 0.25}};
  const attention_assignment::ProjectionMatrices projections{
      matrix(2, 1, {1, 2}), matrix(2, 1, {3, -1}), matrix(2, 3, {1, 0, 0, 0, 1, 2})};
  const Matrix X = matrix(2, 2, {1, 2, 3, 4});
  static_cast<void>(recording_.softmax(row));
  static_cast<void>(recording_.entropy(row));
  static_cast<void>(recording_.shape_ledger(5, 3, 2));
  static_cast<void>(recording_.project(X, projections, {}));
  EXPECT_TRUE(grader::identical(stored_.softmax(row), reference_.softmax(row)));
  EXPECT_EQ(stored_.entropy(row), reference_.entropy(row));
  EXPECT_EQ(stored_.shape_ledger(5, 3, 2), reference_.shape_ledger(5, 3, 2));
  const AttentionInputs stored = stored_.project(X, projections, {false, true});
  const AttentionInputs computed = reference_.project(X, projections, {false, true});
  EXPECT_TRUE(grader::identical(stored.Q, computed.Q));
  EXPECT_TRUE(grader::identical(stored.K, computed.K));
  EXPECT_TRUE(grader::identical(stored.V, computed.V));
  EXPECT_FALSE(stored.options.causal);
}

}  // namespace
}  // namespace attention_home
