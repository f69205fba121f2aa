#include "testcases/submissions/bundled.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace bundled {
namespace {

namespace fs = std::filesystem;

/// The folders of README.md's table. Others beside them have tests of their own.
constexpr std::array<std::string_view, 10> kVerdicts = {
    "accepted", "compile_error", "crashed",    "exits",        "not_a_number",
    "refused",  "throws",        "time_limit", "wrong_answer", "wrong_shapes"};

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Submission read_submission(const fs::path& folder) {
  const fs::path file = folder / "expect.json";
  nlohmann::json expected = nlohmann::json::parse(read_file(file), nullptr, false);
  if (!expected.is_object()) {
    throw std::runtime_error(file.string() + " is missing or not a JSON object");
  }
  const std::set<std::string> known = {"about",   "status", "lost",  "misconception", "diagnostics",
                                       "notices", "fault",  "place", "path"};
  for (const auto& [field, value] : expected.items()) {
    if (known.contains(field)) continue;
    throw std::runtime_error(file.string() + ": unknown field \"" + field + "\"");
  }
  for (const char* required : {"about", "status", "lost"}) {
    if (expected.contains(required)) continue;
    throw std::runtime_error(file.string() + ": no field \"" + required + "\"");
  }
  fs::path path = folder;
  if (expected.contains("path")) path = folder / expected["path"].get<std::string>();
  return {folder.parent_path().filename().string(), folder.filename().string(),
          path.lexically_normal(), std::move(expected)};
}

/// A folder of its own for one run, removed at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (fs::temp_directory_path() / "bundled-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch folder");
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;  // a leftover in the temporary folder harms nobody
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Runs `arguments` with stdout and stderr in `log`; the exit code, or 128 + the signal.
int run(std::vector<std::string> arguments, const fs::path& log) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t child = 0;
  const int error =
      posix_spawn(&child, pointers.front(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("cannot start " + arguments.front());
  int status = 0;
  if (waitpid(child, &status, 0) != child) throw std::runtime_error("lost the grader's process");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::vector<Submission> submissions() {
  std::vector<Submission> found;
  for (const std::string_view verdict : kVerdicts) {
    for (const auto& folder : fs::directory_iterator(fs::path(BUNDLED_SUBMISSIONS) / verdict)) {
      found.push_back(read_submission(folder.path()));
    }
  }
  std::ranges::sort(found, {},
                    [](const Submission& each) { return std::pair(each.verdict, each.name); });
  return found;
}

Graded grade(const Submission& submission, const std::vector<std::string>& arguments) {
  const ScratchFolder scratch;
  return grade_into(scratch.path() / "results", submission.path, arguments);
}

Graded grade_into(const fs::path& results, const fs::path& submission,
                  const std::vector<std::string>& arguments) {
  const fs::path log = results.string() + ".log";
  std::vector<std::string> command = {program().string(), "grade", submission.string(), "--out",
                                      results.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  Graded graded;
  graded.exit_code = run(std::move(command), log);
  graded.printed = read_file(log);
  if (fs::exists(results / "scorecard.json")) {
    graded.scorecard = nlohmann::json::parse(read_file(results / "scorecard.json"));
  }
  return graded;
}

fs::path program() { return ATTENTION_GRADER; }

fs::path root() { return BUNDLED_SUBMISSIONS; }

std::set<std::string> lost_checks(const nlohmann::json& scorecard) {
  std::set<std::string> lost;
  for (const auto& check : scorecard.at("checks")) {
    if (check.at("status") != "passed") lost.insert(check.at("id").get<std::string>());
  }
  return lost;
}

}  // namespace bundled
