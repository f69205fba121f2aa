// Exports that `grade` keeps up to date, for systems that may end it at any moment.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/cli/commands.hpp"
#include "grader/lms/export_format.hpp"

namespace grader::cli {

/// The fault of an option that a format does not read: it would be forgotten without a word.
[[noreturn]] void refuse_unread(const ExportFormat& format, const std::string& option);
/// Throws it where `look` has something that `format` does not read.
void refuse_unread(const ExportFormat& format, const ExportLook& look);

class ExportFiles {
 public:
  /// `wanted` as it is typed, "FORMAT=FILE" each. Throws UsageFault for a format that is none, or
  /// one of a whole class, and for a look that no format here reads.
  ExportFiles(const std::vector<std::string>& wanted, const ExportLook& look,
              const std::string& program);

  [[nodiscard]] bool empty() const { return files_.empty(); }

  /// Replaces every file, each in one step, by the export of `document`, which is a scorecard as
  /// JSON. Folders that are missing are made. Throws EnvironmentFault, and UsageFault for what a
  /// format cannot hold.
  void write(const std::string& document) const;

 private:
  struct File {
    const ExportFormat* format;
    std::filesystem::path path;
    ExportOptions options;
  };
  std::vector<File> files_;
};

}  // namespace grader::cli
