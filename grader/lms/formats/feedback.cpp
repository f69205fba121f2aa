#include "grader/lms/formats/feedback.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/class_report/handed_on.hpp"
#include "grader/lms/student_files.hpp"
#include "grader/lms/zip_writer.hpp"
#include "grader/report/html/html.hpp"
#include "grader/scorecard/json.hpp"
#include "grader/scorecard/redaction.hpp"

namespace grader {
namespace {

constexpr const char* kReport = "report.html";
constexpr const char* kScorecard = "scorecard.json";

struct Feedback {
  std::string report;
  std::string scorecard;
};

// As `batch` writes them, told less. The page shows what the document says, where all is plain.
Feedback feedback_of(Scorecard read, const ExportOptions& options) {
  const Scorecard scorecard = redacted(std::move(read), options.most_told);
  std::string document = scorecard_to_json(scorecard);
  std::string page =
      html_report(scorecard_from_json(document, kScorecard), {"attention-grader", kScorecard, ""});
  return {std::move(page), std::move(document)};
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_ascii_letter(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
}

bool is_letter_or_digit(char character) {
  return is_ascii_letter(character) || (character >= '0' && character <= '9');
}

/// The ids by which a platform finds a student, as they stand in names; or why there are none.
struct Address {
  std::string text;
  std::string why_not;
};

using AddressOf = std::function<Address(const StudentResult&)>;
using Pack = std::function<void(ZipWriter& zip, const StudentResult& student,
                                const std::string& address, const Feedback& feedback)>;

std::string why_no_feedback(const StudentResult& student) {
  const bool is_excused = student.status == StudentStatus::excused;
  return is_excused || student.report.empty() ? reason_for_none(student) : "";
}

Exported zip_for(const ExportedClass& graded, const ExportOptions& options, const char* file,
                 const AddressOf& address_of, const Pack& pack) {
  std::map<std::string, int> holders;
  for (const StudentResult& student : graded.results.students) {
    ++holders[address_of(student).text];
  }
  Exported exported;
  ZipWriter zip;
  bool is_empty = true;
  for (const StudentResult& student : graded.results.students) {
    const Address address = address_of(student);
    std::string why_not = why_no_feedback(student);
    if (why_not.empty()) why_not = address.why_not;
    if (why_not.empty() && holders.at(address.text) > 1) {
      why_not = "is called the same on the platform as another student";
    }
    if (!why_not.empty()) {
      exported.left_out.push_back(student.id + " " + why_not);
      continue;
    }
    auto scorecard = readable_scorecard(graded, student, exported);
    if (!scorecard) continue;
    pack(zip, student, address.text, feedback_of(*std::move(scorecard), options));
    is_empty = false;
  }
  if (is_empty) {
    throw UsageFault(exported.left_out.empty()
                         ? std::string("There are no results to export.")
                         : "Nobody's report can be addressed: " + exported.left_out.front() + ".",
                     "Grade the platform's own download, whose names hold its ids, or export "
                     "folders and hand them out by hand.");
  }
  exported.files.push_back({file, zip.finish()});
  return exported;
}

Address moodle_address(const StudentResult& student) {
  const std::string participant = lms_id(student, "moodle_participant");
  if (!is_number(participant)) return {"", "has no moodle_participant"};
  return {participant, ""};
}

// A name that Moodle neither splits nor takes for a folder in a folder.
std::string moodle_name(const StudentResult& student) {
  constexpr std::size_t kLongest = 80;
  std::string name = plain_line(student.name.empty() ? student.id : student.name, kLongest);
  std::ranges::replace_if(
      name,
      [](char character) {
        return std::string_view("_/\\:*?\"<>|").find(character) != std::string_view::npos;
      },
      ' ');
  const std::size_t begin = name.find_first_not_of(" .~");
  return begin == std::string::npos ? "student" : name.substr(begin);
}

Address canvas_address(const StudentResult& student) {
  const std::string attachment = lms_id(student, "canvas_attachment");
  if (!is_number(attachment)) {
    return {
        "",
        "is not from a download of Canvas's, and Canvas takes files only beside those it gave out"};
  }
  const std::string user = lms_id(student, "canvas_user");
  if (is_number(user)) return {user + "_" + attachment, ""};
  const std::string anonymous = lms_id(student, "canvas_anonymous");
  if (!anonymous.empty() && std::ranges::all_of(anonymous, is_letter_or_digit)) {
    return {"anon_" + anonymous + "_" + attachment, ""};
  }
  return {"", "has no canvas_user"};
}

// Letters alone: digits could be taken for the user, "anon" for an anonymous submission.
std::string canvas_name(const StudentResult& student) {
  std::string name;
  std::ranges::copy_if(student.name, std::back_inserter(name), is_ascii_letter);
  return name.empty() || name == "anon" ? "student" : name;
}

}  // namespace

Exported folders_export(const ExportedClass& graded, const ExportOptions& options) {
  Exported exported;
  for (const StudentResult& student : graded.results.students) {
    if (const std::string why_not = why_no_feedback(student); !why_not.empty()) {
      exported.left_out.push_back(student.id + " " + why_not);
      continue;
    }
    auto scorecard = readable_scorecard(graded, student, exported);
    if (!scorecard) continue;
    Feedback feedback = feedback_of(*std::move(scorecard), options);
    const std::string folder = folder_of(student) + "/";
    exported.files.push_back({folder + kReport, std::move(feedback.report)});
    exported.files.push_back({folder + kScorecard, std::move(feedback.scorecard)});
  }
  return exported;
}

Exported moodle_feedback_export(const ExportedClass& graded, const ExportOptions& options) {
  return zip_for(graded, options, "moodle-feedback.zip", moodle_address,
                 [](ZipWriter& zip, const StudentResult& student, const std::string& participant,
                    const Feedback& feedback) {
                   const std::string folder =
                       moodle_name(student) + "_" + participant + "_assignfeedback_file_/";
                   zip.add(folder + kReport, feedback.report);
                   zip.add(folder + kScorecard, feedback.scorecard);
                 });
}

Exported canvas_feedback_export(const ExportedClass& graded, const ExportOptions& options) {
  Exported exported = zip_for(graded, options, "submissions.zip", canvas_address,
                              [](ZipWriter& zip, const StudentResult& student,
                                 const std::string& address, const Feedback& feedback) {
                                const bool is_anonymous = address.starts_with("anon_");
                                const std::string begin =
                                    is_anonymous ? "" : canvas_name(student) + "_";
                                zip.add(begin + address + "_" + kReport, feedback.report);
                              });
  exported.notices.emplace_back(
      "Canvas shows each report under the name of the file that the student handed in.");
  return exported;
}

}  // namespace grader
