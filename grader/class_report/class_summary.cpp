#include "grader/class_report/class_summary.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "grader/base/fault.hpp"

namespace grader {
namespace {

constexpr std::size_t kBins = 20;

bool is_number(const std::optional<double>& number) { return !number || std::isfinite(*number); }

void require_consistent(const ClassResults& results) {
  for (const StudentResult& student : results.students) {
    if (!student.checks.empty() && student.checks.size() != results.checks.size()) {
      throw InternalFault("a student's checks are not those of the class: " + student.id);
    }
    const bool has_finite_points =
        std::all_of(student.checks.begin(), student.checks.end(),
                    [](const CheckCell& cell) { return std::isfinite(cell.points); });
    if (!is_number(student.score) || !is_number(student.final_score) || !has_finite_points ||
        !std::isfinite(student.late_days)) {
      throw InternalFault("a student's score is no number: " + student.id);
    }
  }
  const std::size_t class_size = results.students.size();
  const auto is_inside = [&](std::size_t position) { return position < class_size; };
  bool are_inside =
      std::all_of(results.similarity.pairs.begin(), results.similarity.pairs.end(),
                  [&](const SimilarPair& pair) { return is_inside(pair.a) && is_inside(pair.b); });
  for (const std::vector<std::size_t>& group : results.similarity.identical) {
    are_inside = are_inside && std::all_of(group.begin(), group.end(), is_inside);
  }
  if (!are_inside) throw InternalFault("similar submissions of students who are not in the class");
}

bool handed_in(StudentStatus status) {
  return status == StudentStatus::graded || status == StudentStatus::not_built ||
         status == StudentStatus::refused;
}

void add_scores(ClassSummary& summary, const ClassResults& results) {
  std::vector<double> scores;
  for (const StudentResult& student : results.students) {
    const std::optional<double> score = counting_score(student);
    if (handed_in(student.status) && score) scores.push_back(*score);
  }
  const double most = results.max_score > 0 ? results.max_score : 1;
  const double width = most / kBins;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    summary.bins.push_back(
        {width * static_cast<double>(bin), width * static_cast<double>(bin + 1)});
  }
  for (const double score : scores) {
    const double place = std::clamp(std::floor(score / width), 0.0, kBins - 1.0);
    ++summary.bins[static_cast<std::size_t>(place)].students;
  }
  summary.scored = scores.size();
  if (scores.empty()) return;
  std::sort(scores.begin(), scores.end());
  double sum = 0;
  for (const double score : scores) sum += score;
  summary.mean = sum / static_cast<double>(scores.size());
  summary.median = (scores[(scores.size() - 1) / 2] + scores[scores.size() / 2]) / 2;
}

void add_checks(ClassSummary& summary, const ClassResults& results) {
  summary.checks.resize(results.checks.size());
  for (const StudentResult& student : results.students) {
    for (std::size_t column = 0; column < student.checks.size(); ++column) {
      CheckSummary& check = summary.checks[column];
      ++check.students;
      if (student.checks[column].status == CheckStatus::passed) ++check.passed;
      if (student.checks[column].status == CheckStatus::not_run) ++check.not_judged;
    }
  }
}

// The less, the better it shows one misconception.
auto distraction(const ClassResults& results, std::size_t position) {
  const StudentResult& student = results.students[position];
  return std::tuple(student.report.empty(), student.diagnoses.size(), position);
}

void add_misconceptions(ClassSummary& summary, const ClassResults& results) {
  std::map<std::string, MisconceptionSummary> by_id;
  for (std::size_t position = 0; position < results.students.size(); ++position) {
    for (const std::string& id : results.students[position].diagnoses) {
      std::vector<std::size_t>& students = by_id[id].students;
      if (students.empty() || students.back() != position) students.push_back(position);
    }
  }
  for (auto& [id, found] : by_id) {
    found.misconception.id = id;
    found.example = *std::min_element(
        found.students.begin(), found.students.end(), [&](std::size_t left, std::size_t right) {
          return distraction(results, left) < distraction(results, right);
        });
  }
  for (const ClassMisconception& known : results.misconceptions) {
    const auto found = by_id.find(known.id);
    if (found != by_id.end()) found->second.misconception = known;
  }
  for (auto& [id, found] : by_id) summary.misconceptions.push_back(std::move(found));
  std::stable_sort(summary.misconceptions.begin(), summary.misconceptions.end(),
                   [](const MisconceptionSummary& left, const MisconceptionSummary& right) {
                     return left.students.size() > right.students.size();
                   });
}

}  // namespace

std::optional<double> counting_score(const StudentResult& student) {
  return student.final_score ? student.final_score : student.score;
}

ClassSummary summary_of(const ClassResults& results) {
  require_consistent(results);
  ClassSummary summary;
  for (std::size_t position = 0; position < results.students.size(); ++position) {
    const StudentResult& student = results.students[position];
    ++summary.by_status[student.status];
    if (!student.needs_attention.empty()) summary.need_attention.push_back(position);
  }
  add_scores(summary, results);
  add_checks(summary, results);
  add_misconceptions(summary, results);
  return summary;
}

}  // namespace grader
