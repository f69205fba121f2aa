#include "grader/lms/formats/lti.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "grader/lti/student_scores.hpp"

namespace grader {

Exported lti_export(const ExportedClass& graded, const ExportOptions& options) {
  LtiScores all = lti_scores(graded.results, lti_timestamp(options.now));
  nlohmann::ordered_json scores = nlohmann::ordered_json::array();
  for (const StudentScore& one : all.scores) scores.push_back(lti_score_json(one.score));
  constexpr int kIndent = 2;
  return {{{"scores.json", scores.dump(kIndent) + "\n"}}, {}, std::move(all.left_out)};
}

}  // namespace grader
