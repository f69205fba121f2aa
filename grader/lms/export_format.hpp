// Results in the forms that other systems read: what an exporter is given and what it returns.
//
// An exporter is one file in formats/ and one line in export_formats.cpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "grader/class_report/class_results.hpp"
#include "grader/report/failure.hpp"
#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// How the other system wants it.
struct ExportOptions {
  CommandOptions commands;  ///< how commands that a text shows are to be typed
  /// A table that the platform exported and that is to be filled in; empty: none.
  std::filesystem::path worksheet;
  /// What the platform calls the assignment: the title of its column, of its problem; empty: what
  /// the format says.
  std::string column;
  /// When students see the checks, in Gradescope's words: visible, after_due_date, after_published
  /// or hidden; empty: visible.
  std::string visibility;
  /// When the scorecard was written, Unix seconds; 0: unknown.
  std::int64_t written_at = 0;
  /// The most that may be told students of their results.
  HintLevel most_told = HintLevel::full;
  /// When it is exported, for formats that carry a time.
  std::chrono::system_clock::time_point now;
};

/// The results of a class and where the files are that they name.
struct ExportedClass {
  const ClassResults& results;
  /// The results folder; StudentResult::report is relative to it.
  std::filesystem::path folder;
};

struct ExportedFile {
  std::string name;  ///< relative, of [A-Za-z0-9._-] and /
  std::string bytes;
};

struct Exported {
  std::vector<ExportedFile> files;
  std::vector<std::string> notices;  ///< one sentence each, for whoever runs the export
  /// Students whose result is not in the files though it should be, and why, one sentence each.
  std::vector<std::string> left_out;
};

/// One scorecard as the text of one file. A scorecard without a score (has_score()) never becomes a
/// zero: each exporter says how its format tells that nothing was graded. Throws UsageFault for
/// what the format cannot hold.
using ScorecardExporter = std::string (*)(const Scorecard& scorecard, const ExportOptions& options);
/// A class as files. Throws UsageFault when the options do not fit (no worksheet, another
/// course's).
using ClassExporter = Exported (*)(const ExportedClass& graded, const ExportOptions& options);

/// Which of ExportOptions a format reads; naming another one is refused.
struct OptionsRead {
  bool column = false;
  bool visibility = false;
  bool worksheet = false;
};

struct ExportFormat {
  std::string_view name;     ///< as it is typed: "gradescope"
  std::string_view summary;  ///< what reads it, a few words
  std::string_view file;     ///< what the system calls the file of one scorecard: "results.json"
  std::variant<ScorecardExporter, ClassExporter> exporter;
  OptionsRead reads = {};
};

/// All formats, by name.
const std::vector<ExportFormat>& export_formats();

/// Throws UsageFault, naming the nearest, for a name that is none.
const ExportFormat& export_format(std::string_view name);

/// `format` of the scorecard in `file`, named as the system names it. Says in `notices` when there
/// is no score in it. Throws UsageFault.
ExportedFile export_one(const ExportFormat& format, const std::filesystem::path& file,
                        ExportOptions options, std::vector<std::string>& notices);

/// `format` of every student's scorecard: a file STUDENT/<file> each, STUDENT as in the results
/// folder. A student without one is left out, with the reason.
Exported export_each(const ExportFormat& format, const ExportedClass& graded,
                     const ExportOptions& options);

}  // namespace grader
