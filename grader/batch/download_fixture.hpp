// Downloads to collect attempts from, made up by the tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/batch/collect.hpp"
#include "grader/intake/pack.hpp"

namespace grader {

namespace fs = std::filesystem;

class DownloadTest : public testing::Test {
 protected:
  DownloadTest() {
    options_.main_file = "attention.cpp";
    options_.utc_offset = 3600;
  }

  /// A file beneath the place where downloads lie.
  // Many a test writes for what is then found. NOLINTNEXTLINE(modernize-use-nodiscard)
  fs::path write(const fs::path& name, const std::string& content = "int x;\n") const {
    fs::path file = given_ / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }

  // Many a test collects for what it leaves behind. NOLINTNEXTLINE(modernize-use-nodiscard)
  Collection collected(const std::vector<fs::path>& sources) const {
    return collect(sources, workspace_, options_);
  }
  /// Of the whole place. NOLINTNEXTLINE(modernize-use-nodiscard)
  Collection collected() const { return collected({given_}); }

  /// An attempt a line: "student, name, number, what intake is given" and what there is of "late"
  /// and "@time". Folders end in a slash; of copies, the files are listed.
  static std::vector<std::string> lines(const Collection& collection) {
    std::vector<std::string> result;
    for (const Attempt& attempt : collection.attempts) {
      std::string line = attempt.student + ", " + attempt.name + ", " +
                         std::to_string(attempt.number) + ", " + attempt.path.filename().string();
      if (attempt.path.parent_path().filename() == "assembled") {
        line = line.substr(0, line.rfind(' ') + 1) + contents(attempt.path);
      } else if (fs::is_directory(attempt.path)) {
        line += "/";
      }
      if (attempt.marked_late) line += ", late";
      if (attempt.submitted_at) line += ", @" + std::to_string(*attempt.submitted_at);
      EXPECT_TRUE(fs::exists(attempt.path)) << attempt.path;
      result.push_back(line);
    }
    return result;
  }

  static std::string contents(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
      names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : "+") + name;
    return all;
  }

  static std::string content(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }

  static bool left_out(const Collection& collection, const std::string& path,
                       const std::string& reason) {
    return std::ranges::any_of(collection.left_out, [&](const LeftOut& one) {
      return one.path.find(path) != std::string::npos &&
             one.reason.find(reason) != std::string::npos;
    });
  }

  TemporaryDirectory root_;
  fs::path given_ = root_.path() / "given";
  fs::path workspace_ = root_.path() / "workspace";
  CollectOptions options_;
};

using Lines = std::vector<std::string>;

}  // namespace grader
