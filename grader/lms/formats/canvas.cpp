#include "grader/lms/formats/canvas.hpp"

#include <algorithm>
#include <optional>
#include <span>

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
    "In Canvas: Grades, Export, Export Entire Gradebook; name that file with --worksheet.";

/// The columns that Canvas writes in front of the assignments; it never translates their names.
struct PersonColumns {
  std::size_t id = 0;
  std::optional<std::size_t> sis_user;
  std::optional<std::size_t> sis_login;
  std::size_t section = 0;
  bool has_two_names = false;  ///< last and first name in columns of their own
};

/// "Attention (4711)" taken apart.
struct Title {
  std::string title;
  std::string id;
};

std::optional<Title> parse_title(std::string_view header) {
  const std::size_t open = header.rfind(" (");
  if (open == std::string_view::npos || !header.ends_with(')')) return std::nullopt;
  const std::string_view id = header.substr(open + 2, header.size() - open - 3);
  const bool is_number =
      !id.empty() && id.find_first_not_of("0123456789") == std::string_view::npos;
  if (!is_number) return std::nullopt;
  return Title{std::string(header.substr(0, open)), std::string(id)};
}

class CanvasGradebook {
 public:
  CanvasGradebook(const CsvTable& table, std::string name)
      : table_(table), name_(std::move(name)), header_(table.header.fields) {
    find_person_columns();
    find_points();
  }

  /// The column called `wanted`; empty: that of the assignment's `title`.
  [[nodiscard]] std::size_t assignment_column(const std::string& wanted,
                                              const std::string& title) const {
    std::vector<std::size_t> found;
    std::string known;
    for (std::size_t column = person_.section + 1; column < header_.size(); ++column) {
      const auto parsed = parse_title(header_[column]);
      if (!parsed) continue;
      known += (known.empty() ? "" : ", ") + shown_name(header_[column]);
      const bool fits = wanted.empty() ? folded(parsed->title) == folded(title)
                                       : header_[column] == wanted || parsed->title == wanted ||
                                             parsed->id == wanted;
      if (fits) found.push_back(column);
    }
    const std::string sought = wanted.empty() ? title : wanted;
    const std::string hint =
        known.empty()
            ? kHowToExport
            : "Name one of its columns with --column, by its title or its id: " + known + ".";
    if (found.empty()) {
      throw UsageFault(name_ + " has no column of an assignment called " + shown_name(sought) + ".",
                       hint);
    }
    // Canvas takes the first of two that are called the same.
    if (found.size() > 1) {
      throw UsageFault(name_ + " has " + std::to_string(found.size()) +
                           " columns of assignments called " + shown_name(sought) + ".",
                       hint);
    }
    return found.front();
  }

  /// Throws UsageFault when Canvas gives the assignment other points, or takes none in that column.
  void require_points(std::size_t column, double max_score) const {
    const std::string& cell = points_->fields[column];
    const std::string title = shown_name(header_[column]);
    if (cell.find("read only") != std::string::npos) {
      throw UsageFault("Canvas takes no scores in the column " + title + ": it is read only.",
                       "Name the column of an assignment with --column.");
    }
    const auto points = sheet_number(cell);
    if (!points || points_text(*points) != points_text(max_score)) {
      throw UsageFault("In Canvas " + title + " has " + (cell.empty() ? "no" : shown_name(cell)) +
                           " points, and this assignment has " + points_text(max_score) + ".",
                       "Name the right column with --column, or give the assignment in Canvas " +
                           points_text(max_score) + " points and export the gradebook again.");
    }
  }

  /// ',' where the table has decimal commas.
  [[nodiscard]] char decimal_point(std::size_t column) const {
    return points_->fields[column].find(',') == std::string::npos ? '.' : ',';
  }

