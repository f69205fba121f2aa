#include <algorithm>

#include "grader/base/fault.hpp"
#include "grader/base/suggestion.hpp"
#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/report/layout.hpp"
#include "grader/report/number_text.hpp"
#include "grader/report/text.hpp"
#include "grader/selftest/minimal_input.hpp"

namespace grader::cli {
namespace {

using Lines = std::vector<std::string>;

Lines checks_of(const Policy& policy) {
  std::size_t width = 0;
  for (const CheckPolicy& check : policy.checks) {
    width = std::max(width, display_width(check.id));
  }
  Lines lines;
  for (const Objective& objective : policy.objectives) {
    if (!lines.empty()) lines.emplace_back();
    lines.push_back(objective.title + ", " + number_text(objective.points) + " points");
    for (const CheckPolicy& check : policy.checks) {
      if (check.objective != objective.id) continue;
      lines.push_back(right_aligned(number_text(check.points), 5) + "  " +
                      padded(check.id, width + 2) + check.title);
    }
  }
  return lines;
}

Lines misconceptions_of(const Judge& judge) {
  Lines lines;
  for (const Model& model : judge.models) {
    if (model.role != Model::Role::misconception) continue;
    lines.push_back(padded(model.id, 8) + padded(model.stage, 14) + model.title);
  }
  if (lines.empty()) lines.emplace_back("This assignment knows no misconceptions.");
  return lines;
}

const Model& misconception_called(const Judge& judge, const std::string& id) {
  std::vector<std::string> ids;
  for (const Model& model : judge.models) {
    if (model.role != Model::Role::misconception) continue;
    if (model.id == id) return model;
    ids.push_back(model.id);
  }
  throw UsageFault("There is no misconception " + id + ".",
                   suggestion(id, ids) + "`attention-grader list misconceptions` shows all.");
}

Lines explained(const LoadedAssignment& assignment, const std::string& id, Console& console) {
  const Model& model = misconception_called(*assignment.judge, id);
  Lines lines = {model.id + "  " + model.title + "  (" + model.stage + ")"};
  append(lines, wrapped(model.explanation, 0));
  console.progress("looking for the smallest input that shows it");
  EngineOptions options;
  options.seed = assignment.policy.seed;
  options.cases = assignment.policy.cases;
  const auto caught = caught_on_minimal_input(*assignment.judge, assignment.policy, model, options);
  console.end_progress();
  if (!caught) return lines;
  ScoredCheck check = *caught;
  check.replay.clear();  // there is no submission to replay it on
  lines.emplace_back();
  lines.push_back(check_report(check, {.color = console.result_is_colored(), .commands = {}}));
  return lines;
}

}  // namespace

int run(const ListCommand& command, Console& console) {
  const LoadedAssignment assignment = assignment_in(command.assignment);
  if (!command.explain.empty()) {
    if (command.what != ListCommand::What::misconceptions) {
      throw UsageFault(
          "--explain is about misconceptions.",
          "Write: attention-grader list misconceptions --explain " + command.explain + ".");
    }
    console.result(joined(explained(assignment, command.explain, console)));
    return kDone;
  }
  console.result(joined(command.what == ListCommand::What::checks
                            ? checks_of(assignment.policy)
                            : misconceptions_of(*assignment.judge)));
  return kDone;
}

}  // namespace grader::cli
