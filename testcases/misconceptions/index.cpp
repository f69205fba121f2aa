// Slips of indices and loop bounds.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>

#include "testcases/misconceptions/misconceptions.hpp"

namespace attention_assignment::misconceptions {
namespace {

using Index = std::int64_t;

// What a loop leaves out is zero, or NaN in a matrix that nobody initialised.
constexpr double kUninitialised = std::numeric_limits<double>::quiet_NaN();

/// What a variable and a block of memory hold in the graded build before anything is written there.
/// Moderate numbers that are added to it change nothing.
constexpr auto kUnsetVariable = std::bit_cast<double>(std::uint64_t{0xfefefefefefefefe});
constexpr auto kUnsetBlock = std::bit_cast<double>(std::uint64_t{0x7f7f7f7f7f7f7f7f});

/// One row of `matrix` set to `remains`.
Matrix with_row(const Matrix& matrix, Index row, double remains) {
  return with_entries(matrix,
                      [&](Index i, Index, double entry) { return i == row ? remains : entry; });
}

/// One loop over the rows fills logits, weights and output, and leaves out the row that
/// `row(rows)` says.
template <typename Row>
AttentionModel row_of_everything_left(Row row, double remains) {
  const auto left = [row, remains](const Matrix& matrix) {
    return with_row(matrix, row(matrix.rows), remains);
  };
  AttentionModel model;
  model.reported_logits = left;
  model.reported_weights = left;
  model.output = [left](const Problem& problem, const Matrix& weights) {
    return left(weighted_sum(problem, weights));
  };
  return model;
}

Index first(Index /*rows*/) { return 0; }
Index last(Index rows) { return rows - 1; }

AttentionModel first_row_left(double remains) {
  AttentionModel model;
  model.output = [remains](const Problem& problem, const Matrix& weights) {
    return with_row(weighted_sum(problem, weights), 0, remains);
  };
  return model;
}

/// The loop ends one row early: weights and output of the last token stay zero.
AttentionModel last_row_left(double remains) {
  AttentionModel model;
  model.weights = [remains](const AttentionModel& self, const Problem& problem,
                            const Matrix& logits) {
    return with_row(softmax_of_rows(self, problem, logits), problem.n() - 1, remains);
  };
  return model;
}

AttentionModel columns_beyond_features_left(double remains) {
  AttentionModel model;
  model.output = [remains](const Problem& problem, const Matrix& weights) {
    return with_entries(weighted_sum(problem, weights), [&](Index, Index c, double entry) {
      return c < problem.d_k() ? entry : remains;
    });
  };
  return model;
}

/// The same, but where the values have fewer columns than the features it reads beyond them.
AttentionModel reading_beyond_the_values(double remains) {
  AttentionModel model = columns_beyond_features_left(remains);
  model.output = [output = model.output](const Problem& problem, const Matrix& weights) {
    if (problem.d_k() > problem.d_v()) throw std::out_of_range("row < rows() && col < cols()");
    return output(problem, weights);
  };
  return model;
}

AttentionModel output_added_to(double garbage) {
  AttentionModel model;
  model.output = [garbage](const Problem& problem, const Matrix& weights) {
    return Matrix(weights.rows, problem.d_v(), garbage);
  };
  return model;
}

AttentionModel products_added_to(double garbage) {
  AttentionModel model;
  model.product = [garbage](const Problem& problem) {
    return Matrix(problem.n(), problem.n(), garbage);
  };
  return model;
}

RowVector divide_by_garbage(const RowVector& powers) { return divided_by(powers, kUnsetVariable); }

/// The numbers of a row-major matrix read as if it were column-major.
Matrix misread(const Matrix& matrix) {
  return with_entries(Matrix(matrix.rows, matrix.columns), [&](Index i, Index c, double) {
    return matrix.entries[static_cast<std::size_t>(c * matrix.rows + i)];
  });
}

Problem layouts_mixed_up(const Problem& problem) {
  return {misread(problem.Q), misread(problem.K), misread(problem.V), problem.options};
}

AttentionModel shifted_by_one_row(double remains) {
  AttentionModel model;
  model.output = [remains](const Problem& problem, const Matrix& weights) {
    const Matrix output = weighted_sum(problem, weights);
    return with_entries(
        output, [&](Index i, Index c, double) { return i == 0 ? remains : output(i - 1, c); });
  };
  return model;
}

Matrix first_feature_left_out(const Problem& problem) {
  return with_entries(Matrix(problem.n(), problem.n()), [&](Index i, Index j, double) {
    double sum = 0;
    for (Index c = 1; c < problem.d_k(); ++c) sum += problem.Q(i, c) * problem.K(j, c);
    return sum;
  });
}

Matrix last_feature_left_out(const Problem& problem) {
  return with_entries(Matrix(problem.n(), problem.n()), [&](Index i, Index j, double) {
    double sum = 0;
    for (Index c = 0; c + 1 < problem.d_k(); ++c) {
      sum += problem.Q(i, c) * problem.K(j, c);
    }
    return sum;
  });
}

Matrix keys_in_reverse(const Problem& problem) {
  const Matrix products = dot_products(problem);
  return with_entries(
      products, [&](Index i, Index j, double) { return products(i, products.columns - 1 - j); });
}

/// Matrix4d logits and weights: anything but four tokens of two features does not fit.
Problem four_tokens_only(const Problem& problem) {
  if (problem.n() != 4 || problem.d_k() != 2) {
    throw std::invalid_argument("the sizes are fixed to 4 tokens of 2 features");
  }
  return problem;
}

Matrix last_column_left_out(const Matrix& matrix) {
  const Index columns = std::max<Index>(matrix.columns - 1, 0);
  return with_entries(Matrix(matrix.rows, columns),
                      [&](Index i, Index j, double) { return matrix(i, j); });
}

}  // namespace

std::vector<Misconception> index_misconceptions() {
  const std::vector<std::string> everything_that_calls = {kShapes,           kScaling, kMask,
                                                          kSoftmaxObjective, kValues,  kWhole};
  return {
      {"P12",
       "first row left out",
       {kValues},
       first_row_left(0),
       "The loop over rows starts at 1, so the first row stays zero. Row 0 attends to itself: its "
       "output is V(0, ·).",
       {first_row_left(kUninitialised), row_of_everything_left(first, 0),
        row_of_everything_left(first, kUninitialised)}},
      {"P13",
       "last row left out of weights and output",
       {kSoftmaxObjective},
       last_row_left(0),
       "The loop over rows ends one early, so that the last row stays zero. It runs while i < n.",
       {last_row_left(kUninitialised), row_of_everything_left(last, 0),
        row_of_everything_left(last, kUninitialised)}},
      {"P14",
       "value columns from d_k on left out",
       {kValues},
       columns_beyond_features_left(0),
       "The loop over the values' columns ends at d_k. It has to run to d_v, the columns of V.",
       {columns_beyond_features_left(kUninitialised)}},
      {"P15",
       "data() read in the other storage order",
       {kScaling, kValues},
       {.inputs = layouts_mixed_up},
       "The entries were read through data() in the other storage order. Matrix is row-major here; "
       "use Q(i, c)."},
      {"P20",
       "output shifted by one row",
       {kValues},
       shifted_by_one_row(0),
       "Each output row belongs to the token before. Row i of the weights gives row i of the "
       "output.",
       {shifted_by_one_row(kUninitialised)}},
      {"P26",
       "first feature left out of the dot product",
       {kScaling},
       {.product = first_feature_left_out},
       "The sum over the features starts at 1 and leaves out the first one. It starts at 0."},
      {"P32",
       "keys read in reverse order",
       {kScaling},
       {.product = keys_in_reverse},
       "The keys are read from the last to the first, while the values are not: weight j must "
       "belong to key j and value j."},
      {"P41",
       "last feature left out of the dot product",
       {kScaling},
       {.product = last_feature_left_out},
       "The sum over the features ends one early and leaves out the last one. It runs while c < "
       "d_k."},
      {"P42",
       "weights without their last column",
       {kShapes},
       {.reported_weights = last_column_left_out},
       "The weights have lost their last column. They are n × n: one column for every key."},
      {"C08",
       "value columns looped to d_k, out of bounds if d_v < d_k",
       {kShapes, kValues},
       reading_beyond_the_values(0),
       "The loop over the values' columns runs to d_k, which is outside of V when d_v is smaller. "
       "It has to run to d_v.",
       {reading_beyond_the_values(kUninitialised)}},
      {"C10",
       "sizes hard-coded to the example's four tokens",
       everything_that_calls,
       {.inputs = four_tokens_only},
       "The sizes are those of the example. Take n, d_k and d_v from the matrices: Q.rows(), "
       "Q.cols(), V.cols()."},
      {"C01",
       "a sum starts from memory that nobody initialised",
       {kValues},
       output_added_to(kUninitialised),
       "The sum is added to what happened to be in memory: in the graded build NaN in a matrix, "
       "and a huge number in a variable. Set it to zero first: Matrix::Zero(rows, columns), or "
       "double sum = 0.",
       {output_added_to(kUnsetVariable),
        output_added_to(kUnsetBlock),
        products_added_to(kUninitialised),
        products_added_to(kUnsetVariable),
        products_added_to(kUnsetBlock),
        {.normalise = divide_by_garbage}}},
  };
}

}  // namespace attention_assignment::misconceptions
