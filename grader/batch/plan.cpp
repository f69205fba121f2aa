#include "grader/batch/plan.hpp"

#include <map>

#include "grader/base/digest.hpp"
#include "grader/base/fault.hpp"

namespace grader {

std::string content_or_reason(const Attempt& attempt, const ContentOf& content_of) {
  try {
    return content_of(attempt);
  } catch (const UsageFault& fault) {
    return Digest().add("unreadable").add(attempt.student).add(fault.what()).hex();
  }
}

Plan make_plan(const std::vector<Attempt>& attempts, const Gradebook& gradebook,
               const PlanOptions& options, const ContentOf& content_of) {
  Plan plan;
  std::map<std::string, std::size_t> group_of;
  for (const Attempt& attempt : attempts) {
    const std::string content = content_or_reason(attempt, content_of);
    const bool is_finished =
        gradebook.has_grade(attempt.student, attempt.number, content, options.configuration);
    if (is_finished && !options.grades_again) {
      ++plan.finished;
      continue;
    }
    ++plan.pending;
    const auto [place, is_new] = group_of.emplace(content, plan.groups.size());
    if (is_new) {
      plan.groups.emplace_back();
      if (!options.grades_again) {
        plan.groups.back().graded = gradebook.folder_of_grade(content, options.configuration);
      }
    }
    plan.groups[place->second].attempts.push_back({attempt, content, options.configuration});
  }
  return plan;
}

}  // namespace grader
