// What the tests of the program share: running it in a folder of their own.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "grader/base/files.hpp"

namespace grader {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::size_t kFileLimit = std::size_t{1} << 26;

struct Ending {
  int exit_code = -1;
  std::string out;
  std::string err;
};

class CliTest : public testing::Test {
 protected:
  void SetUp() override {
    // One cache for all tests: what is prepared for compiling is made once.
    setenv("XDG_CACHE_HOME", TEST_CACHE, 1);
    unsetenv("NO_COLOR");
  }

  /// Runs the program in the test's own folder. `prepare` runs in the child first.
  Ending run(const Words& words, const std::function<void()>& prepare = {},
             const std::string& program = PROGRAM) const {
    const fs::path out = folder_.path() / "stdout.txt";
    const fs::path err = folder_.path() / "stderr.txt";
    Words all = words;
    all.insert(all.begin(), program);
    std::vector<char*> arguments;
    for (std::string& word : all) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      constexpr mode_t kMode = 0644;
      const bool is_ready =
          chdir(folder_.path().c_str()) == 0 &&
          dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, kMode), STDOUT_FILENO) >= 0 &&
          dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, kMode), STDERR_FILENO) >= 0;
      if (is_ready && prepare) prepare();
      if (is_ready) execv(program.c_str(), arguments.data());
      _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    return {WEXITSTATUS(status), read_file(out, kFileLimit), read_file(err, kFileLimit)};
  }

  // Many a test grades for what it leaves behind. NOLINTNEXTLINE(modernize-use-nodiscard)
  Ending grade(Words words) const {
    words.insert(words.begin(), {"grade", "--assignment", TOY});
    return run(words);
  }

  /// One sentence and one hint, on stderr; nothing on stdout.
  static void expect_sentence(const Ending& result, int exit_code, const std::string& part) {
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
    EXPECT_TRUE(result.err.starts_with("attention-grader: ")) << result.err;
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 2) << result.err;
  }

  void expect_nothing_written() const {
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      const std::string name = entry.path().filename().string();
      EXPECT_FALSE(name.ends_with(".grade") || name == "out") << name;
    }
  }

  // Many a test writes what it names itself. NOLINTNEXTLINE(modernize-use-nodiscard)
  fs::path write(const std::string& name, const std::string& content) const {
    fs::path file = folder_.path() / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }

  [[nodiscard]] nlohmann::json scorecard(const std::string& folder) const {
    return nlohmann::json::parse(read_file(folder_.path() / folder / "scorecard.json", kFileLimit));
  }

  const TemporaryDirectory folder_;
  const std::string right_ = TOY_SUBMISSIONS "/accepted/loop/mean.cpp";
  const std::string wrong_ = TOY_SUBMISSIONS "/wrong_answer/forgets_last/mean.cpp";
};

}  // namespace grader
