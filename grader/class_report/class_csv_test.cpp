#include "grader/class_report/class_csv.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "grader/base/fault.hpp"
#include "grader/class_report/example_classes.hpp"
#include "grader/csv/csv.hpp"

namespace grader {
namespace {

// The rows by column title.
std::vector<std::map<std::string, std::string>> rows_of(const ClassResults& results) {
  const CsvTable table = read_csv(class_csv(results), "class.csv");
  std::vector<std::map<std::string, std::string>> rows;
  for (const CsvRow& row : table.rows) {
    std::map<std::string, std::string>& fields = rows.emplace_back();
    for (std::size_t column = 0; column < row.fields.size(); ++column) {
      fields[table.header.fields[column]] = row.fields[column];
    }
  }
  return rows;
}

ClassResults one_student() {
  ClassResults results;
  results.max_score = 10;
  results.checks = {{"shapes.ledger", "Ledger", "shapes", 4}, {"values.sum", "Sum", "values", 6}};
  StudentResult student;
  student.id = "ada";
  student.name = "Ada, \"the first\" Lovelace";
  student.status = StudentStatus::graded;
  student.attempt = 2;
  student.attempts = 3;
  student.graded_attempts = {{1, StudentStatus::needs_attention, {}, 0, {}, {}, ""},
                             {2, StudentStatus::graded, {}, 1, 4, 3.6, "a/run-1/report.html"},
                             {3, StudentStatus::graded, {}, 1, 0.5, 0.35, "b/run-1/report.html"}};
  student.submitted_at = 1'796'043'900;
  student.late_days = 1;
  student.score = 4;
  student.final_score = 3.6;
  student.adjustments = {"One day late.", "The second attempt counts."};
  student.checks = {{CheckStatus::passed, 4}, {CheckStatus::failed, 0}};
  student.diagnoses = {"M02", "S01"};
  student.report = "students/ada/report.html";
  student.digest = "00ff";
  results.students = {student};
  return results;
}

TEST(ClassCsvTest, HoldsAllThatIsKnownOfAStudent) {
  const auto row = rows_of(one_student()).at(0);
  const std::map<std::string, std::string> expected = {
      {"student", "ada"},
      {"name", "Ada, \"the first\" Lovelace"},
      {"section", ""},
      {"status", "graded"},
      {"attempt", "2"},
      {"attempts", "3"},
      {"graded_attempts", "1: no score; 2: 3.6; 3: 0.35"},
      {"submitted_at", "2026-11-30T13:05:00Z"},
      {"late_days", "1"},
      {"computed_score", "4"},
      {"final_score", "3.6"},
      {"max_score", "10"},
      {"overridden", ""},
      {"adjustments", "One day late. The second attempt counts."},
      {"misconceptions", "M02 S01"},
      {"needs_attention", ""},
      {"report", "students/ada/report.html"},
      {"digest", "00ff"},
      {"shapes.ledger", "4"},
      {"values.sum", "0"}};
  EXPECT_EQ(row, expected);
}

TEST(ClassCsvTest, WhatIsNotThereIsEmptyNotZero) {
  ClassResults results = one_student();
  results.students[0] = {};
  results.students[0].id = "ada";
  const auto row = rows_of(results).at(0);
  EXPECT_EQ(row.at("status"), "missing");
  for (const char* column : {"attempt", "submitted_at", "computed_score", "final_score",
                             "shapes.ledger", "values.sum"}) {
    EXPECT_EQ(row.at(column), "") << column;
  }
}

TEST(ClassCsvTest, NoFieldIsAFormula) {
  const std::string text = class_csv(examples::hostile_class());
  const CsvTable table = read_csv(text, "class.csv");
  for (const CsvRow& row : table.rows) {
    for (const std::string& field : row.fields) {
      ASSERT_TRUE(field.empty() || std::string("=+@\t\r\n").find(field[0]) == std::string::npos)
          << field;
    }
  }
}

TEST(ClassCsvTest, NobodyIsAHeader) {
  EXPECT_TRUE(rows_of(examples::class_of(0)).empty());
  EXPECT_TRUE(class_csv(examples::class_of(0)).starts_with("student,name,section,status,"));
}

TEST(ClassCsvTest, TwoThousandStudentsAreTwoThousandRows) {
  EXPECT_EQ(rows_of(examples::class_of(2000)).size(), 2000U);
}

TEST(ClassCsvTest, TimesBeyondTheCalendarAreLeftOut) {
  ClassResults results = one_student();
  for (const std::int64_t time :
       {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    results.students[0].submitted_at = time;
    EXPECT_EQ(rows_of(results).at(0).at("submitted_at"), "");
  }
}

TEST(ClassCsvTest, ResultsThatContradictThemselvesAreABug) {
  ClassResults results = one_student();
  results.students[0].checks.pop_back();
  EXPECT_THROW(static_cast<void>(class_csv(results)), InternalFault);
}

}  // namespace
}  // namespace grader
