#include "grader/batch/roster.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/base/moment.hpp"
#include "grader/batch/identity.hpp"
#include "grader/csv/csv.hpp"
#include "grader/intake/names.hpp"

namespace grader {
namespace {

constexpr std::size_t kLargestRoster = std::size_t{64} << 20;
constexpr std::int64_t kMostDays = 10'000;

/// The columns a roster may have, under the names that platforms give them.
enum class Column : std::uint8_t {
  id,
  name,
  first_name,
  last_name,
  email,
  section,
  canvas_user,
  canvas_anonymous,
  canvas_sis_user,
  canvas_login,
  moodle_participant,
  moodle_idnumber,
  moodle_username,
  lti_user,
  gradescope_sid,
  user_name,
  github_user,
  extension_days,
  late_days_used,
  due,
  submitted,
  excused,
};

struct ColumnName {
  std::string_view name;  ///< folded, with blanks for underscores and dashes
  Column column;
};

// Where a table has several columns of one meaning, the one that stands first here is taken. One
// column may have two meanings.
constexpr std::array kColumnNames = {
    ColumnName{"id", Column::id},
    ColumnName{"student id", Column::id},
    ColumnName{"student number", Column::id},
    ColumnName{"sid", Column::id},
    ColumnName{"sis user id", Column::id},
    ColumnName{"identifier", Column::id},
    ColumnName{"name", Column::name},
    ColumnName{"student", Column::name},
    ColumnName{"student name", Column::name},
    ColumnName{"full name", Column::name},
    ColumnName{"first name", Column::first_name},
    ColumnName{"given name", Column::first_name},
    ColumnName{"last name", Column::last_name},
    ColumnName{"surname", Column::last_name},
    ColumnName{"family name", Column::last_name},
    ColumnName{"email", Column::email},
    ColumnName{"e mail", Column::email},
    ColumnName{"email address", Column::email},
    ColumnName{"section", Column::section},
    ColumnName{"sections", Column::section},
    ColumnName{"group", Column::section},
    ColumnName{"canvas user", Column::canvas_user},
    ColumnName{"canvas id", Column::canvas_user},
    ColumnName{"canvas user id", Column::canvas_user},
    ColumnName{"canvas anonymous", Column::canvas_anonymous},
    ColumnName{"canvas anonymous id", Column::canvas_anonymous},
    ColumnName{"canvas sis user", Column::canvas_sis_user},
    ColumnName{"sis user id", Column::canvas_sis_user},
    ColumnName{"canvas login", Column::canvas_login},
    ColumnName{"sis login id", Column::canvas_login},
    ColumnName{"moodle participant", Column::moodle_participant},
    ColumnName{"participant", Column::moodle_participant},
    ColumnName{"moodle idnumber", Column::moodle_idnumber},
    ColumnName{"idnumber", Column::moodle_idnumber},
    ColumnName{"id number", Column::moodle_idnumber},
    ColumnName{"moodle username", Column::moodle_username},
    ColumnName{"lti user", Column::lti_user},
    ColumnName{"lti user id", Column::lti_user},
    ColumnName{"gradescope sid", Column::gradescope_sid},
    ColumnName{"user name", Column::user_name},
    ColumnName{"username", Column::user_name},
    ColumnName{"login", Column::user_name},
    ColumnName{"login id", Column::user_name},
    ColumnName{"sis login id", Column::user_name},
    ColumnName{"blackboard user", Column::user_name},
    ColumnName{"github user", Column::github_user},
    ColumnName{"github username", Column::github_user},
    ColumnName{"github", Column::github_user},
    ColumnName{"extension days", Column::extension_days},
    ColumnName{"late days used", Column::late_days_used},
    ColumnName{"due", Column::due},
    ColumnName{"submitted", Column::submitted},
    ColumnName{"excused", Column::excused},
};

std::string trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\v\f";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(blanks) + 1 - begin));
}

/// Where each column stands in the table.
using Places = std::map<Column, std::size_t>;

Places find_columns(const CsvRow& header) {
  std::vector<std::string> names;
  for (const std::string& field : header.fields) {
    std::string name = folded(trimmed(field));
    std::ranges::replace(name, '_', ' ');
    std::ranges::replace(name, '-', ' ');
    names.push_back(std::move(name));
  }
  Places places;
  for (const ColumnName& known : kColumnNames) {
    const auto found = std::ranges::find(names, known.name);
    if (found == names.end()) continue;
    places.emplace(known.column, static_cast<std::size_t>(found - names.begin()));
  }
  return places;
}

/// Reads the cells of one row; remembers the first that cannot be read.
class Cells {
 public:
  Cells(const CsvRow& row, const Places& places) : row_(row), places_(places) {}

