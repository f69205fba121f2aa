#include "grader/lms/formats/canvas.hpp"

#include "grader/lms/class_fixture.hpp"

namespace grader {
namespace {

// As Canvas writes it, with an assignment that is posted by hand.
const std::string kGradebook =
    "Student,ID,SIS User ID,SIS Login ID,Section,Notes,Warm-up (4710),Attention (4711),"
    "Final Score\r\n"
    ",,,,,,,Manual Posting,\r\n"
    "    Points Possible,,,,,,10.00,100.00,(read only)\r\n"
    "\"Doe, Jane\",11,s1,jdoe,A,\"says \"\"hi\"\"\",10.00,,85.00\r\n"
    "\"Roe, Richard\",12,s2,rroe@x.org,A and B,,9.00,40.00,50.00\r\n"
    "\"O'Hara, Zoë 王\",13,s3,zoe,B,,,EX,\r\n"
    "\"=1+1, Bob\",14,s4,bob,B,,3.50,-,\r\n"
    "\"Student, Test\",15,,abcdef,A,,,,\r\n";

class CanvasTest : public ClassFormatTest {
 protected:
  StudentResult& known(const std::string& id, std::optional<double> score,
                       const std::string& canvas_user) {
    StudentResult& student = add(id, score);
    student.lms_ids["canvas_user"] = canvas_user;
    return student;
  }
  std::string cell(const Exported& exported, const std::string& user) {
    return read_by("canvas-gradebook", exported.files.at(0).bytes)["grades"][user]["4711"];
  }
};

TEST_F(CanvasTest, OneColumnIsFilledInAndAllElseIsByteForByteTheSame) {
  known("jane", 65.6, "11");
  known("richard", 40, "12");
  known("bob", 0, "14");
  const Exported exported = run("canvas", kGradebook);
  std::string expected = kGradebook;
  expected.replace(expected.find("10.00,,85.00"), 12, "10.00,65.6,85.00");
  expected.replace(expected.find("3.50,-,"), 7, "3.50,0,");
  EXPECT_EQ(exported.files.at(0).name, "canvas.csv");
  EXPECT_EQ(exported.files.at(0).bytes, expected);
  EXPECT_TRUE(exported.left_out.empty());
  EXPECT_TRUE(says(exported.notices,
                   "Column \"Attention (4711)\": 2 cells filled in, 1 the same already."));
  EXPECT_TRUE(says(exported.notices, "Of students who are not in the results: 2 rows"));
}

TEST_F(CanvasTest, CanvasReadsBackWhatWasGraded) {
  known("jane", 100.0 / 3, "11");
  known("richard", 0, "12");
  known("bob", 100, "14");
  const auto read = read_by("canvas-gradebook", run("canvas", kGradebook).files.at(0).bytes);
  EXPECT_EQ(read["points"]["4711"], "100.00");
  EXPECT_EQ(read["grades"]["11"]["4711"], "33.33");
  EXPECT_EQ(read["grades"]["12"]["4711"], "0");
  EXPECT_EQ(read["grades"]["14"]["4711"], "100");
  EXPECT_EQ(read["grades"]["11"]["4710"], "10.00");
  EXPECT_EQ(read["grades"].size(), 5U);
}

TEST_F(CanvasTest, DecimalCommasAndSemicolonsAreKept) {
  const std::string gradebook =
      "\xef\xbb\xbfStudent;ID;SIS Login ID;Section;Attention (4711)\n"
      "    Points Possible;;;;100,00\n"
      "\"Doe, Jane\";11;jdoe;A;\n"
      "Roe;12;rroe;A;\"12,50\"\n";
  known("jane", 65.6, "11");
  known("richard", 12.5, "12");
  const Exported exported = run("canvas", gradebook);
  std::string expected = gradebook;
  expected.replace(expected.find("jdoe;A;\n"), 8, "jdoe;A;65,6\n");
  EXPECT_EQ(exported.files.at(0).bytes, expected);
  EXPECT_EQ(cell(exported, "11"), "65.6");
}

TEST_F(CanvasTest, ADecimalCommaBetweenCommasIsQuoted) {
  const std::string gradebook =
      "Student,ID,SIS Login ID,Section,Attention (4711)\n"
      "    Points Possible,,,,\"100,00\"\n"
      "\"Doe, Jane\",11,jdoe,A,\n";
  known("jane", 65.6, "11");
  const Exported exported = run("canvas", gradebook);
  EXPECT_TRUE(exported.files.at(0).bytes.ends_with("jdoe,A,\"65,6\"\n"));
  EXPECT_EQ(cell(exported, "11"), "65.6");
}

TEST_F(CanvasTest, LastAndFirstNameMayHaveColumnsOfTheirOwn) {
  const std::string gradebook =
      "LastName,FirstName,ID,SIS User ID,SIS Login ID,Section,Attention (4711)\n"
      "    Points Possible,,,,,,100\n"
      "Doe,Jane,11,s1,jdoe,A,\n";
  add("s1", 50, "Jane Doe");
  EXPECT_EQ(cell(run("canvas", gradebook), "11"), "50");
}

TEST_F(CanvasTest, StudentsAreFoundBySisIdLoginAndAddressToo) {
  add("any", 1).lms_ids["canvas_sis_user"] = "s1";
  add("other", 2, "Richard Roe").email = "RRoe@x.org";
  add("bob", 3);
  const Exported exported = run("canvas", kGradebook);
  EXPECT_EQ(cell(exported, "11"), "1");
  EXPECT_EQ(cell(exported, "12"), "2");
  EXPECT_EQ(cell(exported, "14"), "3");
  EXPECT_TRUE(exported.left_out.empty());
}

TEST_F(CanvasTest, AnotherSystemsNumberIsNotTakenForCanvass) {
  add("11", 80);  // a number of students, and no name to tell
  add("12", 70, "Max Mustermann");
  add("richard", 60, "Roe, Richard");
  const Exported exported = run("canvas", kGradebook);
  EXPECT_EQ(cell(exported, "11"), "");
  EXPECT_EQ(cell(exported, "12"), "60");
  EXPECT_EQ(exported.left_out,
            (std::vector<std::string>{
                "11 is in no row of the worksheet",
                "12 has the id of a row of the worksheet with another name, Roe, Richard"}));
  EXPECT_TRUE(says(exported.notices, "Found by name alone: richard."));
}

TEST_F(CanvasTest, ExcusedIsSaidAndNobodyLosesIt) {
  known("jane", std::nullopt, "11").status = StudentStatus::excused;
  known("zoe", 70, "13");
  const Exported exported = run("canvas", kGradebook);
  EXPECT_EQ(cell(exported, "11"), "EX");
  EXPECT_EQ(cell(exported, "13"), "EX");
  EXPECT_EQ(exported.left_out,
            std::vector<std::string>{"zoe has a score, but is excused in the worksheet"});
}

TEST_F(CanvasTest, WhatIsNotDecidedIsNeverAZero) {
  known("richard", std::nullopt, "12");
  known("jane", 80, "11").needs_attention = "Late, nobody knows how late.";
  StudentResult& failed = known("bob", std::nullopt, "14");
  failed.status = StudentStatus::needs_attention;
  failed.needs_attention = "The disk was full.";
  const Exported exported = run("canvas", kGradebook);
  EXPECT_EQ(exported.files.at(0).bytes, kGradebook);
  EXPECT_EQ(exported.left_out,
            (std::vector<std::string>{"richard has handed nothing in",
                                      "jane needs attention: Late, nobody knows how late.",
                                      "bob needs attention: The disk was full."}));
}

TEST_F(CanvasTest, GradesThatAreReplacedAreCounted) {
  known("richard", 41, "12");
  StudentResult& decided = known("jane", 110, "11");
  decided.is_overridden = true;
  const Exported exported = run("canvas", kGradebook);
  EXPECT_TRUE(says(exported.notices, "1 cell filled in, 1 changed."));
  EXPECT_EQ(cell(exported, "11"), "110");  // Canvas takes more than the possible points
}

TEST_F(CanvasTest, WhoIsNotGivenTheAssignmentIsNamed) {
  std::string gradebook = kGradebook;
  gradebook.replace(gradebook.find("9.00,40.00"), 10, "9.00,N/A");
  known("richard", 41, "12");
  known("jane", 1, "11");
  const Exported exported = run("canvas", gradebook);
  EXPECT_EQ(cell(exported, "12"), "N/A");
  EXPECT_EQ(exported.left_out,
            std::vector<std::string>{"richard is not given this assignment in Canvas (N/A)"});
}

TEST_F(CanvasTest, TheColumnIsNamedByTitleIdOrBoth) {
  results_.assignment_title = "Causal attention";
  known("jane", 5, "11");
  EXPECT_EQ(complaint("canvas", kGradebook),
            "sheet.csv has no column of an assignment called Causal attention. / Name one of its "
            "columns with --column, by its title or its id: Warm-up (4710), Attention (4711).");
  for (const char* column : {"Attention", "4711", "Attention (4711)"}) {
    EXPECT_EQ(cell(run("canvas", kGradebook, column), "11"), "5") << column;
  }
  std::string twins = kGradebook;
  twins.replace(twins.find("Warm-up"), 7, "Attention");
  EXPECT_NE(complaint("canvas", twins, "Attention").find("2 columns"), std::string::npos);
  EXPECT_EQ(cell(run("canvas", twins, "4711"), "11"), "5");
}

TEST_F(CanvasTest, AnotherAssignmentIsKnownByItsPoints) {
  known("jane", 5, "11");
  EXPECT_TRUE(complaint("canvas", kGradebook, "Warm-up")
                  .starts_with("In Canvas Warm-up (4710) has 10.00 points, and this assignment has "
                               "100. / "));
  std::string closed = kGradebook;
  closed.replace(closed.find("100.00"), 6, "(read only)");
  EXPECT_NE(complaint("canvas", closed).find("it is read only"), std::string::npos);
}

TEST_F(CanvasTest, AnotherCoursesGradebookIsRefused) {
  known("jane", 5, "91");
  known("bob", 5, "92");
  const std::string text = complaint("canvas", kGradebook);
  EXPECT_NE(text.find("Nobody with a result is in the worksheet: jane is in no row of the "
                      "worksheet: none has the canvas_user 91."),
            std::string::npos)
      << text;
  known("cy", 5, "11");
  EXPECT_TRUE(says(run("canvas", kGradebook).notices, "Only 1 of 3 students are in the worksheet"));
}

TEST_F(CanvasTest, WhatIsNoGradebookIsRefused) {
  EXPECT_NE(complaint("canvas").find("Export Entire Gradebook"), std::string::npos);
  EXPECT_NE(complaint("canvas", "id,name\n1,a\n").find("first columns are not Student and ID"),
            std::string::npos);
  EXPECT_NE(complaint("canvas", "Student,ID,Attention (1)\na,1,\n").find("no column Section"),
            std::string::npos);
  EXPECT_NE(complaint("canvas", "Student,ID,Section,Attention (1)\na,1,A,\n").find("no row Points"),
            std::string::npos);
  EXPECT_NE(complaint("canvas", "").find("it is empty"), std::string::npos);
}

}  // namespace
}  // namespace grader
