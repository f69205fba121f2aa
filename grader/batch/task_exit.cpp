#include "grader/batch/task_exit.hpp"

#include <string>

namespace grader {

TaskEnd end_of_exit(std::size_t task, int exit_code) {
  switch (exit_code) {
    case 0: return {task, TaskEnd::How::finished, ""};
    case 1: return {task, TaskEnd::How::unusable, ""};
    case 2: return {task, TaskEnd::How::environment, ""};
    case 3: return {task, TaskEnd::How::internal, ""};
    default:
      return {task, TaskEnd::How::lost,
              "The grader's process ended with the exit code " + std::to_string(exit_code) + "."};
  }
}

}  // namespace grader
