// Does an assignment judge fairly? Every model that the assignment brings (correct styles, known
// mistakes, implementations that do no work) is graded in process; the outcome is the kill matrix,
// misconception × check, and a list of what is unfair about it.
//
// Besides, every mistake must be named by the diagnosis, and no correct style accused; and for each
// mistake the smallest input that shows it is looked for: most have to be small enough to be worked
// out by hand.
//
// Nothing here prints: the result is data, and text or JSON on request.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/assignment/assignment.hpp"
#include "grader/assignment/policy.hpp"
#include "grader/diagnosis/diagnosis.hpp"
#include "grader/engine/check_result.hpp"

namespace grader {

struct SelfTestOptions {
  std::uint64_t seed = 2026;
  std::int64_t cases = 500;  ///< random cases a check
  /// The correct styles are graded with so many seeds, one after the other from `seed` on.
  std::int64_t seeds = 1;
  bool seeks_minimal_inputs = true;
  std::string filter;  ///< a model's id, a stage, or empty for all models
};

/// Why a model's row of the matrix is not as it should be.
struct Complaint {
  enum class Kind : std::uint8_t {
    correct_style_loses,     ///< a correct style lost points
    misconception_unseen,    ///< a mistake kept full marks
    charged_elsewhere,       ///< a mistake lost points in an objective that is not its own
    own_objective_kept,      ///< a mistake lost points, but none in its own objective
    blocked_without_reason,  ///< a check was not run, but the check it names as the cause passed
    null_above_ceiling,      ///< an implementation that does no work scored too much
    correct_style_accused,   ///< the diagnosis names a mistake of a correct style
    misconception_unnamed,   ///< the diagnosis names something else than the mistake
    inputs_not_small,        ///< too few mistakes are shown on a small input
  };
  Kind kind = Kind::correct_style_loses;
  std::string model;  ///< empty where no single model is meant
  std::string check;  ///< empty where no single check is meant
  std::string text;   ///< one sentence
};

/// One check's verdict on one model.
struct MatrixCell {
  CheckStatus status = CheckStatus::not_run;
  std::string blocked_by;
  std::string message;
};

struct MatrixRow {
  std::string id;
  Model::Role role = Model::Role::correct_style;
  std::string stage;
  std::string title;
  double score = 0;
  std::vector<MatrixCell> cells;  ///< one per column
  /// Of correct styles: what they lost with another than the first seed.
  struct Loss {
    std::uint64_t seed = 0;
    double points = 0;
    std::string check;
    std::string message;
  };
  std::vector<Loss> later_losses = {};
  std::vector<Diagnosis> diagnosis;
  /// For misconceptions: the check of the own objective that catches it on a small input, and the
  /// largest number of rows or columns there.
  struct MinimalInput {
    std::string check;
    std::int64_t extent = 0;
  };
  std::optional<MinimalInput> minimal_input;
};

struct MatrixColumn {
  std::string check;
  std::string objective;
  double points = 0;
  bool end_to_end = false;
};

struct KillMatrix {
  std::string assignment;
  std::uint64_t seed = 0;
  std::int64_t seeds = 1;
  std::int64_t cases = 0;
  double max_score = 0;
  std::vector<MatrixColumn> columns;
  std::vector<MatrixRow> rows;
  std::vector<Complaint> complaints;
  bool is_diagnosed = false;  ///< the judge observes, so that mistakes can be named
  bool seeks_minimal_inputs = false;

  [[nodiscard]] bool holds() const { return complaints.empty(); }
};

/// Inputs up to this extent are small enough to be worked out by hand.
inline constexpr std::int64_t kSmallExtent = 3;
/// At least this share of an assignment's mistakes has to be shown on such an input.
inline constexpr double kSmallShare = 0.8;

/// Called before each model: index, count, id.
using SelfTestProgress = std::function<void(std::size_t, std::size_t, const std::string&)>;

/// Grades the judge's models with its checks and the policy's points. Throws UsageFault when the
/// filter names no model.
KillMatrix run_selftest(const Judge& judge, const Policy& policy, const SelfTestOptions& options,
                        const SelfTestProgress& progress = {});

/// Does this cell say that the check saw something? One that could not be judged did not.
bool is_kill(const MatrixCell& cell);

/// The mistakes that no other check sees than that of column `column`: without it they keep full
/// marks.
std::vector<std::string> seen_only_by(const KillMatrix& matrix, std::size_t column);

/// What the self-test promises, counted.
struct SelfTestFigures {
  std::int64_t misconceptions = 0;
  std::int64_t seen_by_own_objective = 0;
  std::int64_t charged_to_own_alone = 0;  ///< by the checks that are judged stage by stage
  std::int64_t named = 0;                 ///< by the diagnosis
  std::int64_t shown_on_small_inputs = 0;
  std::int64_t correct_styles = 0;
  std::int64_t correct_styles_accused = 0;
  double points_lost_by_correct_styles = 0;  ///< over all seeds
};
SelfTestFigures figures_of(const KillMatrix& matrix);

/// What is unfair about the rows of `matrix`, by the rules of `models` (same ids). Whether inputs
/// are small is judged where all misconceptions of `models` are in the matrix.
std::vector<Complaint> complaints_about(const KillMatrix& matrix, const std::vector<Model>& models);

/// The matrix as a table for people, then the complaints, then one line that sums up.
std::string selftest_text(const KillMatrix& matrix);

/// The same as a JSON document.
std::string selftest_json(const KillMatrix& matrix);

}  // namespace grader
