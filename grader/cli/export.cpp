#include <chrono>
#include <filesystem>
#include <string>
#include <system_error>
#include <variant>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/base/output.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/batch/kept_files.hpp"
#include "grader/cli/class_report.hpp"
#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/cli/export_files.hpp"
#include "grader/lms/export_format.hpp"

namespace grader::cli {

namespace fs = std::filesystem;

namespace {

Exported export_scorecard(const ExportFormat& format, const ExportCommand& command,
                          const ExportOptions& options) {
  if (!std::holds_alternative<ScorecardExporter>(format.exporter)) {
    throw UsageFault(std::string(format.name) + " is an export of a whole class, and " +
                         command.source.string() + " is no folder of results.",
                     "Name the folder that `attention-grader batch` wrote.");
  }
  Exported exported;
  exported.files.push_back(export_one(format, command.source, options, exported.notices));
  return exported;
}

Exported export_results(const ExportFormat& format, const ExportCommand& command,
                        const ExportOptions& options) {
  const BatchLayout layout(command.source);
  const Gradebook gradebook(layout.gradebook(), Gradebook::Access::read);
  const ClassResults results = results_of(layout, gradebook, command.assignment);
  const ExportedClass graded{results, layout.root()};
  if (const auto* exporter = std::get_if<ClassExporter>(&format.exporter)) {
    return (*exporter)(graded, options);
  }
  return export_each(format, graded, options);
}

// What an export is made from is not what it is written to.
void refuse_own_source(const fs::path& path, const fs::path& source) {
  std::error_code error;
  const bool is_kept = fs::is_directory(source, error) ? is_kept_by_batch(source, path)
                                                       : fs::weakly_canonical(path, error) ==
                                                             fs::weakly_canonical(source, error);
  if (!is_kept) return;
  throw UsageFault(path.string() + " holds the results themselves.",
                   "Name another file or folder with --out.");
}

// One file goes to stdout or to the path itself, several go below the path.
void write(const Exported& exported, bool is_one, const ExportCommand& command, Console& console) {
  const fs::path& out = command.out;
  if (out.empty()) {
    if (!is_one) {
      throw UsageFault("The export is more than one file.", "Name a folder for them with --out.");
    }
    for (const ExportedFile& file : exported.files) console.result(file.bytes);
    return;
  }
  std::error_code error;
  const bool goes_below = !is_one || fs::is_directory(out, error);
  for (const ExportedFile& file : exported.files) {
    const fs::path path = goes_below ? out / file.name : out;
    refuse_own_source(path, command.source);
    if (path.has_parent_path()) make_folder(path.parent_path());
    write_atomically(path, file.bytes);
  }
}

}  // namespace

int run(const ExportCommand& command, Console& console) {
  const ExportFormat& format = export_format(command.format);
  refuse_unread(format, command.look);
  if (!command.worksheet.empty() && !format.reads.worksheet) {
    refuse_unread(format, "--worksheet");
  }
  std::error_code error;
  const bool is_class = fs::is_directory(command.source, error);
  ExportOptions options;
  options.commands.program = command.program;
  options.worksheet = command.worksheet;
  options.column = command.look.column;
  options.visibility = command.look.visibility;
  options.most_told = command.hint_level.value_or(HintLevel::full);
  options.now = std::chrono::system_clock::now();
  const Exported exported = is_class ? export_results(format, command, options)
                                     : export_scorecard(format, command, options);
  const bool is_one = exported.files.size() == 1 &&
                      !(is_class && std::holds_alternative<ScorecardExporter>(format.exporter));
  write(exported, is_one, command, console);
  constexpr std::size_t kSentence = 2'000;  // names and reasons may hold any bytes
  for (const std::string& notice : exported.notices) console.note(plain_line(notice, kSentence));
  for (const std::string& who : exported.left_out) {
    console.note(plain_line("Left out: " + who, kSentence));
  }
  return exported.left_out.empty() ? kDone : kPartly;
}

}  // namespace grader::cli
