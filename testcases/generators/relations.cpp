#include "testcases/generators/relations.hpp"

#include <algorithm>
#include <utility>

#include "testcases/generators/attention_inputs.hpp"
#include "testcases/generators/domain.hpp"

namespace attention_assignment {
namespace {

using grader::Case;
using grader::Matrix;
using grader::RowVector;

Case with_relation_and_shift(Case test_case, Relation relation, RowVector shift) {
  test_case.inputs.push_back({"relation", static_cast<std::int64_t>(relation), {}, true});
  test_case.inputs.push_back({"shift", std::move(shift), {"d_k"}, false});
  return test_case;
}

/// `matrix` four times side by side.
Matrix repeated(const Matrix& matrix, double factor) {
  constexpr std::int64_t copies = 4;
  Matrix result(matrix.rows, copies * matrix.columns);
  for (std::int64_t row = 0; row < result.rows; ++row) {
    for (std::int64_t column = 0; column < result.columns; ++column) {
      result(row, column) = factor * matrix(row, column % matrix.columns);
    }
  }
  return result;
}

Matrix rotated(const Matrix& matrix) {
  Matrix result = matrix;
  // Not std::ranges::rotate: clang 14 cannot compile the C++ library's.
  std::rotate(result.entries.begin(), result.entries.begin() + matrix.columns,
              result.entries.end());
  return result;
}

}  // namespace

Case with_relation(Case test_case, Relation relation) {
  RowVector shift;
  shift.entries = grader::Entries(static_cast<std::size_t>(test_case.matrix("Q").columns), 0.0);
  return with_relation_and_shift(std::move(test_case), relation, std::move(shift));
}

Case draw_related_inputs(grader::Random& random, const grader::Schedule& schedule) {
  Case drawn = draw_attention_inputs(random, schedule);
  const AttentionInputs inputs = attention_inputs_of(drawn);
  auto relation = static_cast<Relation>(random.integer(0, 3));
  if (inputs.options.causal && relation == Relation::permuted_tokens) {
    relation = Relation::shifted_keys;
  }
  RowVector shift;
  for (std::int64_t c = 0; c < inputs.d_k(); ++c) shift.entries.push_back(4 * random.normal());
  Case related = with_relation_and_shift(std::move(drawn), relation, std::move(shift));
  // Smaller shifts until the shifted keys are in the domain; what is not, because it is repeated,
  // is left as it is.
  constexpr int kMostHalvings = 10;
  for (int halving = 0; halving < kMostHalvings && !admits_related_inputs(related); ++halving) {
    for (double& entry : std::get<RowVector>(related.inputs.back().value).entries) entry *= 0.5;
  }
  if (!admits_related_inputs(related)) {
    related.inputs[related.inputs.size() - 2].value = static_cast<std::int64_t>(Relation::none);
  }
  return related;
}

bool admits_related_inputs(const Case& test_case) {
  if (!admits_attention_inputs(test_case)) return false;
  const std::int64_t relation = test_case.integer("relation");
  if (relation < 0 || relation > static_cast<std::int64_t>(Relation::permuted_tokens)) return false;
  if (test_case.row("shift").size() != test_case.matrix("Q").columns) return false;
  if (relation_of(test_case) == Relation::permuted_tokens && test_case.boolean("causal")) {
    return false;
  }
  const AttentionInputs related = related_inputs(test_case, attention_inputs_of(test_case));
  return in_domain(related.Q, related.K, related.V);
}

Relation relation_of(const Case& test_case) {
  return static_cast<Relation>(test_case.integer("relation"));
}

AttentionInputs related_inputs(const Case& test_case, const AttentionInputs& inputs) {
  AttentionInputs related = inputs;
  switch (relation_of(test_case)) {
    case Relation::none: break;
    case Relation::shifted_keys:
      for (std::int64_t j = 0; j < related.n(); ++j) {
        for (std::int64_t c = 0; c < related.d_k(); ++c) {
          related.K(j, c) += test_case.row("shift")(c);
        }
      }
      break;
    case Relation::repeated_features:
      related.Q = repeated(inputs.Q, inputs.options.scaled ? 0.5 : 0.25);
      related.K = repeated(inputs.K, 1);
      break;
    case Relation::permuted_tokens:
      related.K = rotated(inputs.K);
      related.V = rotated(inputs.V);
      break;
  }
  return related;
}

}  // namespace attention_assignment
