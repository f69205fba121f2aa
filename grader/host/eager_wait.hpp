// Waiting for the submission's answer without going to sleep at once.
#pragma once

#include <algorithm>
#include <chrono>

namespace grader::host {

/// Looks out for something for some microseconds. Most calls take less time than a process takes to
/// wake up; but where the submission has to wait for this very processor, looking out only delays
/// it. So what was in vain is tried ever more rarely.
class EagerWait {
 public:
  /// Whether `has_come()` became true while it was tried.
  template <class HasCome>
  bool for_some_time(HasCome has_come) {
    if (calls_left_out_ < pause_) {
      ++calls_left_out_;
      return false;
    }
    calls_left_out_ = 0;
    const auto end = std::chrono::steady_clock::now() + kLongest;
    do {
      if (has_come()) {
        pause_ /= 2;
        return true;
      }
    } while (std::chrono::steady_clock::now() < end);
    pause_ = std::min(2 * pause_ + 1, kLongestPause);
    return false;
  }

 private:
  static constexpr std::chrono::microseconds kLongest{30};
  static constexpr int kLongestPause = 63;

  int pause_ = 0;  ///< so many calls are left out after each that is tried
  int calls_left_out_ = 0;
};

}  // namespace grader::host
