// The class list: who is meant to hand in, what they are called, and what was agreed with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/batch/attempt.hpp"

namespace grader {

/// One row of a roster.
struct Student {
  std::string id;
  std::string name;
  std::string section;
  std::string email;
  /// Under the names of Attempt::lms_ids, but "github_user" for "github_repository"; besides, for
  /// exports alone, "canvas_sis_user", "canvas_login", "moodle_idnumber", "moodle_username" and
  /// "lti_user", which is the cell as it stands.
  std::map<std::string, std::string> lms_ids;
  std::int64_t extension_days = 0;           ///< added to the due time
  std::optional<std::int64_t> due;           ///< Unix seconds: in place of the assignment's
  std::int64_t late_days_used = 0;           ///< free late days spent on other assignments
  std::optional<std::int64_t> submitted_at;  ///< of the last attempt, where the download is silent
  bool excused = false;
  std::size_t row = 0;  ///< as a spreadsheet numbers it; the header is row 1
  std::string problem;  ///< a sentence when a cell that changes scores cannot be read
};

struct Roster {
  std::vector<Student> students;      ///< in the order of the file, ids unique
  std::vector<std::string> problems;  ///< a sentence with its row number each
};

/// Reads a roster: CSV as docs/batch.md describes it. Rows that cannot be used are left out and
/// said in `problems`. Throws UsageFault when the file cannot be read, is not CSV in UTF-8, or has
/// no column of ids.
Roster read_roster(const std::filesystem::path& file);

/// The same for the text of a roster; `name` is what messages call it.
Roster roster_from_csv(std::string_view text, const std::string& name);

/// Attempts and roster side by side.
struct Roll {
  std::vector<Attempt> attempts;  ///< all; those matched carry the roster's id and name
  std::vector<std::string>
      unmatched;                     ///< students (Attempt::student) whom the roster does not know
  std::vector<Student> missing;      ///< students of the roster without an attempt
  std::vector<std::string> notices;  ///< a sentence each: matched by name alone, two for one, …
};

/// Finds each attempt's student: by the id of its LMS, else by id or email, else by a full name
/// that one student of the roster and one of the download have. Never guesses between two.
Roll call_roll(std::vector<Attempt> attempts, const Roster& roster);

}  // namespace grader
