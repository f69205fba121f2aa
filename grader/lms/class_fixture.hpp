// What the tests of class formats share: a class, a platform's table, and the platform's own
// reader.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/lms/export_format.hpp"

namespace grader {

class ClassFormatTest : public testing::Test {
 protected:
  ClassFormatTest() {
    results_.assignment_title = "Attention";
    results_.max_score = 100;
  }

  StudentResult& add(const std::string& id, std::optional<double> score,
                     const std::string& name = {}) {
    StudentResult& student = results_.students.emplace_back();
    student.id = id;
    student.name = name;
    student.status = score ? StudentStatus::graded : StudentStatus::missing;
    student.final_score = score;
    return student;
  }

  /// Exports with `sheet` as the worksheet; no text: none.
  Exported run(const std::string& format, const std::optional<std::string>& sheet = {},
               const std::string& column = {}) {
    ExportOptions options;
    options.column = column;
    options.most_told = most_told_;
    if (sheet) {
      options.worksheet = folder_.path() / "sheet.csv";
      write_atomically(options.worksheet, *sheet);
    }
    const auto exporter = std::get<ClassExporter>(export_format(format).exporter);
    return exporter({results_, folder_.path()}, options);
  }

  /// What the UsageFault of such an export says: its sentence and its hint.
  std::string complaint(const std::string& format, const std::optional<std::string>& sheet = {},
                        const std::string& column = {}) {
    try {
      run(format, sheet, column);
    } catch (const UsageFault& fault) {
      return std::string(fault.what()) + " / " + fault.hint();
    }
    return "accepted";
  }

  /// What the platform reads in `bytes`: platforms_read.py.
  nlohmann::json read_by(const std::string& platform, const std::string& bytes,
                         const std::vector<std::string>& more = {}) {
    const std::filesystem::path file = folder_.path() / "exported";
    write_atomically(file, bytes);
    std::string command = "python3 " PLATFORMS_READ " " + platform + " " + file.string();
    for (const std::string& word : more) command += " '" + word + "'";
    FILE* const pipe = popen(command.c_str(), "r");
    std::string output;
    std::array<char, 4096> block{};
    while (const std::size_t size = fread(block.data(), 1, block.size(), pipe)) {
      output.append(block.data(), size);
    }
    EXPECT_EQ(pclose(pipe), 0) << command;
    return nlohmann::json::parse(output);
  }

  ClassResults results_;
  HintLevel most_told_ = HintLevel::full;
  const TemporaryDirectory folder_;
};

/// Whether one of the sentences holds `part`.
inline bool says(const std::vector<std::string>& sentences, const std::string& part) {
  for (const std::string& sentence : sentences) {
    if (sentence.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace grader
