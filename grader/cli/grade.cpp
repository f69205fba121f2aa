#include <algorithm>
#include <system_error>
#include <utility>

#include "grader/base/files.hpp"
#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/cli/export_files.hpp"
#include "grader/cli/export_keeper.hpp"
#include "grader/cli/no_verdict.hpp"
#include "grader/cli/render.hpp"
#include "grader/intake/names.hpp"
#include "grader/pipeline/result_folder.hpp"
#include "grader/scorecard/json.hpp"

namespace grader::cli {
namespace {

namespace fs = std::filesystem;

// "attention.grade" for attention.cpp, "ada.grade" for the folder students/ada.
fs::path default_out(const fs::path& submission) {
  std::error_code error;
  fs::path named = fs::absolute(submission, error).lexically_normal();
  if (!named.has_filename()) named = named.parent_path();
  return submission_id(named, fs::is_directory(submission, error)) + ".grade";
}

bool lies_inside(const fs::path& inner, const fs::path& outer) {
  std::error_code error;
  if (!fs::is_directory(outer, error)) return false;
  const fs::path relative = fs::relative(inner, outer, error);
  return !error && !relative.empty() && *relative.begin() != "..";
}

void print(const Scorecard& scorecard, const GradeCommand& command, const TextOptions& options,
           Console& console) {
  std::vector<Format> formats = command.formats;
  if (formats.empty() && !command.console.is_quiet) formats.push_back(Format::text);
  for (const Format format : formats) console.result(rendered(scorecard, format, options));
}

/// The scorecard; meanwhile `exports` hold what was found until then.
Scorecard graded(const GradeCommand& command, const LoadedAssignment& assignment,
                 const fs::path& workspace, const ExportFiles& exports, Console& console) {
  const StepProgress progress = [&](const std::string& step) { console.progress(step); };
  if (exports.empty()) {
    return grade_submission(command.submission, assignment, command.options, workspace, progress);
  }
  // A file that cannot be written is found out here, before anything is graded.
  exports.write(scorecard_to_json(begun(assignment, command.options)));
  ExportKeeper keeper(exports);
  return grade_submission(command.submission, assignment, command.options, workspace, progress,
                          [&](Scorecard so_far) { keeper.take(std::move(so_far)); });
}

int exit_code(const Scorecard& scorecard, const GradeCommand& command) {
  if (const auto failed = complain_without_verdict(scorecard)) return *failed;
  if (command.is_strict && scorecard.status != ScorecardStatus::graded) return kNotAccepted;
  if (command.fail_under) {
    const double percent =
        scorecard.max_score > 0 ? 100 * scorecard.score / scorecard.max_score : 0;
    if (!(percent >= *command.fail_under)) return kBelow;
  }
  return kDone;
}

}  // namespace

int run(const GradeCommand& command, Console& console) {
  apply(command.isolation);
  const ExportFiles exports(command.exports, command.export_look, command.program);
  const LoadedAssignment assignment = assignment_in(command.assignment);
  const fs::path out = command.out.empty() ? default_out(command.submission) : command.out;
  ResultFolder folder(out);
  const TemporaryDirectory workspace;
  const std::string document =
      scorecard_to_json(graded(command, assignment, workspace.path(), exports, console));
  exports.write(document);
  // Reports show what was written, where every text is plain, never the values in memory.
  const Scorecard scorecard = scorecard_from_json(document, folder.scorecard().string());
  TextOptions options;
  options.color = console.result_is_colored();
  options.commands = {command.program, folder.scorecard().string(), command.assignment.string()};
  options.page = folder.page().filename().string();
  folder.write(workspace.path() / "submission", document,
               rendered(scorecard, Format::html, options));
  if (lies_inside(out, command.submission)) {
    // Intake skips folders with this mark, so that results are never graded themselves.
    write_atomically(out / "not_submitted.txt",
                     "Results of grading; not part of the submission.\n");
  }
  print(scorecard, command, options, console);
  return exit_code(scorecard, command);
}

}  // namespace grader::cli
