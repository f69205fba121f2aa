#include <nlohmann/json.hpp>

#include "grader/scorecard/names.hpp"
#include "grader/selftest/selftest.hpp"

namespace grader {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of(Model::Role role) {
  switch (role) {
    case Model::Role::correct_style: return "correct_style";
    case Model::Role::misconception: return "misconception";
    case Model::Role::null_implementation: return "null_implementation";
  }
  return "";
}

std::string name_of(Complaint::Kind kind) {
  switch (kind) {
    case Complaint::Kind::correct_style_loses: return "correct_style_loses";
    case Complaint::Kind::misconception_unseen: return "misconception_unseen";
    case Complaint::Kind::charged_elsewhere: return "charged_elsewhere";
    case Complaint::Kind::own_objective_kept: return "own_objective_kept";
    case Complaint::Kind::blocked_without_reason: return "blocked_without_reason";
    case Complaint::Kind::null_above_ceiling: return "null_above_ceiling";
    case Complaint::Kind::correct_style_accused: return "correct_style_accused";
    case Complaint::Kind::misconception_unnamed: return "misconception_unnamed";
    case Complaint::Kind::inputs_not_small: return "inputs_not_small";
  }
  return "";
}

Json row_json(const KillMatrix& matrix, const MatrixRow& row) {
  Json checks = Json::object();
  for (std::size_t c = 0; c < row.cells.size(); ++c) {
    Json cell = {{"status", std::string(name_of(row.cells[c].status))}};
    if (!row.cells[c].blocked_by.empty()) cell["blocked_by"] = row.cells[c].blocked_by;
    if (!row.cells[c].message.empty()) cell["message"] = row.cells[c].message;
    checks[matrix.columns[c].check] = std::move(cell);
  }
  Json diagnosis = Json::array();
  for (const Diagnosis& each : row.diagnosis) {
    diagnosis.push_back({{"id", each.id},
                         {"indistinguishable", each.indistinguishable},
                         {"agreeing", each.evidence.agreeing},
                         {"cases", each.evidence.cases}});
  }
  Json minimal = nullptr;
  if (row.minimal_input) {
    minimal = {{"check", row.minimal_input->check}, {"extent", row.minimal_input->extent}};
  }
  Json losses = Json::array();
  for (const MatrixRow::Loss& loss : row.later_losses) {
    losses.push_back({{"seed", loss.seed}, {"check", loss.check}, {"points", loss.points}});
  }
  return {{"id", row.id},
          {"role", name_of(row.role)},
          {"stage", row.stage},
          {"title", row.title},
          {"score", row.score},
          {"later_losses", std::move(losses)},
          {"checks", std::move(checks)},
          {"diagnosis", std::move(diagnosis)},
          {"minimal_input", std::move(minimal)}};
}

Json figures_json(const KillMatrix& matrix) {
  const SelfTestFigures figures = figures_of(matrix);
  return {{"misconceptions", figures.misconceptions},
          {"seen_by_own_objective", figures.seen_by_own_objective},
          {"charged_to_own_alone", figures.charged_to_own_alone},
          {"named", figures.named},
          {"shown_on_small_inputs", figures.shown_on_small_inputs},
          {"small_extent", kSmallExtent},
          {"correct_styles", figures.correct_styles},
          {"correct_styles_accused", figures.correct_styles_accused},
          {"points_lost_by_correct_styles", figures.points_lost_by_correct_styles}};
}

}  // namespace

std::string selftest_json(const KillMatrix& matrix) {
  Json checks = Json::array();
  for (std::size_t c = 0; c < matrix.columns.size(); ++c) {
    const MatrixColumn& column = matrix.columns[c];
    checks.push_back({{"id", column.check},
                      {"objective", column.objective},
                      {"points", column.points},
                      {"end_to_end", column.end_to_end},
                      {"only_killer_of", seen_only_by(matrix, c)}});
  }
  Json models = Json::array();
  for (const MatrixRow& row : matrix.rows) models.push_back(row_json(matrix, row));
  Json complaints = Json::array();
  for (const Complaint& complaint : matrix.complaints) {
    complaints.push_back({{"kind", name_of(complaint.kind)},
                          {"model", complaint.model},
                          {"check", complaint.check},
                          {"text", complaint.text}});
  }
  const Json document = {{"assignment", matrix.assignment}, {"seed", matrix.seed},
                         {"seeds", matrix.seeds},           {"cases", matrix.cases},
                         {"max_score", matrix.max_score},   {"figures", figures_json(matrix)},
                         {"holds", matrix.holds()},         {"checks", std::move(checks)},
                         {"models", std::move(models)},     {"complaints", std::move(complaints)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace grader
