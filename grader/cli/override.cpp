#include <chrono>
#include <set>

#include "grader/base/fault.hpp"
#include "grader/base/suggestion.hpp"
#include "grader/batch/batch_folder.hpp"
#include "grader/batch/overrides.hpp"
#include "grader/batch/roster.hpp"
#include "grader/cli/class_report.hpp"
#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/gradebook/gradebook.hpp"
#include "grader/report/number_text.hpp"

namespace grader::cli {
namespace {

const StudentResult& student_in(const ClassResults& results, const std::string& id) {
  std::vector<std::string> known;
  for (const StudentResult& student : results.students) {
    if (student.id == id) return student;
    known.push_back(student.id);
  }
  throw UsageFault("There is no student " + id + " in these results.",
                   suggestion(id, known) + "Use the id that the report shows.");
}

}  // namespace

int run(const OverrideCommand& command, Console& console) {
  const BatchLayout layout(command.results);
  static_cast<void>(read_batch_file(layout));  // refuses another folder
  if (command.reason.find_first_not_of(" \t\n") == std::string::npos) {
    throw UsageFault("An override needs a reason.", "Say why with --reason TEXT.");
  }
  Gradebook gradebook(layout.gradebook(), Gradebook::Access::write);
  static_cast<void>(student_in(results_of(layout, gradebook, {}), command.student));
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  append_override(layout.overrides(),
                  {command.student, command.score, command.reason,
                   std::chrono::duration_cast<std::chrono::seconds>(now).count()});
  gradebook.put_overrides(read_overrides(layout.overrides()));
  const ClassResults results = results_of(layout, gradebook, {});
  const StudentResult& student = student_in(results, command.student);
  const auto words = [](const std::optional<double>& score) {
    return score ? number_text(*score) : "no score";
  };
  console.note(command.student + " has " + words(student.final_score) + " of " +
               number_text(results.max_score) + "; computed: " + words(student.score) + ".");
  return kDone;
}

}  // namespace grader::cli
