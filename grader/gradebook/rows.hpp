// Rows of the gradebook as records.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <string>

#include "grader/gradebook/records.hpp"

namespace grader {

/// What a query of runs (as r) selects first, for run_in.
std::string run_columns();
/// How many columns that are.
inline constexpr int kRunColumns = 20;

/// The run in a row that begins with run_columns().
RunRecord run_in(SQLite::Database& database, SQLite::Statement& row);

/// What a query of submissions (as a) and students (as s) selects, for submission_in.
std::string submission_columns();
inline constexpr int kSubmissionColumns = 6;

/// The submission in a row that has submission_columns() from column `first` on.
SubmissionRecord submission_in(SQLite::Statement& row, int first);

}  // namespace grader
