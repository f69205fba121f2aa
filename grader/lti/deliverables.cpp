#include "grader/lti/deliverables.hpp"

#include <algorithm>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/base/suggestion.hpp"
#include "grader/batch/identity.hpp"
#include "grader/class_report/handed_on.hpp"

namespace grader {
namespace {

constexpr const char* kUser = "lti_user";

void require_known(const ClassResults& results, const std::vector<std::string>& only) {
  for (const std::string& id : only) {
    if (std::ranges::find(results.students, id, &StudentResult::id) != results.students.end()) {
      continue;
    }
    std::vector<std::string> known;
    for (const StudentResult& student : results.students) known.push_back(student.id);
    throw UsageFault("There is no student " + id + " in these results.",
                     suggestion(id, known) + "Use the id that the report shows.");
  }
}

// The id that this platform takes, in the place where the score is given its user from.
void name_user(const Platform& platform, StudentResult& student) {
  std::string user;
  for (const std::string& kind : platform.user_ids) {
    const auto found = student.lms_ids.find(kind);
    if (found == student.lms_ids.end()) continue;
    if (kind != kUser && is_in_part(found->second)) continue;  // the platform does not know it
    user = found->second;
    break;
  }
  student.lms_ids.erase(kUser);
  if (!user.empty()) student.lms_ids[kUser] = user;
}

// Nobody expects a score of the student.
bool is_without_result(const StudentResult& student) {
  const HandedOn result = handed_on(student);
  return result.is_excused || (!result.score && student.status == StudentStatus::missing);
}

}  // namespace

Deliverables deliverables(const ClassResults& results, const Platform& platform,
                          const std::vector<std::string>& only) {
  require_known(results, only);
  Deliverables all;
  ClassResults whole_class = results;
  for (StudentResult& student : whole_class.students) name_user(platform, student);
  // Ids that two students share are found in the whole class, whoever is asked for.
  LtiScores scores = lti_scores(whole_class, {});
  const auto is_asked_for = [&](const std::string& id) {
    return only.empty() || std::ranges::find(only, id) != only.end();
  };
  // Every student is in one of both lists, in the order of the class.
  auto score = scores.scores.begin();
  auto left_out = scores.left_out.begin();
  for (const StudentResult& student : results.students) {
    const bool has_score = score != scores.scores.end() && score->student == student.id;
    if (!is_asked_for(student.id)) {
      has_score ? static_cast<void>(++score) : static_cast<void>(++left_out);
    } else if (has_score) {
      all.scores.push_back(std::move(*score++));
    } else if (is_without_result(student)) {
      all.nothing_to_deliver.push_back(std::move(*left_out++));
    } else {
      all.left_out.push_back(std::move(*left_out++));
    }
  }
  return all;
}

}  // namespace grader
