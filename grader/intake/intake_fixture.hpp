// A place for submissions to lie in and to be taken from, for the tests of intake.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "grader/base/files.hpp"
#include "grader/intake/intake.hpp"

namespace grader {

namespace fs = std::filesystem;

class IntakeTest : public testing::Test {
 protected:
  IntakeTest() {
    policy_.main_file = "attention.cpp";
    policy_.contract_headers = {"attention/attention.hpp"};
    policy_.system_includes = {(root_.path() / "library").string()};
    write("../library/Eigen/Dense", "");
    write("../library/signature_of_library", "");
    policy_.limits.file_bytes = 1000;
    policy_.limits.submission_bytes = 2000;
    policy_.limits.submission_files = 5;
    fs::create_directories(given_);
  }

  void write(const fs::path& name, const std::string& content) {
    const fs::path file = given_ / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
  }

  Intake take(const fs::path& path, const fs::path& contract = {}) {
    return take_in(path, policy_, root_.path() / ("clean" + std::to_string(++taken_)), contract);
  }

  Submission accepted(const fs::path& path, const fs::path& contract = {}) {
    const Intake result = take(path, contract);
    if (const auto* refused = std::get_if<Refused>(&result)) {
      ADD_FAILURE() << "refused: " << refused->reason;
      return {};
    }
    return std::get<Submission>(result);
  }

  std::string refusal(const fs::path& path) {
    const Intake result = take(path);
    EXPECT_FALSE(fs::exists(root_.path() / ("clean" + std::to_string(taken_))));
    const auto* refused = std::get_if<Refused>(&result);
    return refused != nullptr ? refused->reason : "accepted";
  }

  static std::vector<std::string> names(const Submission& submission) {
    std::vector<std::string> result;
    for (const SubmittedFile& file : submission.files) result.push_back(file.name);
    return result;
  }

  static std::string content(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }

  static bool says(const std::vector<std::string>& notices, const std::string& part) {
    for (const std::string& notice : notices) {
      if (notice.find(part) != std::string::npos) return true;
    }
    return false;
  }

  TemporaryDirectory root_;
  fs::path given_ = root_.path() / "given";
  Policy policy_;
  int taken_ = 0;
};

using Names = std::vector<std::string>;

}  // namespace grader
