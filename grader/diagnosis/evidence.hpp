// What an assignment's judge module observes about a submission so that its mistakes can be named.
//
// The work is looked at in stages, each on its own: what the submission computed in a stage, given
// what it computed itself in the stages before. So a mistake shows in its own stage only, and
// mistakes in different stages can be told from each other without trying all combinations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace grader {

/// A mistake that may be named. Several entries may have the same id: the same idea with other
/// constants, or made in one place and not in another.
struct KnownMistake {
  std::string id;
  std::uint64_t stages = 0;  ///< bit s is set when it may show in Evidence::stages[s]
  /// What it replaces, one bit a part of the work. Mistakes with a part in common exclude each
  /// other; all others combine.
  std::uint64_t parts = 0;
  /// Where it is made, when that is not everywhere it could be: "in attention_row() alone".
  std::string place = {};
};

/// Mistakes made together: indices into Evidence::mistakes, ascending. Empty: none.
using Combination = std::vector<std::size_t>;

/// One stage of a submission, on all diagnostic inputs.
struct ObservedStage {
  std::string name;  ///< for people, after "your": "logits"
  std::size_t cases = 0;
  /// Would a program with exactly these mistakes have answered case `index` as the submission did,
  /// within rounding? The mistakes are those of the combination that show in this stage.
  std::function<bool(const Combination&, std::size_t index)> reproduces;
  /// The same for all cases, with single precision somewhere in the computation. Empty: never.
  std::function<bool(const Combination&)> reproduces_in_single_precision;
  /// The mistake to name then.
  std::optional<std::size_t> single_precision;
  /// Say so when the stage is wrong and nothing explains it. False where the report of the checks
  /// says it better (calls that crash).
  bool tells_unknown = true;
  /// As many mistakes at most may explain the stage together.
  std::size_t most_mistakes = 3;
};

struct Evidence {
  std::vector<KnownMistake> mistakes;  ///< the likeliest of indistinguishable ones first
  std::vector<ObservedStage> stages;   ///< at most 64
};

}  // namespace grader
