#include "grader/class_report/handed_on.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/base/points.hpp"
#include "grader/class_report/student_status.hpp"

namespace grader {
namespace {

constexpr std::size_t kCommentLimit = 1000;

std::string why_no_score(const StudentResult& student) {
  if (!student.needs_attention.empty()) return "needs attention: " + student.needs_attention;
  return student.status == StudentStatus::missing ? "has handed nothing in" : "has no score";
}

}  // namespace

HandedOn handed_on(const StudentResult& student) {
  HandedOn result;
  // A person has decided: that settles whatever had to be looked at.
  const bool is_settled = student.is_overridden || student.needs_attention.empty();
  if (student.status == StudentStatus::excused && !student.is_overridden) {
    result.is_excused = true;
  } else if (student.final_score && is_settled) {
    result.score = rounded_points(*student.final_score);
  } else {
    result.why_not = why_no_score(student);
  }
  return result;
}

std::string lms_id(const StudentResult& student, const std::string& system) {
  const auto found = student.lms_ids.find(system);
  return found == student.lms_ids.end() ? std::string() : found->second;
}

std::string points_text(double points) {
  if (!std::isfinite(points)) throw InternalFault("Points to hand on are not finite.");
  constexpr int kDecimals = 2;
  points = rounded_points(points);
  std::array<char, 400> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), points,
                                 std::chars_format::fixed, kDecimals)
                       .ptr;
  std::string_view text(digits.data(), static_cast<std::size_t>(end - digits.data()));
  text = text.substr(0, text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.remove_suffix(1);
  return text == "-0" ? "0" : std::string(text);
}

std::string comment_for(const StudentResult& student, double max_score) {
  std::string comment =
      points_text(student.final_score.value_or(0)) + " of " + points_text(max_score) + " points";
  if (student.is_overridden) return comment + ", decided by hand.";
  const bool has_verdict = student.status == StudentStatus::graded;
  comment += has_verdict ? "." : ": " + std::string(words_for(student.status)) + ".";
  for (const std::string& adjustment : student.adjustments) comment += " " + adjustment;
  return plain_line(comment, kCommentLimit);
}

}  // namespace grader
