#include "grader/lms/formats/moodle.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <ranges>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/batch/identity.hpp"
#include "grader/class_report/handed_on.hpp"
#include "grader/intake/names.hpp"
#include "grader/lms/fill_in.hpp"

namespace grader {
namespace {

constexpr std::size_t kLargestWorksheet = std::size_t{64} << 20;
constexpr const char* kHowToExport =
    "In Moodle: the assignment, Submissions, Download grading worksheet; name that file with "
    "--worksheet. Its settings must have Feedback types, Offline grading worksheet.";

/// What Moodle calls grades, for tables in which more than one column could hold them.
constexpr std::array<std::string_view, 24> kGrade = {
    "grade",        "bewertung",   "note",   "calificación", "qualificació", "cualificación",
    "kalifikazioa", "valutazione", "cijfer", "nota",         "avaliação",    "karakter",
    "betyg",        "arvosana",    "ocena",  "známka",       "hodnocení",    "hodnotenie",
    "оценка",       "not",         "成绩",   "成績",         "評点",         "評定"};
constexpr std::array<std::string_view, 16> kNo = {"no",  "nein",   "non", "não", "nee", "nej",
                                                  "nei", "ei",     "nie", "ne",  "нет", "hayır",
                                                  "否",  "いいえ", "nu",  "ez"};
constexpr std::array<std::string_view, 16> kYes = {"yes",  "ja",    "oui",  "sí",  "sì",  "si",
                                                   "sim",  "kyllä", "tak",  "ano", "áno", "да",
                                                   "evet", "是",    "はい", "bai"};

bool is_one_of(std::string_view text, const auto& words) {
  return std::ranges::find(words, folded(text)) != words.end();
}

class MoodleWorksheet {
 public:
  MoodleWorksheet(const CsvTable& table, std::string name)
      : table_(table), name_(std::move(name)), header_(table.header.fields) {
    if (table_.rows.empty()) reject("it has no students");
    const auto before_number = [&](const CsvRow& row) {
      const std::string& cell = row.fields.front();
      return cell.substr(0, number_at(cell));
    };
    const std::string participant = before_number(table_.rows.front());
    for (const CsvRow& row : table_.rows) {
      const std::string& cell = row.fields.front();
      if (participant.empty() || before_number(row) != participant ||
          number_at(cell) == cell.size()) {
        reject("its first column does not say Participant and a number in every row");
      }
    }
  }

  /// The column of grades; `wanted` is its header, or empty.
  [[nodiscard]] std::size_t grade_column(const std::string& wanted) const {
    std::vector<std::size_t> found;
    for (std::size_t column = 1; column + 1 < header_.size(); ++column) {
      if (are_grades(column) && maximum_behind(column)) found.push_back(column);
    }
    if (!wanted.empty()) {
      std::erase_if(found, [&](std::size_t column) { return header_[column] != wanted; });
    } else if (found.size() > 1) {
      std::erase_if(found, [&](std::size_t column) { return !is_one_of(header_[column], kGrade); });
    }
    if (found.size() == 1) return found.front();
    std::string names;
    for (const std::string& name : header_) {
      names += (names.empty() ? "" : ", ") + shown_name(name);
    }
    if (!wanted.empty()) {
      throw UsageFault(name_ + ": no column " + shown_name(wanted) +
                           " of numbers stands before a column with the maximum grade.",
                       "Its columns are " + names + ".");
    }
    if (found.empty() && std::ranges::any_of(header_, [](const std::string& name) {
          return is_one_of(name, kGrade);
        })) {
      throw UsageFault(name_ +
                           ": there is no maximum grade behind the grades: the assignment is "
                           "graded by a scale, or not at all.",
                       "Give the assignment points in Moodle and export the worksheet again.");
    }
    throw UsageFault(name_ + ": which column holds the grades cannot be told.",
                     "Name it with --column; its columns are " + names + ".");
  }

  /// Throws UsageFault when Moodle gives the assignment other points.
  void require_points(std::size_t grades, double max_score) const {
    const double points = maximum_behind(grades).value();
    if (points_text(points) == points_text(max_score)) return;
    throw UsageFault("In Moodle the maximum grade is " + points_text(points) +
                         ", and this assignment has " + points_text(max_score) + " points.",
                     "Is it this assignment's worksheet? If it is, make the maximum grade " +
                         points_text(max_score) + " in Moodle and export it again.");
  }

