// Names and texts of a hostile class in every format, read back by the platforms' own rules.
#include "grader/base/plain_text.hpp"
#include "grader/class_report/example_classes.hpp"
#include "grader/class_report/handed_on.hpp"
#include "grader/csv/csv.hpp"
#include "grader/lms/class_fixture.hpp"

namespace grader {
namespace {

class HostileClassTest : public ClassFormatTest {
 protected:
  HostileClassTest() {
    results_ = examples::hostile_class();
    for (std::size_t place = 0; place < results_.students.size(); ++place) {
      StudentResult& student = results_.students[place];
      student.is_overridden = false;
      student.needs_attention.clear();
      student.lms_ids["canvas_user"] = student.lms_ids["moodle_participant"] =
          std::to_string(1000 + place);
      student.lms_ids["moodle_idnumber"] = "m-" + std::to_string(1000 + place);
    }
  }

  /// The students' names as a platform would write them.
  static std::string shown(const StudentResult& student) {
    return plain_line(student.name, std::size_t{200});
  }

  /// What each student with a score was given, by number.
  [[nodiscard]] std::map<std::string, double> given() const {
    std::map<std::string, double> scores;
    for (const StudentResult& student : results_.students) {
      const HandedOn result = handed_on(student);
      if (result.score) scores[student.lms_ids.at("canvas_user")] = *result.score;
    }
    EXPECT_GT(scores.size(), 20U);
    return scores;
  }
};

TEST_F(HostileClassTest, CanvasReadsEachScoreInTheRightRow) {
  CsvWriter sheet;
  for (const char* field : {"Student", "ID", "SIS Login ID", "Section"}) sheet.verbatim(field);
  sheet.verbatim("Attention (4711)").end_row();
  sheet.verbatim("    Points Possible").empty().empty().empty();
  sheet.verbatim(points_text(results_.max_score)).end_row();
  for (const StudentResult& student : results_.students) {
    sheet.verbatim(shown(student)).verbatim(student.lms_ids.at("canvas_user"));
    sheet.empty().verbatim(shown(student)).empty().end_row();
  }
  const Exported exported = run("canvas", sheet.bytes(), "4711");
  const auto read = read_by("canvas-gradebook", exported.files.at(0).bytes)["grades"];
  const auto scores = given();
  ASSERT_EQ(read.size(), results_.students.size());
  for (const auto& [user, cells] : read.items()) {
    const std::string cell = cells["4711"];
    const auto score = scores.find(user);
    EXPECT_EQ(cell.empty() || cell == "EX" ? "" : cell,
              score == scores.end() ? "" : points_text(score->second));
  }
}

TEST_F(HostileClassTest, MoodleReadsEachScoreInTheRightRow) {
  CsvWriter sheet;
  for (const char* field : {"Identifier", "Full name", "Grade", "Maximum grade"}) {
    sheet.verbatim(field);
  }
  sheet.verbatim("Last modified (grade)").end_row();
  for (const StudentResult& student : results_.students) {
    sheet.verbatim("Participant " + student.lms_ids.at("moodle_participant"));
    sheet.verbatim(shown(student)).empty();
    sheet.verbatim(points_text(results_.max_score)).verbatim("-").end_row();
  }
  const Exported exported = run("moodle", sheet.bytes());
  const nlohmann::json expected = given();
  EXPECT_EQ(read_by("moodle-worksheet", exported.files.at(0).bytes,
                    {"Identifier", "Grade", "Last modified (grade)", "Participant ", ".",
                     points_text(results_.max_score)})["grades"],
            expected);
}

TEST_F(HostileClassTest, MoodlesImportTakesEveryRowAndNoTextIsAFormula) {
  std::vector<std::string> known;
  for (const auto& [number, score] : given()) known.push_back("m-" + number);
  const Exported exported = run("moodle-gradebook");
  const std::string& bytes = exported.files.at(0).bytes;
  EXPECT_TRUE(is_utf8(bytes));
  const auto read = read_by("moodle-gradebook", bytes, known);
  EXPECT_EQ(read["grades"].size(), known.size()) << read;
  for (const auto& [user, grade] : read["grades"].items()) {
    EXPECT_TRUE(grade[1].get<std::string>().find_first_of("=+-@") != 0) << grade[1];
  }
}

}  // namespace
}  // namespace grader
