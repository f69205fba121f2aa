#include "testcases/misconceptions/model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace attention_assignment::misconceptions {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// What the assertions of a careful student allow for rounding.
constexpr double kRounding = 1e-9;

}  // namespace

Matrix multiply(const Matrix& left, const Matrix& right) {
  if (left.columns != right.rows) {
    throw std::invalid_argument("matrix product: the inner sizes differ");
  }
  Matrix product(left.rows, right.columns);
  double* row = product.entries.data();
  for (std::int64_t i = 0; i < left.rows; ++i, row += right.columns) {
    for (std::int64_t k = 0; k < left.columns; ++k) {
      const double factor = left(i, k);
      const double* const factors = right.entries.data() + k * right.columns;
      for (std::int64_t j = 0; j < right.columns; ++j) row[j] += factor * factors[j];
    }
  }
  return product;
}

Matrix transposed(const Matrix& matrix) {
  Matrix result(matrix.columns, matrix.rows);
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    for (std::int64_t j = 0; j < matrix.columns; ++j) result(j, i) = matrix(i, j);
  }
  return result;
}

RowVector row_of(const Matrix& matrix, std::int64_t row) {
  if (row < 0 || row >= matrix.rows) throw std::out_of_range("row: no such row");
  const auto first = matrix.entries.begin() + row * matrix.columns;
  return RowVector{{first, first + matrix.columns}};
}

void set_row(Matrix& matrix, std::int64_t row, const RowVector& values) {
  if (values.size() != matrix.columns) throw std::invalid_argument("row: the sizes differ");
  std::copy(values.entries.begin(), values.entries.end(),
            matrix.entries.begin() + row * matrix.columns);
}

RowVector divided_by(RowVector row, double divisor) {
  for (double& entry : row.entries) entry /= divisor;
  return row;
}

Options options_as_given(const Options& options) { return options; }

Problem inputs_as_given(Problem problem) { return problem; }

Matrix dot_products(const Problem& problem) {
  const Matrix& queries = problem.Q;
  const Matrix& keys = problem.K;
  if (queries.columns != keys.columns) {
    throw std::invalid_argument("dot product: queries and keys differ in size");
  }
  Matrix products(queries.rows, keys.rows);
  for (std::int64_t i = 0; i < queries.rows; ++i) {
    for (std::int64_t j = 0; j < keys.rows; ++j) {
      double sum = 0;
      for (std::int64_t c = 0; c < queries.columns; ++c) sum += queries(i, c) * keys(j, c);
      products(i, j) = sum;
    }
  }
  return products;
}

Matrix divide_by_root_of_features(const Problem& problem, Matrix products) {
  if (!problem.options.scaled) return products;
  const double root = std::sqrt(static_cast<double>(problem.d_k()));
  for (double& entry : products.entries) entry /= root;
  return products;
}

Matrix mask_future(const Problem& problem, Matrix scores) {
  return with_entries(std::move(scores), [&](std::int64_t i, std::int64_t j, double score) {
    return problem.visible(i, j) ? score : -kInfinity;
  });
}

Matrix masked_logits(const Matrix& /*scores*/, const Matrix& logits) { return logits; }

double largest_logit(const RowVector& logits) {
  double maximum = -kInfinity;
  for (double logit : logits.entries) maximum = std::max(maximum, logit);
  return maximum;
}

double exponential(double exponent) { return std::exp(exponent); }

RowVector divide_by_sum(const RowVector& powers) {
  double sum = 0;
  for (double power : powers.entries) sum += power;
  return divided_by(powers, sum);
}

RowVector softmax_of(const AttentionModel& model, const RowVector& logits) {
  if (model.softmax) return model.softmax(logits);
  const double shift = model.shift(logits);
  RowVector powers = logits;
  for (double& power : powers.entries) power = model.power(power - shift);
  return model.normalise(powers);
}

RowVector stable_softmax(const RowVector& logits) {
  static const AttentionModel correct;
  return softmax_of(correct, logits);
}

Matrix softmax_of_rows(const AttentionModel& model, const Problem& /*problem*/,
                       const Matrix& logits) {
  Matrix weights(logits.rows, logits.columns);
  for (std::int64_t i = 0; i < logits.rows; ++i) {
    set_row(weights, i, softmax_of(model, row_of(logits, i)));
  }
  return weights;
}

