// Grades on a Slurm cluster: array jobs through sbatch, results through a folder that all nodes
// see.
//
// Theory of operation. Each start() submits one array job. A task of it runs `grade-task` on its
// request and then leaves its exit code in a file beside it, written whole by a rename. These files
// say which tasks have ended; squeue is asked only for those that have none: a task that is neither
// waiting nor running and has left nothing after a while was lost (its node died, its time was
// over, somebody cancelled it), and scontrol or sacct may know why. Slurm is told not to start lost
// tasks again: who called start() does, so that there is one count of tries. Another try has a
// folder of its own, so that a node that comes back from nowhere cannot disturb it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/batch/executor.hpp"
#include "grader/sandbox/process.hpp"

namespace grader {

class SlurmExecutor : public Executor {
 public:
  struct Options {
    std::string program;               ///< of the grader, absolute; the nodes have it there, too
    std::filesystem::path folder;      ///< absolute, empty; the nodes see it under the same name
    std::optional<std::int64_t> jobs;  ///< tasks at a time; nothing: as Slurm pleases
    std::string partition;
    std::string account;
    std::string time;                      ///< limit of one task, as sbatch takes it
    std::vector<std::string> environment;  ///< of the tasks and of Slurm's commands
    std::chrono::milliseconds poll = std::chrono::seconds(2);
    /// How long a task that Slurm does not know any more may take to leave its exit code: file
    /// systems of a network show new files late.
    std::chrono::milliseconds grace = std::chrono::seconds(60);
    /// How long Slurm may be silent.
    std::chrono::milliseconds silence = std::chrono::minutes(15);
  };

  /// Throws EnvironmentFault when there is no Slurm.
  explicit SlurmExecutor(Options options);
  ~SlurmExecutor() override;

  [[nodiscard]] std::size_t vacancies() const override;
  void start(const std::vector<ExecutorTask>& tasks) override;
  std::vector<TaskEnd> wait(int descriptor, std::chrono::milliseconds patience) override;
  void stop() override;

 private:
  struct Running {
    std::size_t task = 0;
    std::string job;                                ///< "17_3"
    std::filesystem::path files;                    ///< what its files begin with
    std::filesystem::path log;                      ///< where the caller wants its words
    std::optional<Clock::time_point> missed_since;  ///< Slurm does not know it any more
  };

  /// What a command of Slurm said, and its exit code.
  struct Answer {
    int exit_code = 0;
    std::string text;
  };
  /// Nothing when the command does not start or does not end in time.
  [[nodiscard]] std::optional<Answer> run(const std::string& command,
                                          std::vector<std::string> arguments,
                                          const std::vector<std::string>& environment) const;
  /// What it said, when all is well.
  [[nodiscard]] std::optional<std::string> ask(const std::string& command,
                                               const std::vector<std::string>& arguments) const;
  [[nodiscard]] std::string submit(const std::filesystem::path& folder, std::size_t count) const;
  void take_ended(std::vector<TaskEnd>& ends);
  void take_lost(std::vector<TaskEnd>& ends);
  [[nodiscard]] std::string why_lost(const std::string& job) const;

  Options options_;
  std::vector<Running> running_;
  std::vector<std::string> jobs_;  ///< array jobs that were submitted
  std::size_t arrays_ = 0;
  Clock::time_point heard_ = Clock::now();  ///< when Slurm answered last
};

}  // namespace grader
