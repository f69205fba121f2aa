#include "grader/cli/export_files.hpp"

#include <algorithm>
#include <chrono>
#include <variant>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/base/output.hpp"
#include "grader/scorecard/json.hpp"

namespace grader::cli {
namespace {

namespace fs = std::filesystem;

void replace(const fs::path& file, const std::string& content) {
  constexpr const char* kHint = "Name a file that you may write with --export.";
  if (file.has_parent_path()) make_folder(file.parent_path(), kHint);
  try {
    write_atomically(file, content);
  } catch (const EnvironmentFault& fault) {
    throw EnvironmentFault(fault.what(), kHint);
  }
}

const ExportFormat& format_of_one(const std::string& name) {
  const ExportFormat& format = export_format(name);
  if (std::holds_alternative<ScorecardExporter>(format.exporter)) return format;
  throw UsageFault(name + " is an export of a whole class.",
                   "Grade the class with `attention-grader batch` and export its results.");
}

}  // namespace

void refuse_unread(const ExportFormat& format, const std::string& option) {
  throw UsageFault("The format " + std::string(format.name) + " has no use for " + option + ".",
                   "Leave " + option + " out.");
}

void refuse_unread(const ExportFormat& format, const ExportLook& look) {
  if (!look.visibility.empty() && !format.reads.visibility) refuse_unread(format, "--visibility");
  if (!look.column.empty() && !format.reads.column) refuse_unread(format, "--column");
}

ExportFiles::ExportFiles(const std::vector<std::string>& wanted, const ExportLook& look,
                         const std::string& program) {
  for (const std::string& word : wanted) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals + 1 == word.size()) {
      throw UsageFault("--export " + word + " names no file.",
                       "Write the format and the file: --export gradescope=results.json");
    }
    const ExportFormat& format = format_of_one(word.substr(0, equals));
    ExportOptions options;
    options.commands.program = program;
    if (format.reads.column) options.column = look.column;
    if (format.reads.visibility) options.visibility = look.visibility;
    files_.push_back({&format, word.substr(equals + 1), std::move(options)});
  }
  const auto refuse_unless = [&](const std::string& value, bool OptionsRead::*reads,
                                 const std::string& option) {
    const bool is_read =
        std::ranges::any_of(files_, [&](const File& file) { return file.format->reads.*reads; });
    if (value.empty() || is_read) return;
    if (!files_.empty()) refuse_unread(*files_.front().format, option);
    throw UsageFault(option + " belongs to an export.", "Name one with --export FORMAT=FILE.");
  };
  refuse_unless(look.column, &OptionsRead::column, "--column");
  refuse_unless(look.visibility, &OptionsRead::visibility, "--visibility");
}

void ExportFiles::write(const std::string& document) const {
  const auto now = std::chrono::system_clock::now();
  for (const File& file : files_) {
    // Exports show what is written, where every text is plain, never the values in memory.
    const Scorecard scorecard = scorecard_from_json(document, file.path.string());
    ExportOptions options = file.options;
    options.now = now;
    options.written_at =
        std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
    const ScorecardExporter exporter = std::get<ScorecardExporter>(file.format->exporter);
    replace(file.path, exporter(scorecard, options));
  }
}

}  // namespace grader::cli
