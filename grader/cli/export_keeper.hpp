// Writes exports while a grading runs, on a thread of its own: grading waits for no disk.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "grader/cli/export_files.hpp"
#include "grader/scorecard/scorecard.hpp"

namespace grader::cli {

class ExportKeeper {
 public:
  /// `files` outlives it.
  explicit ExportKeeper(const ExportFiles& files);
  /// Waits for a writing that has begun; none begins any more.
  ~ExportKeeper();
  ExportKeeper(const ExportKeeper&) = delete;
  ExportKeeper& operator=(const ExportKeeper&) = delete;

  /// Has `so_far` written within about a second, unless a newer one comes before. Throws what an
  /// earlier writing threw.
  void take(Scorecard so_far);

 private:
  void run();

  const ExportFiles& files_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Scorecard> next_;
  std::exception_ptr fault_;
  bool is_stopped_ = false;
  std::thread thread_;
};

}  // namespace grader::cli
