// The rules of fairness, applied to the rows of a kill matrix.
#include <algorithm>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/selftest/figures.hpp"
#include "grader/selftest/selftest.hpp"

namespace grader {
namespace {

/// Points are multiples of a quarter or so; sums of them carry next to no rounding.
constexpr double kPointRounding = 1e-9;

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool passed(const MatrixCell& cell) { return cell.status == CheckStatus::passed; }

/// Judges one row; collects what is unfair about it.
class RowRules {
 public:
  RowRules(const KillMatrix& matrix, const MatrixRow& row, const Model& model)
      : matrix_(matrix), row_(row), model_(model) {}

  std::vector<Complaint> complaints() {
    switch (model_.role) {
      case Model::Role::correct_style: judge_correct_style(); break;
      case Model::Role::misconception: judge_misconception(); break;
      case Model::Role::null_implementation: judge_null(); break;
    }
    return std::move(complaints_);
  }

 private:
  void complain(Complaint::Kind kind, std::string check, std::string text) {
    complaints_.push_back({kind, row_.id, std::move(check), std::move(text)});
  }

  void judge_correct_style() {
    if (!row_.diagnosis.empty()) {
      complain(Complaint::Kind::correct_style_accused, "",
               "The diagnosis says of the correct style " + row_.id + ": " + named() + ".");
    }
    for (std::size_t c = 0; c < row_.cells.size(); ++c) {
      if (passed(row_.cells[c])) continue;
      complain(Complaint::Kind::correct_style_loses, matrix_.columns[c].check,
               "The correct style " + row_.id + " loses " + matrix_.columns[c].check + ": " +
                   row_.cells[c].message);
    }
    for (const MatrixRow::Loss& loss : row_.later_losses) {
      complain(Complaint::Kind::correct_style_loses, loss.check,
               "With the seed " + std::to_string(loss.seed) + " the correct style " + row_.id +
                   " loses " + loss.check + ": " + loss.message);
    }
  }

  void judge_misconception() {
    if (matrix_.is_diagnosed && !is_named(row_)) {
      complain(Complaint::Kind::misconception_unnamed, "",
               row_.id + " (" + row_.title + ") is not named by the diagnosis, which says " +
                   named() + ".");
    }
    if (!(row_.score < matrix_.max_score - kPointRounding)) {
      complain(Complaint::Kind::misconception_unseen, "",
               row_.id + " (" + row_.title + ") keeps full marks.");
      return;
    }
    bool own_objective_saw = false;
    for (std::size_t c = 0; c < row_.cells.size(); ++c) {
      const MatrixColumn& column = matrix_.columns[c];
      if (passed(row_.cells[c])) continue;
      own_objective_saw |= column.objective == model_.objectives.at(0) && is_kill(row_.cells[c]);
      judge_lost_check(column, row_.cells[c]);
    }
    if (!own_objective_saw) {
      complain(Complaint::Kind::own_objective_kept, "",
               row_.id + " (" + row_.title + ") is seen by no check of its own objective, " +
                   model_.objectives[0] + ".");
    }
  }

  [[nodiscard]] std::string named() const {
    std::string text;
    for (const Diagnosis& each : row_.diagnosis) {
      text += (text.empty() ? "" : "; ") + each.id + ", " + each.title;
    }
    return text.empty() ? "nothing" : text;
  }

  void judge_lost_check(const MatrixColumn& column, const MatrixCell& cell) {
    if (cell.status == CheckStatus::not_run) {
      if (!names_a_lost_check(cell.blocked_by)) {
        complain(Complaint::Kind::blocked_without_reason, column.check,
                 row_.id + ": " + column.check + " could not be judged, but what blocks it (\"" +
                     cell.blocked_by + "\") is not a check that was lost. " + cell.message);
      }
      return;
    }
    if (column.end_to_end || contains(model_.objectives, column.objective)) return;
    complain(Complaint::Kind::charged_elsewhere, column.check,
             row_.id + " (" + row_.title + ") is charged to " + column.check + " of objective " +
                 column.objective + ": " + cell.message);
  }

  [[nodiscard]] bool names_a_lost_check(const std::string& check) const {
    for (std::size_t c = 0; c < row_.cells.size(); ++c) {
      if (matrix_.columns[c].check == check) return !passed(row_.cells[c]);
    }
    return false;
  }

  void judge_null() {
    if (row_.score <= model_.ceiling + kPointRounding) return;
    std::string kept;
    for (std::size_t c = 0; c < row_.cells.size(); ++c) {
      if (passed(row_.cells[c])) kept += " " + matrix_.columns[c].check;
    }
    complain(Complaint::Kind::null_above_ceiling, "",
             row_.id + " (" + row_.title + ") scores above its ceiling by passing" + kept + ".");
  }

  const KillMatrix& matrix_;
  const MatrixRow& row_;
  const Model& model_;
  std::vector<Complaint> complaints_;
};

/// Are as many mistakes as promised shown on small inputs?
void judge_minimal_inputs(const KillMatrix& matrix, const std::vector<Model>& models,
                          std::vector<Complaint>& complaints) {
  const SelfTestFigures figures = figures_of(matrix);
  const auto known = std::ranges::count(models, Model::Role::misconception, &Model::role);
  if (!matrix.seeks_minimal_inputs || known == 0 || figures.misconceptions != known) return;
  const double share = static_cast<double>(figures.shown_on_small_inputs) /
                       static_cast<double>(figures.misconceptions);
  if (share >= kSmallShare) return;
  std::string large;
  for (const MatrixRow& row : matrix.rows) {
    if (row.role != Model::Role::misconception || is_shown_on_small_input(row)) continue;
    large += (large.empty() ? "" : ", ") + row.id;
  }
  complaints.push_back(
      {Complaint::Kind::inputs_not_small, "", "",
       "Only " + std::to_string(figures.shown_on_small_inputs) + " of " +
           std::to_string(figures.misconceptions) + " mistakes are shown on an input of at most " +
           std::to_string(kSmallExtent) + " rows and columns, not " + large + "."});
}

}  // namespace

std::vector<Complaint> complaints_about(const KillMatrix& matrix,
                                        const std::vector<Model>& models) {
  std::vector<Complaint> all;
  for (const MatrixRow& row : matrix.rows) {
    const auto model = std::find_if(models.begin(), models.end(),
                                    [&](const Model& candidate) { return candidate.id == row.id; });
    if (model == models.end()) throw InternalFault("self-test: no model " + row.id);
    if (model->role == Model::Role::misconception && model->objectives.empty()) {
      throw InternalFault("self-test: the misconception " + row.id + " names no objective");
    }
    for (Complaint& complaint : RowRules(matrix, row, *model).complaints()) {
      all.push_back(std::move(complaint));
    }
  }
  judge_minimal_inputs(matrix, models, all);
  return all;
}

}  // namespace grader
