// The submission against itself: two answers that should be the same up to rounding.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testcases/checks/attention_types.hpp"
#include "testcases/checks/judging.hpp"

namespace attention_assignment {

/// What two right answers about `inputs` may differ by: twice the bound of each entry. Sizes are
/// bounded by the lengths of queries and keys and by the own logits and weights, so no trusted
/// number is needed and a mistake elsewhere (a wrong scale, say) does not make the bound too tight.
class OwnBounds {
 public:
  /// `own` has the right shapes for `inputs`.
  OwnBounds(const AttentionInputs& inputs, const AttentionResult& own);

  [[nodiscard]] double logit(std::int64_t row) const;
  [[nodiscard]] double weight(std::int64_t row, double left, double right) const;
  [[nodiscard]] double output(std::int64_t row, std::int64_t column) const;

 private:
  std::int64_t n_;
  std::int64_t d_k_;
  std::vector<double> sizes_;            ///< per row: what its logits are added up from
  std::vector<double> relative_errors_;  ///< per row
  std::vector<double> weight_sums_;      ///< per row: Σ|W|, at least 1
  std::vector<ValueColumn> values_;      ///< per column of V
};

/// An entry in which two answers differ beyond rounding.
struct Disagreement {
  std::string matrix;  ///< "logits", "weights", "output"
  Position position;
};

/// Compares two answers to the same question, stage by stage. NaN against NaN is equal.
[[nodiscard]] std::optional<Disagreement> first_disagreement(const AttentionInputs& inputs,
                                                             const AttentionResult& left,
                                                             const AttentionResult& right);

[[nodiscard]] const grader::Matrix& named(const AttentionResult& result, const std::string& matrix);

[[nodiscard]] bool has_finite(const grader::Matrix& matrix);
[[nodiscard]] bool has_finite_nonzero(const grader::Matrix& matrix);

/// Σ_j |matrix(row, j)|
[[nodiscard]] double sum_of_sizes(const grader::Matrix& matrix, std::int64_t row);

}  // namespace attention_assignment
