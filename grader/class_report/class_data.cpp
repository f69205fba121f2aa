#include "grader/class_report/class_data.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/class_report/student_status.hpp"

namespace grader {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kNameLimit = 200;
constexpr std::size_t kSentenceLimit = 1000;

std::string shown(const std::string& text, std::size_t limit = kNameLimit) {
  return plain_line(text, limit);
}

char letter_of(CheckStatus status) {
  switch (status) {
    case CheckStatus::passed: return 'p';
    case CheckStatus::failed: return 'f';
    case CheckStatus::crashed: return 'c';
    case CheckStatus::timed_out: return 't';
    case CheckStatus::not_run: return 'n';
  }
  throw InternalFault("no such status of a check");
}

// Points are told where they are not all or nothing.
void add_cells(Json& json, const StudentResult& student, const ClassResults& results) {
  std::string letters;
  Json points = Json::array();
  bool is_all_or_nothing = true;
  for (std::size_t column = 0; column < student.checks.size(); ++column) {
    const CheckCell& cell = student.checks[column];
    letters += letter_of(cell.status);
    points.push_back(cell.points);
    const double expected =
        cell.status == CheckStatus::passed ? results.checks[column].max_points : 0;
    is_all_or_nothing = is_all_or_nothing && cell.points == expected;
  }
  if (!letters.empty()) json["cells"] = letters;
  if (!is_all_or_nothing) json["points"] = points;
}

// Where a student has several: {number, status} and what there is of submitted, late, score, final,
// report.
Json attempt_json(const AttemptResult& attempt) {
  Json json = {{"number", attempt.number}, {"status", name_of(attempt.status)}};
  if (attempt.submitted_at) json["submitted"] = *attempt.submitted_at;
  if (attempt.late_days != 0) json["late"] = attempt.late_days;
  if (attempt.score) json["score"] = *attempt.score;
  if (attempt.final_score) json["final"] = *attempt.final_score;
  if (!attempt.report.empty()) json["report"] = report_link(attempt.report);
  return json;
}

Json student_json(const StudentResult& student, const ClassResults& results) {
  Json json = {{"id", shown(student.id)}};
  if (!student.name.empty()) json["name"] = shown(student.name);
  if (!student.section.empty()) json["section"] = shown(student.section);
  json["status"] = name_of(student.status);
  if (student.attempt != 0) json["attempt"] = student.attempt;
  if (student.attempts != 0) json["attempts"] = student.attempts;
  for (const AttemptResult& attempt : student.graded_attempts) {
    json["graded"].push_back(attempt_json(attempt));
  }
  if (student.submitted_at) json["submitted"] = *student.submitted_at;
  if (student.late_days != 0) json["late"] = student.late_days;
  if (student.score) json["score"] = *student.score;
  if (student.final_score) json["final"] = *student.final_score;
  if (student.is_overridden) json["overridden"] = true;
  for (const std::string& sentence : student.adjustments) {
    json["adjustments"].push_back(shown(sentence, kSentenceLimit));
  }
  add_cells(json, student, results);
  for (const std::string& id : student.diagnoses) json["diagnoses"].push_back(shown(id));
  if (!student.needs_attention.empty()) {
    json["attention"] = shown(student.needs_attention, kSentenceLimit);
  }
  if (!student.digest.empty()) json["digest"] = shown(student.digest);
  if (!student.report.empty()) json["report"] = report_link(student.report);
  return json;
}

}  // namespace

std::string class_data(const ClassResults& results) {
  Json json = {{"max_score", results.max_score},
               {"statuses", Json::object()},
               {"checks", Json::array()},
               {"misconceptions", Json::object()},
               {"students", Json::array()}};
  for (const StudentStatus status :
       {StudentStatus::graded, StudentStatus::not_built, StudentStatus::refused,
        StudentStatus::needs_attention, StudentStatus::missing, StudentStatus::excused}) {
    json["statuses"][std::string(name_of(status))] = words_for(status);
  }
  for (const CheckColumn& check : results.checks) {
    json["checks"].push_back(
        {{"id", shown(check.id)}, {"title", shown(check.title)}, {"max_points", check.max_points}});
  }
  for (const ClassMisconception& each : results.misconceptions) {
    json["misconceptions"][shown(each.id)] = shown(each.title);
  }
  for (const StudentResult& student : results.students) {
    json["students"].push_back(student_json(student, results));
  }
  std::string text;
  constexpr bool kOnlyAscii = true;
  for (const char letter : json.dump(-1, ' ', kOnlyAscii)) {
    switch (letter) {
      case '<': text += "\\u003c"; break;
      case '>': text += "\\u003e"; break;
      case '&': text += "\\u0026"; break;
      default: text += letter;
    }
  }
  return text;
}

std::string report_link(const std::string& path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  if (path.starts_with('/')) throw InternalFault("a report's path is not relative: " + path);
  std::string link;
  for (const char letter : path) {
    if (kPlain.find(letter) != std::string_view::npos) {
      link += letter;
      continue;
    }
    const auto byte = static_cast<unsigned char>(letter);
    link += '%';
    link += kDigits[byte >> 4U];
    link += kDigits[byte & 15U];
  }
  return link;
}

}  // namespace grader
