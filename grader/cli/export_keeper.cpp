#include "grader/cli/export_keeper.hpp"

#include <chrono>
#include <utility>

#include "grader/scorecard/json.hpp"

namespace grader::cli {

ExportKeeper::ExportKeeper(const ExportFiles& files) : files_(files), thread_([this] { run(); }) {}

ExportKeeper::~ExportKeeper() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void ExportKeeper::take(Scorecard so_far) {
  const std::lock_guard lock(mutex_);
  if (fault_) std::rethrow_exception(fault_);
  next_ = std::move(so_far);
  changed_.notify_one();
}

void ExportKeeper::run() {
  constexpr std::chrono::seconds kPause{1};
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_stopped_ || next_; });
    if (is_stopped_) return;
    const Scorecard scorecard = *std::exchange(next_, std::nullopt);
    lock.unlock();
    std::exception_ptr fault;
    try {
      files_.write(scorecard_to_json(scorecard));
    } catch (...) {
      fault = std::current_exception();
    }
    lock.lock();
    fault_ = fault;
    if (fault_) return;
    changed_.wait_for(lock, kPause, [this] { return is_stopped_; });
  }
}

}  // namespace grader::cli
