// Makes a failing case smaller: fewer tokens and features first, then simpler choices, then simpler
// numbers. Works on any case, because inputs name their dimensions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/engine/case.hpp"

namespace grader {

/// Whether a case lies in its check's domain; empty admits everything.
using Admits = std::function<bool(const Case&)>;

/// A named dimension of a case and how many indices it has.
struct Dimension {
  std::string name;
  std::int64_t size = 0;
  bool shown = false;  ///< an input that people are shown has it
};

/// The dimensions of all matrices and rows of `test_case`, each once, in the order of the inputs.
std::vector<Dimension> dimensions_of(const Case& test_case);

/// A case and the place in the order of candidates at which its own candidates start.
struct ShrinkStep {
  Case test_case;
  std::size_t phase = 0;
  std::size_t position = 0;
};

/// The candidates of one step, lazily: every one admitted and strictly simpler (simplicity.hpp).
///
/// Candidates come in phases: all dimensions cut to 1, 2, 3 at once; one dimension cut to its first
/// index, first two, either half, or without one index; integers and booleans; whole inputs
/// (rounded, all zero, all one); rows of zeros; single numbers. A candidate's own candidates go on
/// where it was found and come round to the beginning, so that an accepted step does not try
/// everything before it again; nothing is left out, since each goes once round.
class ShrinkCandidates {
 public:
  ShrinkCandidates(ShrinkStep step, Admits admits);

  /// The next candidate, or nothing after the last.
  std::optional<ShrinkStep> next();

 private:
  [[nodiscard]] std::size_t count(std::size_t phase) const;
  [[nodiscard]] std::optional<Case> candidate(std::size_t phase, std::size_t position) const;
  [[nodiscard]] std::optional<Case> number_candidate(std::size_t position) const;
  [[nodiscard]] bool simpler(const Case& candidate) const;

  ShrinkStep step_;
  Admits admits_;
  std::vector<Dimension> dimensions_;
  std::size_t phase_;
  std::size_t position_;
  bool came_round_ = false;
};

/// `test_case` with only the indices `kept` (ascending, not empty) of `dimension`, in every matrix
/// and row that has it. Integers that count along the dimension are moved with their index, or to
/// the nearest index that is left.
Case keep_indices(const Case& test_case, std::string_view dimension,
                  const std::vector<std::int64_t>& kept);

}  // namespace grader
