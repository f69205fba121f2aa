// What the tests of `batch` share: a class of toy submissions, and looking at what comes of it.
#pragma once

#include <sys/prctl.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "grader/cli/cli_fixture.hpp"

namespace grader {

using std::chrono::milliseconds;

class BatchCliTest : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  }

  void hand_in(const std::string& student, const std::string& text) const {
    write("class/" + student + ".cpp", text);
  }

  /// A class of all kinds, two of them with the same files.
  void hand_in_all_kinds() const {
    hand_in("ada", right());
    hand_in("bob", wrong());
    hand_in("cy", "this is no C++\n");
    hand_in("dan", "");
    hand_in("eve", wrong());
    hand_in("fay", right() + "// another one\n");
  }

  [[nodiscard]] std::string right() const { return read_file(right_, kFileLimit); }
  [[nodiscard]] std::string wrong() const { return read_file(wrong_, kFileLimit); }

  static Words batch_words(Words more, const std::string& out = "results") {
    Words words = {"batch", "--assignment", TOY, "class", "--out", out};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  // Many a test grades for what it leaves behind. NOLINTNEXTLINE(modernize-use-nodiscard)
  Ending batch(const Words& more = {}, const std::string& out = "results") const {
    return run(batch_words(more, out));
  }

  /// Starts the program in the test's own folder. `prepare` runs in the child last.
  [[nodiscard]] pid_t start(const Words& words, const std::function<void()>& prepare = {}) const {
    const pid_t child = fork();
    if (child == 0) {
      Words all = words;
      all.insert(all.begin(), PROGRAM);
      std::vector<char*> arguments;
      for (std::string& word : all) arguments.push_back(word.data());
      arguments.push_back(nullptr);
      constexpr mode_t kMode = 0644;
      const int log =
          open((folder_.path() / "started.log").c_str(), O_WRONLY | O_CREAT | O_TRUNC, kMode);
      dup2(log, STDOUT_FILENO);
      dup2(log, STDERR_FILENO);
      if (chdir(folder_.path().c_str()) != 0) _exit(127);
      if (prepare) prepare();
      execv(PROGRAM, arguments.data());
      _exit(127);
    }
    return child;
  }

  static std::string remaining_processes() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < deadline) {
      const pid_t ended = waitpid(-1, nullptr, WNOHANG);
      if (ended < 0) return {};
      if (ended == 0) std::this_thread::sleep_for(milliseconds(5));
    }
    // Those that this process would have to wait for, by name: what is left over is told by it.
    std::string left;
    std::ifstream children("/proc/self/task/" + std::to_string(getpid()) + "/children");
    for (pid_t child = 0; children >> child;) {
      const std::string process = "/proc/" + std::to_string(child);
      std::string words;
      std::getline(std::ifstream(process + "/cmdline"), words);
      std::replace(words.begin(), words.end(), '\0', ' ');
      std::string wait;
      std::getline(std::ifstream(process + "/wchan"), wait);
      left += std::to_string(child) + " " + words + "in " + wait + "\n";
    }
    return "left: " + left;
  }

  /// Every file of the results but the gradebook, without the timing.
  [[nodiscard]] std::map<std::string, std::string> everything(const std::string& out) const {
    std::map<std::string, std::string> files;
    const fs::path root = folder_.path() / out;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      const std::string name = fs::relative(entry.path(), root).string();
      if (!entry.is_regular_file() || name.starts_with("gradebook") || name == "class.html")
        continue;
      std::string text = read_file(entry.path(), kFileLimit);
      if (entry.path().filename() == "scorecard.json") {
        auto json = nlohmann::json::parse(text);
        json.erase("timing");
        text = json.dump();
      }
      if (entry.path().filename() == "report.html") text = "shows how long it took";
      files[name] = text;
    }
    return files;
  }

  [[nodiscard]] std::size_t runs_in(const std::string& out) const {
    std::size_t runs = 0;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(folder_.path() / out / "students", error), end;
         !error && entry != end; entry.increment(error)) {
      if (entry->path().filename() == "attempt.json") ++runs;
    }
    return runs;
  }

  [[nodiscard]] double score_of(const std::string& student,
                                const std::string& run = "run-1") const {
    return scorecard("results/students/" + student + "/attempt-1/" + run)["score"];
  }
};

}  // namespace grader
