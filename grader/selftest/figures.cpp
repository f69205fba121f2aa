#include "grader/selftest/figures.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace grader {
namespace {

/// The models that are complained about for one of the reasons.
std::set<std::string> complained_about(const KillMatrix& matrix,
                                       std::initializer_list<Complaint::Kind> reasons) {
  std::set<std::string> models;
  for (const Complaint& complaint : matrix.complaints) {
    if (std::ranges::find(reasons, complaint.kind) != reasons.end()) models.insert(complaint.model);
  }
  return models;
}

}  // namespace

bool is_kill(const MatrixCell& cell) {
  return cell.status != CheckStatus::passed && cell.status != CheckStatus::not_run;
}

bool is_named(const MatrixRow& row) {
  if (row.diagnosis.size() != 1) return false;
  const Diagnosis& only = row.diagnosis.front();
  return only.id == row.id ||
         std::ranges::find(only.indistinguishable, row.id) != only.indistinguishable.end();
}

bool is_shown_on_small_input(const MatrixRow& row) {
  return row.minimal_input && row.minimal_input->extent <= kSmallExtent;
}

std::vector<std::string> seen_only_by(const KillMatrix& matrix, std::size_t column) {
  std::vector<std::string> ids;
  for (const MatrixRow& row : matrix.rows) {
    if (row.role != Model::Role::misconception || !is_kill(row.cells.at(column))) continue;
    if (std::ranges::count_if(row.cells, is_kill) == 1) ids.push_back(row.id);
  }
  return ids;
}

SelfTestFigures figures_of(const KillMatrix& matrix) {
  using Reason = Complaint::Kind;
  const auto unseen =
      complained_about(matrix, {Reason::misconception_unseen, Reason::own_objective_kept});
  const auto charged_elsewhere =
      complained_about(matrix, {Reason::charged_elsewhere, Reason::blocked_without_reason});
  SelfTestFigures figures;
  for (const MatrixRow& row : matrix.rows) {
    if (row.role == Model::Role::correct_style) {
      ++figures.correct_styles;
      figures.correct_styles_accused += row.diagnosis.empty() ? 0 : 1;
      figures.points_lost_by_correct_styles += matrix.max_score - row.score;
      for (const MatrixRow::Loss& loss : row.later_losses) {
        figures.points_lost_by_correct_styles += loss.points;
      }
    } else if (row.role == Model::Role::misconception) {
      ++figures.misconceptions;
      figures.seen_by_own_objective += unseen.count(row.id) == 0 ? 1 : 0;
      figures.charged_to_own_alone += charged_elsewhere.count(row.id) == 0 ? 1 : 0;
      figures.named += is_named(row) ? 1 : 0;
      figures.shown_on_small_inputs += is_shown_on_small_input(row) ? 1 : 0;
    }
  }
  return figures;
}

}  // namespace grader
