#include <algorithm>

#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/report/layout.hpp"
#include "grader/report/number_text.hpp"

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

}  // namespace

int run(const ListCommand& command, Console& console) {
  const LoadedAssignment assignment = assignment_in(command.assignment);
  console.result(joined(command.what == ListCommand::What::checks
                            ? checks_of(assignment.policy)
                            : misconceptions_of(*assignment.judge)));
  return kDone;
}

}  // namespace grader::cli