  [[nodiscard]] std::vector<SheetRow> rows(std::size_t column) const {
    std::vector<SheetRow> rows;
    for (std::size_t position = 0; position < table_.rows.size(); ++position) {
      const std::vector<std::string>& fields = table_.rows[position].fields;
      if (!is_student(fields)) continue;
      SheetRow row;
      row.position = position;
      row.ids.ids.emplace("canvas_user", fields[person_.id]);
      if (person_.sis_user) row.ids.ids.emplace("canvas_sis_user", fields[*person_.sis_user]);
      if (person_.sis_login) row.ids.ids.emplace("canvas_login", fields[*person_.sis_login]);
      row.ids.name = person_.has_two_names ? fields[0] + " " + fields[1] : fields[0];
      if (fields[column] == "N/A") {
        row.locked = "is not given this assignment in Canvas (N/A)";
      }
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  [[noreturn]] void reject(const std::string& why) const {
    throw UsageFault(name_ + " is no gradebook that Canvas exported: " + why + ".", kHowToExport);
  }

  // As Canvas does: names of columns may have something around them.
  [[nodiscard]] bool has(std::size_t column, std::string_view part) const {
    return column < header_.size() && header_[column].find(part) != std::string::npos;
  }

  void find_person_columns() {
    person_.has_two_names = has(0, "LastName") && has(1, "FirstName") && has(2, "ID");
    if (!person_.has_two_names && !(has(0, "Student") && has(1, "ID"))) {
      reject("its first columns are not Student and ID");
    }
    person_.id = person_.has_two_names ? 2 : 1;
    for (std::size_t column = person_.id + 1;; ++column) {
      if (column == header_.size()) reject("it has no column Section");
      if (header_[column] == "SIS User ID") person_.sis_user = column;
      if (header_[column] == "SIS Login ID") person_.sis_login = column;
      if (!has(column, "Section")) continue;
      person_.section = column;
      return;
    }
  }

  void find_points() {
    const auto found = std::ranges::find_if(table_.rows, [](const CsvRow& row) {
      return row.fields.front().find("Points Possible") != std::string::npos;
    });
    if (found == table_.rows.end()) reject("it has no row Points Possible");
    points_ = &*found;
  }

  // What Canvas itself passes over: the points, and which assignments are posted by hand.
  static bool is_student(std::span<const std::string> fields) {
    if (fields.front().find("Points Possible") != std::string::npos) return false;
    return !std::ranges::all_of(fields, [](const std::string& field) {
      const std::size_t begin = std::min(field.find_first_not_of(' '), field.size());
      const std::string text = lower_case(field.substr(begin));
      return text.empty() || text == "muted" || text.starts_with("manual posting");
    });
  }

  const CsvTable& table_;
  std::string name_;
  const std::vector<std::string>& header_;
  PersonColumns person_;
  const CsvRow* points_ = nullptr;
};

Sought sought(const StudentResult& student) {
  Sought sought;
  sought.name = student.name;
  sought.keys = {{"canvas_user", lms_id(student, "canvas_user"), Trust::decisive},
                 {"canvas_sis_user", lms_id(student, "canvas_sis_user"), Trust::declared},
                 {"canvas_login", lms_id(student, "canvas_login"), Trust::declared},
                 // The roster's column of user names.
                 {"canvas_login", lms_id(student, "blackboard_user"), Trust::guessed},
                 {"canvas_login", student.id, Trust::guessed},
                 {"canvas_login", student.email, Trust::guessed},
                 {"canvas_sis_user", student.id, Trust::guessed}};
  // Canvas's own ids are small numbers, like other people's numbers of students: the name decides.
  if (!student.name.empty()) sought.keys.push_back({"canvas_user", student.id, Trust::guessed});
  return sought;
}

}  // namespace

Exported canvas_export(const ExportedClass& graded, const ExportOptions& options) {
  if (options.worksheet.empty()) {
    throw UsageFault("Scores for Canvas are put into a gradebook that Canvas exported.",
                     kHowToExport);
  }
  const std::string name = shown_name(options.worksheet.filename().string());
  Worksheet worksheet(read_file(options.worksheet, kLargestWorksheet), name);
  const CanvasGradebook gradebook(worksheet.table(), name);
  Sheet sheet;
  sheet.platform = "Canvas";
  sheet.column = gradebook.assignment_column(options.column, graded.results.assignment_title);
  gradebook.require_points(sheet.column, graded.results.max_score);
  sheet.decimal_point = gradebook.decimal_point(sheet.column);
  sheet.excused = "EX";
  sheet.rows = gradebook.rows(sheet.column);
  sheet.sought = sought;
  return fill_in(worksheet, sheet, graded.results, "canvas.csv");
}

}  // namespace grader
