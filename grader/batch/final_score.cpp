#include "grader/batch/final_score.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "grader/base/fault.hpp"
#include "grader/base/moment.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/base/points.hpp"

namespace grader {
namespace {

constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::size_t kLongestReason = 500;

std::string number_text(double number) {
  std::array<char, 32> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), rounded_points(number)).ptr;
  return {digits.data(), end};
}

std::string days_text(std::int64_t days) {
  return std::to_string(days) + (days == 1 ? " day" : " days");
}

/// The student's own due time.
std::int64_t due_of(const Deadline& deadline, const Student* student) {
  if (student == nullptr) return deadline.due;
  return student->due.value_or(deadline.due) + student->extension_days * kDay;
}

/// "due 2026-11-30 23:59 (UTC+01:00), extended by 2 days".
std::string due_text(const Deadline& deadline, const Student* student) {
  std::string text = "due " + moment_text(due_of(deadline, student), deadline.utc_offset);
  if (student == nullptr) return text;
  if (student->due) text += ", agreed with the student";
  if (student->extension_days > 0) {
    text += ", extended by " + days_text(student->extension_days);
  }
  return text;
}

std::int64_t started_days(std::int64_t seconds, const Deadline& deadline) {
  if (seconds <= deadline.grace_minutes * kMinute) return 0;
  return (seconds + kDay - 1) / kDay;
}

/// Takes the price of lateness off `result`, whose days_late is at least one.
void charge(FinalScore& result, double computed, const Student* student, const Deadline& deadline) {
  const std::string late =
      ", " + days_text(result.days_late) + " late (" + due_text(deadline, student) + ")";
  result.explanation += late;
  if (deadline.latest_days && result.days_late > *deadline.latest_days) {
    result.score = 0;
    result.explanation += "; later than " + days_text(*deadline.latest_days) + " counts nothing.";
    return;
  }
  const std::int64_t used = student != nullptr ? student->late_days_used : 0;
  const std::int64_t free_days = std::max<std::int64_t>(0, deadline.free_late_days - used);
  result.free_days_spent = std::min(result.days_late, free_days);
  const std::int64_t charged = result.days_late - result.free_days_spent;
  if (result.free_days_spent > 0) {
    result.explanation += "; free late days spent: " + std::to_string(result.free_days_spent);
  }
  const double percent =
      std::min(100.0, static_cast<double>(charged) * deadline.penalty_percent_per_day);
  if (percent <= 0) {
    result.explanation += "; no penalty.";
    return;
  }
  result.score = rounded_points(computed * (100 - percent) / 100);
  result.explanation += "; " + days_text(charged) + " cost " + number_text(percent) +
                        " % of the score: " + number_text(computed) + " becomes " +
                        number_text(*result.score) + ".";
}

}  // namespace

FinalScore final_score(std::optional<double> computed, const Attempt& attempt, bool is_last,
                       const Student* student, const std::optional<Deadline>& deadline) {
  FinalScore result;
  if (student != nullptr && student->excused) {
    result.is_excused = true;
    result.explanation = "Excused in the roster.";
    return result;
  }
  if (!computed) {
    result.explanation = "There is no score yet.";
    return result;
  }
  result.score = computed;
  if (student != nullptr && !student->problem.empty()) {
    result.needs_decision = true;
    result.explanation = "The roster cannot be read here: " + student->problem;
    return result;
  }
  if (!deadline) {
    result.explanation = "The assignment has no deadline.";
    return result;
  }
  auto time = attempt.submitted_at;
  if (!time && is_last && student != nullptr) time = student->submitted_at;
  if (!time && attempt.marked_late) {
    result.needs_decision = true;
    result.explanation =
        "The platform marks it as late and does not say by how much: no penalty until somebody "
        "decides.";
    return result;
  }
  if (!time) {
    result.explanation = "Nothing says when it was handed in: taken as in time.";
    return result;
  }
  result.explanation = "Handed in " + moment_text(*time, deadline->utc_offset);
  result.days_late = started_days(*time - due_of(*deadline, student), *deadline);
  if (result.days_late > 0) {
    charge(result, *computed, student, *deadline);
  } else {
    result.explanation += ", in time (" + due_text(*deadline, student) + ").";
  }
  return result;
}

FinalScore decided(const FinalScore& before, const Override& decision) {
  if (!std::isfinite(decision.score) || !(decision.score >= 0)) {
    throw UsageFault("A score decided by hand is not a number from 0 on.", "Give a number.");
  }
  const std::string reason = plain_line(decision.reason, kLongestReason);
  if (reason.find_first_not_of(' ') == std::string::npos) {
    throw UsageFault("A score decided by hand has no reason.",
                     "Say why, so that it can be defended later.");
  }
  FinalScore result = before;
  result.score = decision.score;
  result.is_excused = false;
  result.needs_decision = false;
  result.is_decided_by_hand = true;
  result.explanation = "Decided by hand: " + number_text(decision.score) + " (" + reason + "). " +
                       before.explanation;
  return result;
}

}  // namespace grader