Matrix weighted_sum(const Problem& problem, const Matrix& weights) {
  return multiply(weights, problem.V);
}

Matrix reported_as_it_is(const Matrix& matrix) { return matrix; }

Problem seen_by(const AttentionModel& model, const Problem& problem) {
  Problem seen = model.inputs({problem.Q, problem.K, problem.V, model.options(problem.options)});
  // Products of all kinds read as many features of the keys as the queries have; with others, the
  // real program stops here too.
  if (seen.K.columns != seen.Q.columns) {
    throw std::invalid_argument("queries and keys differ in size");
  }
  return seen;
}

AttentionResult stage_after_stage(const AttentionModel& model, const Problem& given) {
  const Problem problem = seen_by(model, given);
  const Matrix scores = model.scale(problem, model.product(problem));
  const Matrix logits = model.mask(problem, scores);
  const Matrix weights = model.weights(model, problem, model.softmax_input(scores, logits));
  return {model.reported_logits(logits), model.reported_weights(weights),
          model.output(problem, weights)};
}

AttentionRowResult row_of_attention(const AttentionModel& model, std::int64_t i,
                                    const Problem& problem) {
  const AttentionResult all = model.attention(model, problem);
  return {row_of(all.logits, i), row_of(all.weights, i), row_of(all.output, i)};
}

AttentionResult project_then_attend(const AttentionModel& model, const Matrix& tokens,
                                    const ProjectionMatrices& projections, const Options& options) {
  return model.attention(
      model, Problem{multiply(tokens, projections.W_q), multiply(tokens, projections.W_k),
                     multiply(tokens, projections.W_v), options});
}

ShapeLedger right_ledger(std::int64_t n, std::int64_t d_k, std::int64_t d_v) {
  return {MatrixShape{n, d_k}, {n, d_k}, {n, d_v}, {n, n}, {n, n}, {n, d_v}};
}

double entropy_in_nats(const RowVector& weights) {
  double sum = 0;
  for (double weight : weights.entries) {
    if (weight != 0) sum -= weight * std::log(weight);
  }
  return sum;
}

bool all_shapes_match(const AttentionResult& result, const Matrix& queries, const Matrix& keys,
                      const Matrix& values) {
  const auto has_size = [](const Matrix& matrix, std::int64_t rows, std::int64_t columns) {
    return matrix.rows == rows && matrix.columns == columns;
  };
  return has_size(result.logits, queries.rows, keys.rows) &&
         has_size(result.weights, queries.rows, keys.rows) &&
         has_size(result.output, queries.rows, values.columns);
}

bool every_row_sums_to_one(const Matrix& weights) {
  for (std::int64_t i = 0; i < weights.rows; ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j < weights.columns; ++j) sum += weights(i, j);
    if (!(std::abs(sum - 1) <= kRounding)) return false;
  }
  return true;
}

bool every_future_weight_is_zero(const Matrix& weights) {
  for (std::int64_t i = 0; i < weights.rows; ++i) {
    for (std::int64_t j = i + 1; j < weights.columns; ++j) {
      if (!(std::abs(weights(i, j)) <= kRounding)) return false;
    }
  }
  return true;
}

bool every_past_row_is_equal(const Matrix& before, const Matrix& after,
                             std::int64_t changed_token) {
  for (std::int64_t i = 0; i < changed_token; ++i) {
    for (std::int64_t c = 0; c < before.columns; ++c) {
      if (!(std::abs(before(i, c) - after(i, c)) <= kRounding)) return false;
    }
  }
  return true;
}

bool no_row_loses_entropy(const AttentionModel& model, const Matrix& scaled_weights,
                          const Matrix& unscaled_weights) {
  for (std::int64_t i = 0; i < scaled_weights.rows; ++i) {
    const double scaled = model.entropy(row_of(scaled_weights, i));
    const double unscaled = model.entropy(row_of(unscaled_weights, i));
    if (!(scaled >= unscaled - kRounding)) return false;
  }
  return true;
}

}  // namespace attention_assignment::misconceptions
