// What an assignment's check is: a generator of cases and a judge of one case. The engine does the
// rest (schedule, shrinking, confirmation, coverage), so a check is one file entry.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/contract/implementation.hpp"
#include "grader/engine/case.hpp"
#include "grader/engine/random.hpp"

namespace grader {

/// The first entry in which a returned value differs from the expected one.
struct Difference {
  std::string value;  ///< name within Judgement::returned, e.g. "weights"
  std::int64_t row = 0;
  std::int64_t column = 0;
};

/// What one case says about the implementation.
struct Judgement {
  enum class Verdict : std::uint8_t {
    holds,
    violated,
    not_judged,  ///< an upstream stage is unusable here; `blocked_by` says which check owns it
  };
  Verdict verdict = Verdict::holds;
  /// The case could have exposed a mistake (weights not all zero, output varies with V, …). A
  /// check passes only when at least half of its judged cases are witnessed.
  bool witnessed = true;
  std::string blocked_by;  ///< check id
  std::string message;     ///< one sentence for the student: what is wrong, with numbers
  std::vector<Field> returned;
  std::vector<Field> expected;  ///< same names as in `returned` where comparable
  std::optional<Difference> first_difference;
  std::string function;  ///< of the contract, whose answer is judged; empty: several, or unknown
  std::string returned_title;  ///< what reports call `returned`; empty: "yours"
  std::string expected_title;  ///< what reports call `expected`; empty: "expected"
};

/// Thrown by a typed façade over Implementation when a call did not return; the engine turns it
/// into the verdict crashed, timed out, threw, … of the check that made the call.
struct CallFault {
  std::string function;
  Outcome outcome;
};

/// The place of a random case in its check's run.
struct Schedule {
  std::int64_t index = 0;  ///< 0 … cases-1
  std::int64_t cases = 0;
};

/// A requirement on the generated cases: at least `minimum_share` of them carry `label`. What was
/// reached is written to the scorecard as coverage.
struct Quota {
  std::string label;
  double minimum_share = 0;
};

/// A direction in which mistakes hide beyond what random cases reach: ever lower logits, say. When
/// all other cases of its check hold, the engine changes the case that got furthest, judges what
/// comes out, goes on from there if it got further, and so on.
struct Search {
  std::string towards;  ///< for people: "very low logits"
  /// How far `test_case` lies in that direction, the larger the further; NaN: it is no place to
  /// start from. May call the implementation: what the judge called before is remembered.
  std::function<double(const Case& test_case, Implementation& implementation)> reach;
  /// A case near `from`, which need not lie in the check's domain. Must depend on nothing but its
  /// arguments.
  std::function<Case(Random& random, const Case& from)> vary;
  std::int64_t cases = 0;  ///< judged at most
};

/// When reports show an input of a check's cases. Inputs without a rule are always shown.
struct InputRule {
  enum class Shown : std::uint8_t {
    never,           ///< bookkeeping of the check: the submission is not called with it
    unless_zero,     ///< an addition to other inputs; zero adds nothing
    with_functions,  ///< with failures of `functions`, the only ones that it is handed to
  };
  std::string input;
  Shown shown = Shown::never;
  std::vector<std::string> functions;
};

/// One check of the lesson.
struct Check {
  std::string id;  ///< stable dotted id, "softmax.row_sums"

  /// Checks that name the same generator and draw first what that generator draws see the same
  /// cases, so that calls can be shared. Default: the check's own id.
  std::string generator;

  /// Draws a case. Must depend on nothing but its arguments.
  std::function<Case(Random&, const Schedule&)> generate;

  /// Cases that are always judged, before the random ones (the lesson's example first).
  std::vector<Case> fixed_cases;

  /// Draws cases that stay judgeable when shapes are wrong (n = d_k = d_v, say). Used for a second
  /// run when fewer than half of the cases could be judged. Default: no second run.
  std::function<Case(Random&, const Schedule&)> generate_when_blocked;

  /// True when a shrunk case still lies in the check's domain (indices in range, spread of logits
  /// within limits). Default: everything is admitted.
  std::function<bool(const Case&)> admits;

  /// Works out and remembers what judging this case will ask for whatever the submission answers.
  /// Called, if at all, for drawn cases before the first is judged, while the submission is built.
  std::function<void(const Case&)> prepare;

  /// Judges one case. Deterministic but for the implementation's answers. Throws CallFault.
  std::function<Judgement(const Case&, Implementation&)> judge;

  std::vector<Quota> quotas;

  /// Where to look when all cases hold. Not for checks that bypass the memory.
  std::vector<Search> searches;

  std::vector<InputRule> input_rules;

  bool shrinks = true;           ///< false for statistical checks, which are shown as they are
  bool bypasses_memory = false;  ///< true when every call must reach the implementation anew

  /// For checks on the student's own assertions: the contract function that is judged. Then all
  /// fixed cases are judged even after a failure, and the labels of the violated ones are
  /// reported: those with input "valid" = true as refused wrongly, the others as accepted wrongly.
  std::string assertion;

  /// Share of `cases` that this check runs (0 = fixed cases only); statistical checks need fewer.
  double share_of_cases = 1.0;
};

}  // namespace grader
