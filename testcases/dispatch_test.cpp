// dispatch.cpp and contract.cpp list functions, parameters and members separately; this holds them
// together. The implementation here tells what it was called with.
#include <gtest/gtest.h>

#include "attention/attention.hpp"
#include "grader/channel/in_process.hpp"
#include "testcases/contract.hpp"

namespace attention {
namespace {

/// One number that stands for a matrix: its first entry.
double mark(const Matrix& matrix) { return matrix(0, 0); }
Matrix marked(double number) { return Matrix::Constant(2, 3, number); }
RowVector marked_row(double number) { return RowVector::Constant(4, number); }
double mark(const Options& options) {
  return (options.causal ? 10.0 : 0.0) + (options.scaled ? 1.0 : 0.0);
}

}  // namespace

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
  return {{n, d_k}, {11, 12}, {n, d_v}, {13, 14}, {15, 16}, {17, 18}};
}
RowVector softmax(const RowVector& logits) { return logits * 2; }
AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V,
                           const Options& options) {
  return {marked_row(mark(Q) * 1000 + mark(options)),
          marked_row(mark(K) * 1000 + static_cast<double>(i)), marked_row(mark(V))};
}
Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
  return {marked(mark(Q)), marked(mark(K)), marked(mark(V) * 1000 + mark(options))};
}
Attention self_attention(const Matrix& X, const Projections& projections, const Options& options) {
  return {marked(mark(X) * 1000 + mark(projections.W_q)),
          marked(mark(projections.W_k) * 1000 + mark(options)), marked(mark(projections.W_v))};
}
double entropy(const RowVector& weights) { return weights.sum(); }
bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K,
                         const Matrix& V) {
  return mark(result.logits) == 1 && mark(result.weights) == 2 && mark(result.output) == 3 &&
         mark(Q) == 4 && mark(K) == 5 && mark(V) == 6;
}
bool rows_sum_to_one(const Matrix& weights) { return mark(weights) == 1; }
bool future_weights_are_zero(const Matrix& weights) { return mark(weights) == 2; }
bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
  return mark(before) == 1 && mark(after) == 2 && changed_token == 3;
}
bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
  return mark(scaled_weights) == 1 && mark(unscaled_weights) == 2;
}

}  // namespace attention

namespace attention_assignment {
namespace {

using grader::Matrix;
using grader::Outcome;
using grader::Record;
using grader::RowVector;
using grader::Value;

Matrix table(double number) { return {2, 3, number}; }
Record options(bool causal, bool scaled) {
  return Record{{{"causal", causal}, {"scaled", scaled}}};
}

class DispatchTest : public testing::Test {
 protected:
  grader::InProcessImplementation implementation_{contract(), &attention_grader_dispatch};

  Value call(FunctionNumber function, const grader::Arguments& arguments) {
    const Outcome outcome = implementation_.call(function, arguments);
    EXPECT_EQ(outcome.ending, grader::Ending::returned) << outcome.message;
    EXPECT_TRUE(grader::has_type(outcome.value, contract()[function].result));
    return outcome.value;
  }
};

const Value& named(const Value& record, const std::string& name) {
  return *grader::member(std::get<Record>(record), name);
}
double first(const Value& value) {
  const auto* matrix = std::get_if<Matrix>(&value);
  return matrix != nullptr ? (*matrix)(0, 0) : std::get<RowVector>(value)(0);
}

TEST_F(DispatchTest, ShapeLedgerHasItsSixShapesInOrder) {
  const Value ledger = call(kShapeLedger, {std::int64_t{5}, std::int64_t{6}, std::int64_t{7}});
  const auto shape = [&](const std::string& name) {
    return std::pair(std::get<std::int64_t>(named(named(ledger, name), "rows")),
                     std::get<std::int64_t>(named(named(ledger, name), "cols")));
  };
  using Shape = std::pair<std::int64_t, std::int64_t>;
  EXPECT_EQ(shape("queries"), (Shape{5, 6}));
  EXPECT_EQ(shape("keys"), (Shape{11, 12}));
  EXPECT_EQ(shape("values"), (Shape{5, 7}));
  EXPECT_EQ(shape("logits"), (Shape{13, 14}));
  EXPECT_EQ(shape("weights"), (Shape{15, 16}));
  EXPECT_EQ(shape("output"), (Shape{17, 18}));
}

TEST_F(DispatchTest, FunctionsOfRowsGetTheirRow) {
  EXPECT_EQ(first(call(kSoftmax, {RowVector{{1.5, 2.5}}})), 3.0);
  EXPECT_EQ(std::get<double>(call(kEntropy, {RowVector{{1.5, 2.5}}})), 4.0);
}

TEST_F(DispatchTest, AttentionRowGetsItsArgumentsInOrder) {
  const Value row =
      call(kAttentionRow, {std::int64_t{9}, table(2), table(3), table(4), options(true, false)});
  EXPECT_EQ(first(named(row, "logits")), 2010.0);
  EXPECT_EQ(first(named(row, "weights")), 3009.0);
  EXPECT_EQ(first(named(row, "output")), 4.0);
}

TEST_F(DispatchTest, AttentionGetsItsArgumentsInOrder) {
  const Value result = call(kAttention, {table(2), table(3), table(4), options(false, true)});
  EXPECT_EQ(first(named(result, "logits")), 2.0);
  EXPECT_EQ(first(named(result, "weights")), 3.0);
  EXPECT_EQ(first(named(result, "output")), 4001.0);
}

TEST_F(DispatchTest, SelfAttentionGetsItsArgumentsInOrder) {
  const Record projections{{{"W_q", table(3)}, {"W_k", table(4)}, {"W_v", table(5)}}};
  const Value result = call(kSelfAttention, {table(2), projections, options(true, true)});
  EXPECT_EQ(first(named(result, "logits")), 2003.0);
  EXPECT_EQ(first(named(result, "weights")), 4011.0);
  EXPECT_EQ(first(named(result, "output")), 5.0);
}

TEST_F(DispatchTest, AssertionsGetTheirArgumentsInOrder) {
  const Record attention{{{"logits", table(1)}, {"weights", table(2)}, {"output", table(3)}}};
  EXPECT_TRUE(std::get<bool>(call(kOutputShapesMatch, {attention, table(4), table(5), table(6)})));
  EXPECT_TRUE(std::get<bool>(call(kRowsSumToOne, {table(1)})));
  EXPECT_FALSE(std::get<bool>(call(kRowsSumToOne, {table(2)})));
  EXPECT_TRUE(std::get<bool>(call(kFutureWeightsAreZero, {table(2)})));
  EXPECT_TRUE(std::get<bool>(call(kPastOutputsUnchanged, {table(1), table(2), std::int64_t{3}})));
  EXPECT_TRUE(std::get<bool>(call(kScalingRaisesEntropy, {table(1), table(2)})));
}

}  // namespace
}  // namespace attention_assignment
