#include "grader/batch/progress_text.hpp"

#include <cmath>
#include <cstdint>

#include "grader/report/number_text.hpp"

namespace grader {

std::string duration_text(std::chrono::duration<double> duration) {
  constexpr std::int64_t kMinute = 60;
  constexpr std::int64_t kHour = 60 * kMinute;
  const auto seconds = static_cast<std::int64_t>(std::ceil(duration.count()));
  if (seconds < 2 * kMinute) return std::to_string(seconds) + " s";
  const std::int64_t minutes = (seconds + kMinute - 1) / kMinute;
  if (seconds < 2 * kHour) return std::to_string(minutes) + " min";
  return std::to_string(minutes / kMinute) + " h " + std::to_string(minutes % kMinute) + " min";
}

std::string progress_line(const BatchProgress& progress, std::chrono::duration<double> elapsed) {
  std::string line = std::to_string(progress.done) + " of " + std::to_string(progress.total);
  const auto done = static_cast<double>(progress.done);
  if (progress.done > 0 && elapsed.count() > 0) {
    constexpr int kDigitsOfRate = 2;
    constexpr double kMinute = 60;
    const double rate = done / elapsed.count();
    line += rate >= 1 ? " · " + number_text(rate, kDigitsOfRate) + " a second"
                      : " · " + number_text(rate * kMinute, kDigitsOfRate) + " a minute";
    const auto left = static_cast<double>(progress.total - progress.done) / rate;
    line += " · " + duration_text(std::chrono::duration<double>(left)) + " left";
  }
  if (progress.needing_attention > 0) {
    line += " · " + std::to_string(progress.needing_attention) +
            (progress.needing_attention == 1 ? " needs attention" : " need attention");
  }
  return line;
}

std::string result_line(const Attempt& attempt, const RunRecord& run) {
  std::string line = attempt.student;
  if (attempt.number > 1) line += " (attempt " + std::to_string(attempt.number) + ")";
  if (!run.grade) return line + " needs attention: " + run.needs_attention;
  line += ": " + number_text(run.grade->score) + " of " + number_text(run.grade->max_score);
  if (run.grade->status == ScorecardStatus::not_built) line += ", does not compile";
  if (run.grade->status == ScorecardStatus::refused) line += ", refused";
  return line;
}

}  // namespace grader
