// Grades on this machine: one process a submission, each kept on a processor of its own.
#pragma once

#include <string>
#include <vector>

#include "grader/batch/executor.hpp"
#include "grader/sandbox/process.hpp"

namespace grader {

class LocalExecutor : public Executor {
 public:
  struct Options {
    std::string program;                   ///< of the grader, absolute
    std::size_t jobs = 1;                  ///< processes at a time
    std::vector<std::string> environment;  ///< of these processes, "NAME=value"
    /// A process that takes longer than this is ended.
    std::chrono::milliseconds limit = std::chrono::minutes(30);
  };

  explicit LocalExecutor(Options options);

  [[nodiscard]] std::size_t vacancies() const override;
  void start(const std::vector<ExecutorTask>& tasks) override;
  std::vector<TaskEnd> wait(int descriptor, std::chrono::milliseconds patience) override;
  void stop() override;

 private:
  /// A place for one process at a time.
  struct Worker {
    int core = -1;
    std::size_t task = 0;
    Process process;
    Clock::time_point deadline;
  };

  Options options_;
  std::vector<Worker> workers_;
};

/// The processors that this process may use.
std::vector<int> usable_cores();

}  // namespace grader
