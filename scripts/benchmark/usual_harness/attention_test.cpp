// What a course would use without this grader: one GoogleTest and RapidCheck program, compiled and
// linked with each submission. Only the benchmark uses it, to compare times; it judges with plain
// tolerances and is no part of the grader.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "attention/attention.hpp"

namespace {

using attention::Attention;
using attention::Index;
using attention::Matrix;
using attention::Options;
using attention::RowVector;

constexpr double kTolerance = 1e-9;

rc::Gen<Matrix> matrices(Index rows, Index columns) {
  return rc::gen::map(
      rc::gen::container<std::vector<int>>(static_cast<std::size_t>(rows * columns),
                                           rc::gen::inRange(-3000, 3000)),
      [rows, columns](const std::vector<int>& thousandths) {
        Matrix matrix(rows, columns);
        for (Index i = 0; i < matrix.size(); ++i) {
          matrix.data()[i] = thousandths[static_cast<std::size_t>(i)] / 1000.0;
        }
        return matrix;
      });
}

struct Inputs {
  Matrix Q, K, V;
  Options options;
};

Inputs any_inputs() {
  const auto n = *rc::gen::inRange<Index>(1, 13);
  const auto d_k = *rc::gen::inRange<Index>(1, 9);
  const auto d_v = *rc::gen::inRange<Index>(1, 9);
  return {*matrices(n, d_k),
          *matrices(n, d_k),
          *matrices(n, d_v),
          {*rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>()}};
}

// Loops in double: the expected answer.
Attention expected(const Inputs& in) {
  const Index n = in.Q.rows();
  Attention result{Matrix(n, n), Matrix::Zero(n, n), Matrix::Zero(n, in.V.cols())};
  for (Index i = 0; i < n; ++i) {
    const Index last = in.options.causal ? i : n - 1;
    double largest = -std::numeric_limits<double>::infinity();
    for (Index j = 0; j < n; ++j) {
      double dot = 0;
      for (Index c = 0; c < in.Q.cols(); ++c) dot += in.Q(i, c) * in.K(j, c);
      if (in.options.scaled) dot /= std::sqrt(static_cast<double>(in.Q.cols()));
      result.logits(i, j) = j <= last ? dot : -std::numeric_limits<double>::infinity();
      largest = std::fmax(largest, result.logits(i, j));
    }
    double sum = 0;
    for (Index j = 0; j <= last; ++j) {
      result.weights(i, j) = std::exp(result.logits(i, j) - largest);
      sum += result.weights(i, j);
    }
    for (Index j = 0; j <= last; ++j) {
      result.weights(i, j) /= sum;
      for (Index c = 0; c < in.V.cols(); ++c) {
        result.output(i, c) += result.weights(i, j) * in.V(j, c);
      }
    }
  }
  return result;
}

void expect_close(const Matrix& actual, const Matrix& wanted) {
  RC_ASSERT(actual.rows() == wanted.rows() && actual.cols() == wanted.cols());
  for (Index i = 0; i < wanted.size(); ++i) {
    const double a = actual.data()[i];
    const double w = wanted.data()[i];
    RC_ASSERT(a == w || std::abs(a - w) <= kTolerance);
  }
}

Attention answer(const Inputs& in) {
  return attention::attention(in.Q, in.K, in.V, in.options);
}

RC_GTEST_PROP(Shapes, LedgerHoldsAllSix, ()) {
  const auto n = *rc::gen::inRange<Index>(1, 100);
  const auto d_k = *rc::gen::inRange<Index>(1, 100);
  const auto d_v = *rc::gen::inRange<Index>(1, 100);
  const auto ledger = attention::shape_ledger(n, d_k, d_v);
  RC_ASSERT((ledger.queries == attention::Shape{n, d_k} &&
             ledger.keys == attention::Shape{n, d_k} &&
             ledger.values == attention::Shape{n, d_v} &&
             ledger.logits == attention::Shape{n, n} &&
             ledger.weights == attention::Shape{n, n} &&
             ledger.output == attention::Shape{n, d_v}));
}

RC_GTEST_PROP(Attention, AgreesWithTheReference, ()) {
  const Inputs in = any_inputs();
  const Attention actual = answer(in);
  const Attention wanted = expected(in);
  expect_close(actual.logits, wanted.logits);
  expect_close(actual.weights, wanted.weights);
  expect_close(actual.output, wanted.output);
}

RC_GTEST_PROP(Softmax, RowsSumToOne, ()) {
  const Attention actual = answer(any_inputs());
  for (Index i = 0; i < actual.weights.rows(); ++i) {
    RC_ASSERT(std::abs(actual.weights.row(i).sum() - 1) <= kTolerance);
  }
}

RC_GTEST_PROP(Softmax, IsInvariantToShifts, ()) {
  const auto n = *rc::gen::inRange<Index>(1, 13);
  const RowVector z = (*matrices(1, n)).row(0);
  const RowVector shifted = (z.array() + 512).matrix();
  expect_close(attention::softmax(shifted), attention::softmax(z));
}

RC_GTEST_PROP(Mask, FutureWeightsAreZero, ()) {
  Inputs in = any_inputs();
  in.options.causal = true;
  const Attention actual = answer(in);
  for (Index i = 0; i < actual.weights.rows(); ++i) {
    for (Index j = i + 1; j < actual.weights.cols(); ++j) RC_ASSERT(actual.weights(i, j) == 0);
  }
}

RC_GTEST_PROP(Mask, PastOutputsDoNotChange, ()) {
  Inputs in = any_inputs();
  in.options.causal = true;
  const Matrix before = answer(in).output;
  const auto changed = *rc::gen::inRange<Index>(0, in.Q.rows());
  in.Q.row(changed) = (*matrices(1, in.Q.cols())).row(0);
  in.K.row(changed) = (*matrices(1, in.K.cols())).row(0);
  in.V.row(changed) = (*matrices(1, in.V.cols())).row(0);
  const Matrix after = answer(in).output;
  expect_close(after.topRows(changed), before.topRows(changed));
}

RC_GTEST_PROP(Scaling, RaisesEntropy, ()) {
  Inputs in = any_inputs();
  in.options.scaled = true;
  const Matrix scaled = answer(in).weights;
  in.options.scaled = false;
  const Matrix unscaled = answer(in).weights;
  for (Index i = 0; i < scaled.rows(); ++i) {
    RC_ASSERT(attention::entropy(scaled.row(i)) >=
              attention::entropy(unscaled.row(i)) - kTolerance);
  }
}

RC_GTEST_PROP(Values, OutputLiesBetweenTheValues, ()) {
  const Inputs in = any_inputs();
  const Matrix output = answer(in).output;
  for (Index c = 0; c < in.V.cols(); ++c) {
    RC_ASSERT(output.col(c).minCoeff() >= in.V.col(c).minCoeff() - kTolerance);
    RC_ASSERT(output.col(c).maxCoeff() <= in.V.col(c).maxCoeff() + kTolerance);
  }
}

RC_GTEST_PROP(Values, ProjectionsComeFirst, ()) {
  const auto n = *rc::gen::inRange<Index>(1, 9);
  const auto d = *rc::gen::inRange<Index>(1, 7);
  const Matrix X = *matrices(n, d);
  const attention::Projections W{*matrices(d, d), *matrices(d, d), *matrices(d, d)};
  const Attention actual = attention::self_attention(X, W);
  expect_close(actual.output, expected({X * W.W_q, X * W.W_k, X * W.W_v, {}}).output);
}

RC_GTEST_PROP(Rows, AgreeWithTheWhole, ()) {
  const Inputs in = any_inputs();
  const Attention whole = answer(in);
  for (Index i = 0; i < in.Q.rows(); ++i) {
    const auto row = attention::attention_row(i, in.Q, in.K, in.V, in.options);
    expect_close(row.weights, whole.weights.row(i));
    expect_close(row.output, whole.output.row(i));
  }
}

TEST(Assertions, TellRightFromWrong) {
  Matrix weights(2, 2);
  weights << 1, 0, 0.5, 0.5;
  EXPECT_TRUE(attention::rows_sum_to_one(weights));
  EXPECT_TRUE(attention::future_weights_are_zero(weights));
  EXPECT_TRUE(attention::past_outputs_unchanged(weights, weights, 1));
  EXPECT_TRUE(attention::scaling_raises_entropy(weights, weights));
  weights(0, 1) = 0.5;
  EXPECT_FALSE(attention::rows_sum_to_one(weights));
  EXPECT_FALSE(attention::future_weights_are_zero(weights));
}

}  // namespace
