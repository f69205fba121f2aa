#include "grader/lms/fill_in.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/batch/identity.hpp"
#include "grader/class_report/handed_on.hpp"
#include "grader/intake/names.hpp"
#include "grader/report/number_text.hpp"

namespace grader {
namespace {

bool is_blank(std::string_view cell) { return cell.find_first_not_of(" -") == std::string::npos; }

class Filler {
 public:
  Filler(Worksheet& worksheet, const Sheet& sheet, const ClassResults& results)
      : worksheet_(worksheet), sheet_(sheet), results_(results) {}

  Exported fill(const std::string& file) {
    const std::vector<RowMatch> matches = match();
    for (std::size_t index = 0; index < matches.size(); ++index) {
      const StudentResult& student = results_.students[index];
      const std::string why_not = write(student, matches[index]);
      if (!why_not.empty()) exported_.left_out.push_back(student.id + " " + why_not);
    }
    if (expected_ > 0 && found_ == 0) reject();
    report();
    exported_.files.push_back({file, worksheet_.bytes()});
    return std::move(exported_);
  }

 private:
  std::vector<RowMatch> match() {
    std::vector<Sought> students;
    for (const StudentResult& student : results_.students) {
      students.push_back(sheet_.sought(student));
    }
    std::vector<RowIds> rows;
    for (const SheetRow& row : sheet_.rows) rows.push_back(row.ids);
    std::vector<RowMatch> matches = match_rows(students, rows);
    for (const RowMatch& match : matches) {
      if (match.row) is_known_.insert(*match.row);
    }
    return matches;
  }

  // Writes a student's score; or says why not.
  std::string write(const StudentResult& student, const RowMatch& match) {
    const HandedOn result = handed_on(student);
    if (!result.score && !result.is_excused) return result.why_not;
    if (result.is_excused && sheet_.excused.empty()) {
      return "is excused, which " + sheet_.platform + "'s worksheet cannot say";
    }
    ++expected_;
    if (!match.row) {
      if (first_not_found_.empty()) first_not_found_ = student.id + " " + match.why_not;
      return match.why_not;
    }
    ++found_;
    if (match.is_by_name_alone) by_name_.push_back(student.id);
    const SheetRow& row = sheet_.rows[*match.row];
    if (!row.locked.empty()) return row.locked;
    const std::string& before = cell(row);
    if (result.is_excused) {
      set(row, !says_excused(before), is_blank(before), sheet_.excused);
      return {};
    }
    if (says_excused(before)) {
      return "has a score, but is excused in the worksheet";
    }
    if (sheet_.top && !(*result.score <= *sheet_.top)) {
      return "has " + points_text(*result.score) + " points, and " + sheet_.platform +
             " takes no more than " + points_text(*sheet_.top);
    }
    const auto old = sheet_number(before);
    const bool is_same = old && points_text(*old) == points_text(*result.score);
    std::string text = points_text(*result.score);
    std::ranges::replace(text, '.', sheet_.decimal_point);
    set(row, !is_same, is_blank(before), text);
    return {};
  }

  [[nodiscard]] const std::string& cell(const SheetRow& row) const {
    return worksheet_.table().rows[row.position].fields[sheet_.column];
  }

  [[nodiscard]] bool says_excused(const std::string& text) const {
    return !sheet_.excused.empty() && lower_case(text) == lower_case(sheet_.excused);
  }

  void set(const SheetRow& row, bool is_new, bool was_blank, const std::string& text) {
    if (!is_new) {
      ++same_;
      return;
    }
    ++(was_blank ? written_ : changed_);
    worksheet_.set(row.position, sheet_.column, text);
  }

  [[noreturn]] void reject() const {
    throw UsageFault(
        "Nobody with a result is in the worksheet: " + first_not_found_ + ".",
        "Is it the worksheet of this course and assignment? If it is, give the roster the columns "
        "of " +
            sheet_.platform + "'s ids that docs/batch.md lists.");
  }

  void report() {
    const std::string column =
        "\"" + shown_name(worksheet_.table().header.fields[sheet_.column]) + "\"";
    std::string text = "Column " + column + ": " + counted(written_, "cell") + " filled in";
    if (changed_ > 0) text += ", " + std::to_string(changed_) + " changed";
    if (same_ > 0) text += ", " + std::to_string(same_) + " the same already";
    exported_.notices.push_back(text + ".");
    const std::size_t kept = sheet_.rows.size() - is_known_.size();
    if (kept > 0) {
      exported_.notices.push_back("Of students who are not in the results: " +
                                  counted(kept, "row") + ", kept as they are.");
    }
    if (found_ * 2 < expected_) {
      exported_.notices.push_back("Only " + std::to_string(found_) + " of " +
                                  counted(expected_, "student") +
                                  " are in the worksheet: is it this course's?");
    }
    if (!by_name_.empty()) {
      std::string names;
      for (const std::string& id : by_name_) names += (names.empty() ? "" : ", ") + id;
      exported_.notices.push_back("Found by name alone: " + names + ".");
    }
  }

  Worksheet& worksheet_;
  const Sheet& sheet_;
  const ClassResults& results_;
  Exported exported_;
  std::set<std::size_t> is_known_;
  std::vector<std::string> by_name_;
  std::string first_not_found_;
  std::size_t expected_ = 0;  ///< students who have something to be written
  std::size_t found_ = 0;     ///< of those, in the worksheet
  std::size_t written_ = 0;
  std::size_t changed_ = 0;
  std::size_t same_ = 0;
};

}  // namespace

std::optional<double> sheet_number(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  std::string digits(text);
  std::ranges::replace(digits, ',', '.');
  double number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number, std::chars_format::fixed);
  const bool is_number = error == std::errc{} && stop == end && std::isfinite(number);
  return is_number ? std::optional(number) : std::nullopt;
}

Exported fill_in(Worksheet& worksheet, const Sheet& sheet, const ClassResults& results,
                 const std::string& file) {
  return Filler(worksheet, sheet, results).fill(file);
}

}  // namespace grader
