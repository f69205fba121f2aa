#include "grader/lti/student_scores.hpp"

#include <map>

#include "grader/class_report/handed_on.hpp"

namespace grader {
namespace {

constexpr const char* kUser = "lti_user";
constexpr const char* kNoUser =
    "has an lti_user that LTI does not allow: ASCII letters, digits and signs, without blanks, 255 "
    "at most";

std::string user_of(const StudentResult& student) { return lms_id(student, kUser); }

// Why this student's result cannot be sent; empty when it can.
std::string obstacle(const StudentResult& student, const HandedOn& result,
                     const std::map<std::string, int>& users) {
  if (result.is_excused) return "is excused, which LTI cannot say";
  if (!result.score) return result.why_not;
  const std::string user = user_of(student);
  if (user.empty()) return "has no lti_user in the roster";
  if (!is_lti_user(user)) return kNoUser;
  return users.at(user) > 1 ? "has the lti_user of another student" : "";
}

}  // namespace

LtiScores lti_scores(const ClassResults& results, const std::string& timestamp) {
  std::map<std::string, int> users;
  for (const StudentResult& student : results.students) ++users[user_of(student)];
  LtiScores all;
  for (const StudentResult& student : results.students) {
    const HandedOn result = handed_on(student);
    if (const std::string why = obstacle(student, result, users); !why.empty()) {
      all.left_out.push_back(student.id + " " + why);
      continue;
    }
    LtiScore score;
    score.user_id = user_of(student);
    score.timestamp = timestamp;
    score.given = *result.score;
    score.maximum = results.max_score;
    score.comment = comment_for(student, results.max_score);
    if (student.submitted_at) {
      score.submitted_at = lti_timestamp(
          std::chrono::system_clock::time_point(std::chrono::seconds(*student.submitted_at)));
    }
    all.scores.push_back({student.id, std::move(score)});
  }
  return all;
}

}  // namespace grader
