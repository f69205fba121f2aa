#include "grader/batch/slurm_executor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/batch/task_exit.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

// Slurm's own limit is 1001 unless its administrator raised it.
constexpr std::size_t kLargestArray = 1'000;
constexpr std::chrono::seconds kAnswerLimit(60);

// One task. Slurm copies the script, so it names everything by what sbatch handed on.
constexpr const char* kScript = R"(#!/bin/sh
task="$ATTENTION_GRADER_ARRAY/$SLURM_ARRAY_TASK_ID"
"$ATTENTION_GRADER_PROGRAM" grade-task "$task.request" 2> "$task.log"
echo $? > "$task.part" && mv "$task.part" "$task.end"
)";

std::string value_in(const std::vector<std::string>& environment, std::string_view name) {
  for (const std::string& variable : environment) {
    if (variable.starts_with(name) && variable.size() > name.size() &&
        variable[name.size()] == '=') {
      return variable.substr(name.size() + 1);
    }
  }
  return {};
}

// Where the PATH finds `command`, or nothing.
std::string path_of(const std::string& command, const std::vector<std::string>& environment) {
  std::istringstream folders(value_in(environment, "PATH") + ":/usr/bin:/usr/local/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder) / command;
    if (folder.starts_with('/') && access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// "NODE_FAIL" in "JobId=7 … JobState=NODE_FAIL Reason=None …".
std::string state_in(const std::string& answer) {
  constexpr std::string_view kState = "JobState=";
  const std::size_t place = answer.find(kState);
  if (place == std::string::npos) return {};
  const std::size_t begin = place + kState.size();
  return answer.substr(begin, answer.find_first_of(" \n", begin) - begin);
}

}  // namespace

SlurmExecutor::SlurmExecutor(Options options) : options_(std::move(options)) {
  for (const char* command : {"sbatch", "squeue", "scontrol", "scancel"}) {
    if (path_of(command, options_.environment).empty()) {
      throw EnvironmentFault(std::string("There is no Slurm here: ") + command + " is not found.",
                             "Run it on a login node of the cluster, or leave --executor out.");
    }
  }
}

SlurmExecutor::~SlurmExecutor() {
  try {
    stop();
  } catch (const EnvironmentFault&) {
    // Its jobs end by themselves, and what they leave in the folder is removed by the next run.
  }
}

std::size_t SlurmExecutor::vacancies() const {
  // Arrays are refilled by halves: a job of its own for each task would be hard on Slurm.
  return running_.size() > kLargestArray / 2 ? 0 : kLargestArray - running_.size();
}

std::optional<SlurmExecutor::Answer> SlurmExecutor::run(
    const std::string& command, std::vector<std::string> arguments,
    const std::vector<std::string>& environment) const {
  constexpr std::size_t kAnswerSize = std::size_t{64} << 20;
  constexpr mode_t kMode = 0600;
  const fs::path file = options_.folder / "answer";
  const Descriptor output(
      open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, kMode));
  if (!output) throw_system_error("write " + file.string());
  arguments.insert(arguments.begin(), path_of(command, options_.environment));
  SpawnOptions spawn;
  spawn.arguments = std::move(arguments);
  spawn.environment = environment;
  spawn.descriptors = {{output.get(), STDOUT_FILENO}, {output.get(), STDERR_FILENO}};
  spawn.own_session = true;  // Ctrl-C is for us to hear
  Process process = Process::spawn(spawn);
  const auto end = process.wait_until(Clock::now() + kAnswerLimit);
  if (!end || !WIFEXITED(end->status)) return std::nullopt;
  return Answer{WEXITSTATUS(end->status), read_file(file, kAnswerSize)};
}

std::optional<std::string> SlurmExecutor::ask(const std::string& command,
                                              const std::vector<std::string>& arguments) const {
  const auto answer = run(command, arguments, options_.environment);
  if (!answer || answer->exit_code != 0) return std::nullopt;
  return answer->text;
}

std::string SlurmExecutor::submit(const fs::path& folder, std::size_t count) const {
  std::vector<std::string> words = {"--parsable",
                                    "--job-name=attention-grader",
                                    "--no-requeue",
                                    "--output=/dev/null",
                                    "--error=/dev/null",
                                    "--cpus-per-task=1",
                                    "--chdir=" + folder.string()};
  std::string range = "--array=0-" + std::to_string(count - 1);
  if (options_.jobs) range += "%" + std::to_string(*options_.jobs);
  words.push_back(range);
  if (!options_.partition.empty()) words.push_back("--partition=" + options_.partition);
  if (!options_.account.empty()) words.push_back("--account=" + options_.account);
  if (!options_.time.empty()) words.push_back("--time=" + options_.time);
  words.push_back((folder / "script").string());
  std::vector<std::string> environment = options_.environment;
  environment.push_back("ATTENTION_GRADER_ARRAY=" + folder.string());
  environment.push_back("ATTENTION_GRADER_PROGRAM=" + options_.program);
  const auto answer = run("sbatch", words, environment);
  if (!answer || answer->exit_code != 0) {
    constexpr std::size_t kLimit = 300;
    throw EnvironmentFault(
        "Slurm takes no job: " +
            plain_line(answer ? first_line(answer->text) : std::string("sbatch does not answer"),
                       kLimit),
        "Check --partition, --account and --time, and that sinfo shows nodes.");
  }
  // "17" or "17;cluster", after warnings of the site, if any.
  std::istringstream lines(answer->text);
  std::string job;
  for (std::string line; std::getline(lines, line);) {
    const std::string number = line.substr(0, line.find(';'));
    const bool is_number = !number.empty() && std::ranges::all_of(number, [](char character) {
      return character >= '0' && character <= '9';
    });
    if (is_number) job = number;
  }
  if (job.empty()) {
    throw EnvironmentFault("Slurm took a job and did not say its number.",
                           "Look with squeue and cancel it by hand.");
  }
  return job;
}

void SlurmExecutor::start(const std::vector<ExecutorTask>& tasks) {
  const fs::path folder = options_.folder / ("array-" + std::to_string(arrays_++));
  fs::create_directories(folder);
  write_atomically(folder / "script", kScript);
  for (std::size_t index = 0; index < tasks.size(); ++index) {
    fs::create_symlink(tasks[index].request, folder / (std::to_string(index) + ".request"));
  }
  const std::string job = submit(folder, tasks.size());
  jobs_.push_back(job);
  heard_ = Clock::now();
  for (std::size_t index = 0; index < tasks.size(); ++index) {
    const std::string number = std::to_string(index);
    running_.push_back(
        {tasks[index].id, job + "_" + number, folder / number, tasks[index].log, std::nullopt});
  }
}

std::vector<TaskEnd> SlurmExecutor::wait(int descriptor, std::chrono::milliseconds patience) {
  pollfd watched{descriptor, POLLIN, 0};
  const Clock::time_point until = Clock::now() + std::min(patience, options_.poll);
  poll(&watched, 1, milliseconds_until(until));
  std::vector<TaskEnd> ends;
  take_ended(ends);
  if (!running_.empty() && ends.empty()) take_lost(ends);
  return ends;
}

void SlurmExecutor::take_ended(std::vector<TaskEnd>& ends) {
  constexpr std::size_t kLimit = 16;
  std::erase_if(running_, [&](const Running& one) {
    const fs::path end = one.files.string() + ".end";
    std::error_code error;
    if (!fs::exists(end, error)) return false;
    const std::string text = read_file(end, kLimit);
    int code = -1;
    std::from_chars(text.data(), text.data() + text.size(), code);
    fs::copy_file(one.files.string() + ".log", one.log, fs::copy_options::overwrite_existing,
                  error);
    ends.push_back(end_of_exit(one.task, code));
    return true;
  });
}

void SlurmExecutor::take_lost(std::vector<TaskEnd>& ends) {
  const auto answer =
      ask("squeue", {"--noheader", "--array", "--format=%F_%K", "--me", "--name=attention-grader"});
  const Clock::time_point now = Clock::now();
  if (!answer) {
    // A controller that is started again is silent for a while.
    if (now - heard_ <= options_.silence) return;
    throw EnvironmentFault("Slurm does not answer any more.",
                           "Wait until squeue does, and run the same command again.");
  }
  heard_ = now;
  std::set<std::string> known;
  std::istringstream lines(*answer);
  for (std::string line; std::getline(lines, line);) known.insert(line);
  std::erase_if(running_, [&](Running& one) {
    if (known.contains(one.job)) {
      one.missed_since.reset();
      return false;
    }
    if (!one.missed_since) one.missed_since = now;
    if (now - *one.missed_since < options_.grace) return false;
    ends.push_back({one.task, TaskEnd::How::lost, why_lost(one.job)});
    return true;
  });
}

std::string SlurmExecutor::why_lost(const std::string& job) const {
  std::string state;
  if (const auto answer = ask("scontrol", {"show", "job", job})) state = state_in(*answer);
  // Slurm forgets jobs after some minutes; sites with accounting do not.
  if (state.empty() && !path_of("sacct", options_.environment).empty()) {
    const auto answer = ask(
        "sacct", {"--noheader", "--parsable2", "--allocations", "--jobs=" + job, "--format=State"});
    if (answer) state = first_line(*answer);
  }
  constexpr std::size_t kLimit = 60;
  if (state.empty()) return "Slurm lost its task (job " + job + ").";
  return "Slurm ended its task (job " + job + "): " + plain_line(state, kLimit) + ".";
}

void SlurmExecutor::stop() {
  if (running_.empty()) return;
  running_.clear();
  std::vector<std::string> arguments = jobs_;
  static_cast<void>(ask("scancel", arguments));
  // Until the nodes have ended them, they write to the folder.
  const Clock::time_point deadline = Clock::now() + std::chrono::seconds(30);
  const std::set<std::string> ours(jobs_.begin(), jobs_.end());
  while (Clock::now() < deadline) {
    const auto answer =
        ask("squeue", {"--noheader", "--array", "--format=%F", "--me", "--name=attention-grader"});
    if (!answer) break;
    std::istringstream lines(*answer);
    bool is_running = false;
    for (std::string line; std::getline(lines, line);) is_running |= ours.contains(line);
    if (!is_running) break;
    poll(nullptr, 0, static_cast<int>(options_.poll.count()));
  }
}

}  // namespace grader
