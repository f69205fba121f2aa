#include "grader/lms/formats/moodle.hpp"

#include "grader/lms/class_fixture.hpp"

namespace grader {
namespace {

const std::string kEnglish =
    "\xef\xbb\xbf"
    "Identifier,\"Full name\",\"ID number\",\"Email address\",Status,Grade,\"Maximum grade\","
    "\"Grade can be changed\",\"Last modified (submission)\",\"Last modified (grade)\","
    "\"Feedback comments\"\n"
    "\"Participant 1001\",\"Jane Doe\",m-1,jane@x.org,\"Submitted for grading - \",,100.00,Yes,"
    "\"Monday, 30 November 2026, 2:05 PM\",-,\"<p>see, \"\"me\"\"</p>\"\n"
    "\"Participant 1002\",\"Richard Roe\",m-2,roe@x.org,\"Submitted for grading - Graded\",40.00,"
    "100.00,Yes,\"Monday, 30 November 2026, 2:05 PM\",\"Monday, 30 November 2026, 3:00 PM\",\n"
    "\"Participant 1003\",\"Zoë 王\",,,\"No submission - \",,100.00,No,-,-,\n";

// Marked blind; the words of a German site, which has no blank behind "Teilnehmer/in".
const std::string kGerman =
    "ID,Status,Bewertung,Bestwertung,\"Bewertung kann geändert werden\","
    "\"Zuletzt geändert (Abgabe)\",\"Zuletzt geändert (Bewertung)\",\"Feedback als Kommentar\"\r\n"
    "Teilnehmer/in1001,Zur Bewertung abgegeben,,\"100,00\",Ja,-,-,\r\n"
    "Teilnehmer/in1002,Zur Bewertung abgegeben,\"40,00\",\"100,00\",Ja,-,-,\r\n";

class MoodleTest : public ClassFormatTest {
 protected:
  StudentResult& known(const std::string& id, std::optional<double> score,
                       const std::string& participant) {
    StudentResult& student = add(id, score);
    student.lms_ids["moodle_participant"] = participant;
    return student;
  }
  nlohmann::json grades(const Exported& exported) {
    return read_by(
        "moodle-worksheet", exported.files.at(0).bytes,
        {"Identifier", "Grade", "Last modified (grade)", "Participant ", ".", "100"})["grades"];
  }
};

TEST_F(MoodleTest, TheGradesAreFilledInAndAllElseIsByteForByteTheSame) {
  known("jane", 65.6, "1001");
  known("richard", 40, "1002");
  const Exported exported = run("moodle", kEnglish);
  std::string expected = kEnglish;
  expected.replace(expected.find("- \",,100.00,Yes"), 15, "- \",65.6,100.00,Yes");
  EXPECT_EQ(exported.files.at(0).bytes, expected);
  EXPECT_TRUE(exported.left_out.empty());
  EXPECT_TRUE(says(exported.notices, "Column \"Grade\": 1 cell filled in, 1 the same already."));
  const nlohmann::json read = {{"1001", 65.6}, {"1002", 40.0}};
  EXPECT_EQ(grades(exported), read);
}

TEST_F(MoodleTest, NumbersThatAreMixedUpGiveNobodyAnothersGrade) {
  StudentResult& jane = known("s1", 90, "1002");
  jane.name = "Jane Doe";
  jane.email = "jane@x.org";
  StudentResult& richard = known("s2", 20, "1001");
  richard.email = "roe@x.org";
  known("s3", 50, "1003");
  const Exported exported = run("moodle", kEnglish);
  EXPECT_EQ(exported.left_out, (std::vector<std::string>{
                                   "s1 has the moodle_participant of a row of the worksheet that "
                                   "is somebody else's, Richard Roe (roe@x.org)",
                                   "s2 has the moodle_participant of a row of the worksheet that "
                                   "is somebody else's, Jane Doe (jane@x.org)",
                                   "s3 has a grade that cannot be changed in Moodle"}));
  EXPECT_EQ(exported.files.at(0).bytes, kEnglish);
}

TEST_F(MoodleTest, EveryLanguageIsReadAndKeepsItsDecimalComma) {
  known("a", 65.6, "1001");
  known("b", 40.5, "1002");
  const Exported exported = run("moodle", kGerman);
  std::string expected = kGerman;
  expected.replace(expected.find("abgegeben,,"), 11, "abgegeben,\"65,6\",");
  expected.replace(expected.find("\"40,00\""), 7, "\"40,5\"");
  EXPECT_EQ(exported.files.at(0).bytes, expected);
  EXPECT_TRUE(says(exported.notices, "Column \"Bewertung\": 1 cell filled in, 1 changed."));
  const auto read =
      read_by("moodle-worksheet", exported.files.at(0).bytes,
              {"ID", "Bewertung", "Zuletzt geändert (Bewertung)", "Teilnehmer/in", ",", "100"});
  const nlohmann::json expected_grades = {{"1001", 65.6}, {"1002", 40.5}};
  EXPECT_EQ(read["grades"], expected_grades);
}

TEST_F(MoodleTest, StudentsAreFoundByIdNumberUserNameAddressAndName) {
  add("x", 1).lms_ids["moodle_idnumber"] = "M-1";
  add("y", 2, "Roe, Richard").email = "roe@x.org";
  const Exported exported = run("moodle", kEnglish);
  const nlohmann::json read = {{"1001", 1.0}, {"1002", 2.0}};
  EXPECT_EQ(grades(exported), read);
  results_.students.clear();
  add("Participant 1001", 3);
  add("z", 4, "Richard Roe");
  const Exported second = run("moodle", kEnglish);
  const nlohmann::json read_again = {{"1001", 3.0}, {"1002", 4.0}};
  EXPECT_EQ(grades(second), read_again);
  EXPECT_TRUE(says(second.notices, "Found by name alone: z."));
}

TEST_F(MoodleTest, WhatMoodleWouldPassOverIsNotWritten) {
  known("jane", 101, "1001").is_overridden = true;
  known("zoe", 70, "1003");
  known("richard", 50, "1002");
  const Exported exported = run("moodle", kEnglish);
  EXPECT_EQ(exported.left_out,
            (std::vector<std::string>{"jane has 101 points, and Moodle takes no more than 100",
                                      "zoe has a grade that cannot be changed in Moodle"}));
  EXPECT_EQ(grades(exported).dump(), R"({"1002":50.0})");
}

TEST_F(MoodleTest, WhoHasNoScoreKeepsTheirCellAndIsNamed) {
  known("jane", std::nullopt, "1001").status = StudentStatus::excused;
  known("richard", std::nullopt, "1002");
  known("zoe", 5, "1003").needs_attention = "Somebody should look.";
  const Exported exported = run("moodle", kEnglish);
  EXPECT_EQ(exported.files.at(0).bytes, kEnglish);
  EXPECT_EQ(exported.left_out,
            (std::vector<std::string>{"jane is excused, which Moodle's worksheet cannot say",
                                      "richard has handed nothing in",
                                      "zoe needs attention: Somebody should look."}));
}

TEST_F(MoodleTest, AnotherAssignmentsWorksheetIsRefused) {
  // Numbers of participants are of one assignment; that the addresses are the same means nothing.
  known("jane", 50, "2001").email = "jane@x.org";
  EXPECT_NE(complaint("moodle", kEnglish).find("Nobody with a result is in the worksheet"),
            std::string::npos);
  results_.max_score = 20;
  EXPECT_NE(complaint("moodle", kEnglish)
                .find("In Moodle the maximum grade is 100, and this assignment has 20 points."),
            std::string::npos);
}

TEST_F(MoodleTest, WhereSeveralColumnsCouldBeTheGradesTheirNameDecides) {
  const std::string sheet =
      "Identifier,Full name,Phone,Group,Status,Grade,Maximum grade,Last modified (grade)\n"
      "Participant 1001,Jane Doe,,7,x,,100.00,-\n"
      "Participant 1002,Richard Roe,5,7,x,,100.00,-\n";
  known("jane", 50, "1001");
  EXPECT_EQ(grades(run("moodle", sheet)).dump(), R"({"1001":50.0})");
  std::string unknown = sheet;
  unknown.replace(unknown.find("Grade,"), 6, "Arvio,");
  EXPECT_NE(complaint("moodle", unknown).find("which column holds the grades cannot be told"),
            std::string::npos);
  EXPECT_TRUE(says(run("moodle", unknown, "Arvio").notices, "Column \"Arvio\""));
  EXPECT_NE(complaint("moodle", unknown, "Status").find("no column Status of numbers"),
            std::string::npos);
}

TEST_F(MoodleTest, AScaleCannotBeFilledIn) {
  const std::string sheet =
      "Identifier,Full name,Status,Grade,Scale\n"
      "Participant 1001,Jane Doe,x,,\"bad\ngood\"\n";
  known("jane", 50, "1001");
  EXPECT_NE(complaint("moodle", sheet).find("graded by a scale"), std::string::npos);
}

TEST_F(MoodleTest, WhatIsNoWorksheetIsRefused) {
  EXPECT_NE(complaint("moodle").find("Download grading worksheet"), std::string::npos);
  for (const char* sheet : {"id,Grade,Maximum grade\n12,,100\n", "a,b,c\nP 1,,100\nQ 2,,100\n",
                            "a,b,c\nParticipant,,100\n", "Identifier,Grade,Maximum grade\n"}) {
    EXPECT_NE(complaint("moodle", sheet).find("is no grading worksheet of Moodle"),
              std::string::npos)
        << sheet;
  }
}

}  // namespace
}  // namespace grader