  [[nodiscard]] std::string text(Column column) const {
    const auto place = places_.find(column);
    return place != places_.end() ? trimmed(row_.fields[place->second]) : std::string();
  }
  std::int64_t days(Column column, const char* name) {
    const std::string cell = text(column);
    if (cell.empty()) return 0;
    std::int64_t days = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), days);
    const bool is_whole = error == std::errc{} && end == cell.data() + cell.size();
    if (is_whole && days >= 0 && days <= kMostDays) return days;
    complain(name, cell, "no whole number of days from 0 on");
    return 0;
  }
  std::optional<std::int64_t> moment(Column column, const char* name) {
    const std::string cell = text(column);
    if (cell.empty()) return std::nullopt;
    if (const auto moment = parse_moment(cell)) return moment->seconds;
    complain(name, cell, "no moment such as 2026-11-30T23:59:00+01:00");
    return std::nullopt;
  }
  bool yes(Column column, const char* name) {
    const std::string cell = lower_case(text(column));
    constexpr std::array<std::string_view, 7> yes = {"yes", "y", "true", "1", "x", "ex", "excused"};
    constexpr std::array<std::string_view, 5> no = {"", "no", "n", "false", "0"};
    if (std::ranges::find(yes, cell) != yes.end()) return true;
    if (std::ranges::find(no, cell) == no.end()) complain(name, cell, "neither yes nor no");
    return false;
  }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  void complain(const char* name, const std::string& cell, const char* why) {
    if (!problem_.empty()) return;
    problem_ = "Row " + std::to_string(row_.number) + ": " + name + " \"" + shown_name(cell) +
               "\" is " + why + ".";
  }

  const CsvRow& row_;
  const Places& places_;
  std::string problem_;
};

Student student_of(const CsvRow& row, const Places& places) {
  Cells cells(row, places);
  Student student;
  student.row = row.number;
  student.id = cells.text(Column::id);
  student.name = cells.text(Column::name);
  if (student.name.empty()) {
    student.name = trimmed(cells.text(Column::first_name) + " " + cells.text(Column::last_name));
  }
  student.section = cells.text(Column::section);
  student.email = cells.text(Column::email);
  constexpr std::array<std::pair<Column, const char*>, 10> systems = {{
      {Column::canvas_user, "canvas_user"},
      {Column::canvas_anonymous, "canvas_anonymous"},
      {Column::canvas_sis_user, "canvas_sis_user"},
      {Column::canvas_login, "canvas_login"},
      {Column::moodle_participant, "moodle_participant"},
      {Column::moodle_idnumber, "moodle_idnumber"},
      {Column::moodle_username, "moodle_username"},
      {Column::gradescope_sid, "gradescope_sid"},
      {Column::user_name, "blackboard_user"},
      {Column::github_user, "github_user"},
  }};
  for (const auto& [column, system] : systems) {
    if (const std::string id = cells.text(column); !id.empty()) {
      student.lms_ids[system] = identity_text(id);
    }
  }
  // Sent as it is, up to 255 characters, and shown to nobody.
  if (std::string id = cells.text(Column::lti_user); !id.empty()) {
    student.lms_ids["lti_user"] = std::move(id);
  }
  student.extension_days = cells.days(Column::extension_days, "extension_days");
  student.late_days_used = cells.days(Column::late_days_used, "late_days_used");
  student.due = cells.moment(Column::due, "due");
  student.submitted_at = cells.moment(Column::submitted, "submitted");
  student.excused = cells.yes(Column::excused, "excused");
  student.problem = cells.problem();
  // A row of Moodle's grading worksheet: "Participant 1234", in the language of the site.
  const std::size_t blank = student.id.find(' ');
  if (blank != std::string::npos && blank + 1 < student.id.size() &&
      student.id.find_first_not_of("0123456789", blank + 1) == std::string::npos) {
    student.lms_ids.emplace("moodle_participant", student.id.substr(blank + 1));
  }
  for (std::string* text : {&student.name, &student.section, &student.email}) {
    if (!text->empty()) *text = identity_text(*text);
  }
  if (!student.id.empty()) student.id = identity_text(student.id);
  return student;
}

std::string row_of(const Student& student) { return "Row " + std::to_string(student.row); }

/// Leaves out students whose id others have too: nobody knows which row is right.
void leave_out_twins(Roster& roster) {
  std::map<std::string, std::vector<std::size_t>> rows;
  for (const Student& student : roster.students) rows[folded(student.id)].push_back(student.row);
  std::erase_if(roster.students, [&](const Student& student) {
    const auto& all = rows.at(folded(student.id));
    if (all.size() == 1) return false;
    if (all.front() == student.row) {
      std::string others;
      for (std::size_t index = 1; index < all.size(); ++index) {
        others += (index == 1 ? "" : ", ") + std::to_string(all[index]);
      }
      roster.problems.push_back(row_of(student) + " has the same id " + student.id + " as row " +
                                others + ": none of them is used until the file is corrected.");
    }
    return true;
  });
}

std::string list_of(std::span<const std::string> fields) {
  std::string list;
  for (const std::string& field : fields) list += (list.empty() ? "" : ", ") + shown_name(field);
  return list;
}

}  // namespace

Roster read_roster(const std::filesystem::path& file) {
  return roster_from_csv(read_file(file, kLargestRoster), file.filename().string());
}

Roster roster_from_csv(std::string_view text, const std::string& name) {
  const std::string shown = shown_name(name);
  const CsvTable table = read_csv(text, shown);
  const Places places = find_columns(table.header);
  if (!places.contains(Column::id)) {
    throw UsageFault(
        shown + ": there is no column of ids; its columns are " + list_of(table.header.fields) +
            ".",
        "Name the column of the students' ids \"id\"; docs/batch.md lists all columns.");
  }
  Roster roster;
  for (const CsvRow& row : table.rows) {
    Student student = student_of(row, places);
    if (student.id.empty()) {
      // Canvas writes the possible points as if they were a student.
      if (student.name == "Points Possible") continue;
      roster.problems.push_back(row_of(student) + " has no id and is left out.");
      continue;
    }
    if (!student.problem.empty()) roster.problems.push_back(student.problem);
    roster.students.push_back(std::move(student));
  }
  leave_out_twins(roster);
  return roster;
}

}  // namespace grader