  /// ',' where the table has decimal commas.
  [[nodiscard]] char decimal_point(std::size_t grades) const {
    const std::string& maximum = table_.rows.front().fields[grades + 1];
    return maximum.find(',') == std::string::npos ? '.' : ',';
  }

  [[nodiscard]] std::vector<SheetRow> rows(std::size_t grades) const {
    const auto locks = column_of_locks(grades);
    std::vector<SheetRow> rows;
    for (std::size_t position = 0; position < table_.rows.size(); ++position) {
      const std::vector<std::string>& fields = table_.rows[position].fields;
      SheetRow row;
      row.position = position;
      row.ids.ids.emplace("moodle_participant", fields.front().substr(number_at(fields.front())));
      // Which ids a site shows, and what it calls them, is its own affair.
      for (std::size_t column = 0; column < grades; ++column) {
        row.ids.ids.emplace("any", fields[column]);
      }
      if (grades > 1) row.ids.name = fields[1];
      if (locks && is_one_of(fields[*locks], kNo)) {
        row.locked = "has a grade that cannot be changed in Moodle";
      }
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  [[noreturn]] void reject(const std::string& why) const {
    throw UsageFault(name_ + " is no grading worksheet of Moodle: " + why + ".", kHowToExport);
  }

  // Where the digits at the end begin: some languages leave out the blank before them.
  static std::size_t number_at(const std::string& cell) {
    return cell.find_last_not_of("0123456789") + 1;  // npos + 1 is 0
  }

  [[nodiscard]] bool are_grades(std::size_t column) const {
    return std::ranges::all_of(table_.rows, [&](const CsvRow& row) {
      const std::string& cell = row.fields[column];
      return cell.empty() || cell == "-" || sheet_number(cell).has_value();
    });
  }

  // The number above zero that all rows have behind this column.
  [[nodiscard]] std::optional<double> maximum_behind(std::size_t column) const {
    const std::string& first = table_.rows.front().fields[column + 1];
    const auto maximum = sheet_number(first);
    const bool is_maximum =
        maximum && *maximum > 0 && std::ranges::all_of(table_.rows, [&](const CsvRow& row) {
          const auto grade = sheet_number(row.fields[column]);
          return row.fields[column + 1] == first && (!grade || *grade <= *maximum);
        });
    return is_maximum ? maximum : std::nullopt;
  }

  // "Grade can be changed" stands behind the maximum, or behind the state of the workflow.
  [[nodiscard]] std::optional<std::size_t> column_of_locks(std::size_t grades) const {
    for (std::size_t column = grades + 2; column <= grades + 3 && column < header_.size();
         ++column) {
      const bool are_locks = std::ranges::all_of(table_.rows, [&](const CsvRow& row) {
        return is_one_of(row.fields[column], kYes) || is_one_of(row.fields[column], kNo);
      });
      if (are_locks) return column;
    }
    return std::nullopt;
  }

  const CsvTable& table_;
  std::string name_;
  const std::vector<std::string>& header_;
};

Sought sought(const StudentResult& student) {
  // The number is of one assignment: whoever has another one there is in another's worksheet.
  return {{{"moodle_participant", lms_id(student, "moodle_participant"), Trust::decisive},
           {"any", lms_id(student, "moodle_idnumber"), Trust::declared},
           {"any", lms_id(student, "moodle_username"), Trust::declared},
           {"any", lms_id(student, "blackboard_user"), Trust::guessed},  // the roster's user names
           {"any", student.id, Trust::guessed},
           {"any", student.email, Trust::guessed}},
          student.name};
}

}  // namespace

Exported moodle_export(const ExportedClass& graded, const ExportOptions& options) {
  if (options.worksheet.empty()) {
    throw UsageFault("Scores for Moodle are put into a worksheet that Moodle exported.",
                     std::string(kHowToExport) + " Or export moodle-gradebook.");
  }
  const std::string name = shown_name(options.worksheet.filename().string());
  Worksheet worksheet(read_file(options.worksheet, kLargestWorksheet), name);
  const MoodleWorksheet moodle(worksheet.table(), name);
  Sheet sheet;
  sheet.platform = "Moodle";
  sheet.column = moodle.grade_column(options.column);
  moodle.require_points(sheet.column, graded.results.max_score);
  sheet.decimal_point = moodle.decimal_point(sheet.column);
  sheet.top = graded.results.max_score;
  sheet.rows = moodle.rows(sheet.column);
  sheet.sought = sought;
  return fill_in(worksheet, sheet, graded.results, "moodle.csv");
}

}  // namespace grader
