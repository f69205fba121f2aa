// Where the submissions of a batch are graded: on this machine, or on a cluster.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace grader {

/// One submission to grade, by a process of its own.
struct ExecutorTask {
  std::size_t id = 0;             ///< whatever the caller calls it
  std::filesystem::path request;  ///< file with a TaskRequest
  std::filesystem::path log;      ///< what the process says goes there
};

/// How the process of a task ended.
struct TaskEnd {
  enum class How : std::uint8_t {
    finished,     ///< the results are there, whatever they are
    environment,  ///< the machine could not
    internal,     ///< a bug of the grader
    unusable,     ///< what was handed in cannot be read, or the request made no sense
    lost,         ///< killed, crashed, vanished or much too slow: `reason` says which
  };
  std::size_t id = 0;
  How how = How::lost;
  std::string reason;  ///< for `lost`, one sentence
};

class Executor {
 public:
  virtual ~Executor() = default;
  /// How many more tasks may be started now.
  [[nodiscard]] virtual std::size_t vacancies() const = 0;
  /// Starts no more tasks than there are vacancies. Throws EnvironmentFault.
  virtual void start(const std::vector<ExecutorTask>& tasks) = 0;
  /// Waits until a task has ended, `descriptor` is readable (-1: none) or `patience` is over;
  /// returns the tasks that have ended since the last call, each once.
  virtual std::vector<TaskEnd> wait(int descriptor, std::chrono::milliseconds patience) = 0;
  /// Ends all tasks that are running; none of them is heard of again.
  virtual void stop() = 0;
};

}  // namespace grader
