#include "grader/lms/formats/moodle_gradebook.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "grader/base/fault.hpp"
#include "grader/batch/identity.hpp"
#include "grader/class_report/handed_on.hpp"
#include "grader/csv/csv.hpp"
#include "grader/intake/names.hpp"

namespace grader {
namespace {

/// What Moodle knows students by.
struct Key {
  const char* header;  ///< as Moodle calls it
  const char* system;  ///< of StudentResult::lms_ids; empty: the email address
};

constexpr std::array<Key, 3> kKeys = {
    {{"ID number", "moodle_idnumber"}, {"Username", "moodle_username"}, {"Email address", ""}}};
constexpr double kMostWithoutSetting = 100;

std::string value_of(const Key& key, const StudentResult& student) {
  return *key.system == '\0' ? student.email : lms_id(student, key.system);
}

// The one that most students with a score have; of several, the first.
const Key& best_key(const std::vector<StudentResult>& students) {
  const auto count = [&](const Key& key) {
    return std::ranges::count_if(students, [&](const StudentResult& student) {
      return handed_on(student).score && !value_of(key, student).empty();
    });
  };
  return *std::ranges::max_element(kKeys, {}, count);
}

class GradebookTable {
 public:
  explicit GradebookTable(const ClassResults& results)
      : results_(results), key_(best_key(results.students)) {
    for (const StudentResult& student : results.students) {
      if (const std::string value = value_of(key_, student); !value.empty()) {
        ++holders_[folded(value)];
      }
    }
  }

  Exported table(const std::string& score_header) {
    writer_.text(key_.header).text(score_header).text("Feedback comments").end_row();
    for (const StudentResult& student : results_.students) {
      const HandedOn result = handed_on(student);
      const std::string why_not = obstacle(student, result);
      if (!why_not.empty()) {
        exported_.left_out.push_back(student.id + " " + why_not);
        continue;
      }
      ++rows_;
      writer_.verbatim(value_of(key_, student))
          .verbatim(points_text(*result.score))
          .text(comment_for(student, results_.max_score))
          .end_row();
    }
    if (rows_ == 0) reject();
    exported_.files.push_back({"moodle-gradebook.csv", writer_.bytes()});
    exported_.notices.push_back("In Moodle map \"" + std::string(key_.header) + "\" to \"" +
                                key_.header +
                                "\". One student whom Moodle does not know by it "
                                "stops the whole import.");
    return std::move(exported_);
  }

 private:
  [[nodiscard]] std::string obstacle(const StudentResult& student, const HandedOn& result) const {
    if (result.is_excused) return "is excused, which Moodle's import cannot say";
    if (!result.score) return result.why_not;
    const std::string value = value_of(key_, student);
    if (value.empty()) return "has no " + std::string(key_.header) + " of Moodle in the roster";
    if (is_in_part(value)) {
      return "has a too long " + std::string(key_.header) +
             ", or characters in it that cannot be seen";
    }
    if (holders_.at(folded(value)) > 1) {
      return "has the " + std::string(key_.header) + " of another student";
    }
    const double most = std::min(results_.max_score, kMostWithoutSetting);
    if (!(*result.score <= most)) {
      return "has " + points_text(*result.score) + " points, and Moodle's import takes no more " +
             "than " + points_text(most);
    }
    return {};
  }

  [[noreturn]] void reject() const {
    throw UsageFault(
        exported_.left_out.empty()
            ? std::string("There are no results to export.")
            : "Nobody is left for Moodle's gradebook: " + exported_.left_out.front() + ".",
        "Give the roster a column moodle_idnumber, moodle_username or email "
        "(docs/batch.md), or fill in a worksheet: format moodle.");
  }

  const ClassResults& results_;
  const Key& key_;
  std::map<std::string, int> holders_;
  CsvWriter writer_;
  Exported exported_;
  std::size_t rows_ = 0;
};

}  // namespace

Exported moodle_gradebook_export(const ExportedClass& graded, const ExportOptions& options) {
  const std::string title =
      options.column.empty() ? graded.results.assignment_title : options.column;
  return GradebookTable(graded.results).table(title);
}

}  // namespace grader
