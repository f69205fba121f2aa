#include "grader/lms/formats/moodle_gradebook.hpp"

#include "grader/batch/identity.hpp"
#include "grader/lms/class_fixture.hpp"

namespace grader {
namespace {

class MoodleGradebookTest : public ClassFormatTest {
 protected:
  StudentResult& with_email(const std::string& id, std::optional<double> score) {
    StudentResult& student = add(id, score);
    student.email = id + "@x.org";
    return student;
  }
};

TEST_F(MoodleGradebookTest, HasARowForEachScoreAndMoodleTakesAllOfThem) {
  with_email("jane", 65.6).adjustments = {"Two days late: 20 % off."};
  with_email("richard", 0).status = StudentStatus::not_built;
  const Exported exported = run("moodle-gradebook");
  EXPECT_TRUE(exported.left_out.empty());
  const auto read =
      read_by("moodle-gradebook", exported.files.at(0).bytes, {"jane@x.org", "richard@x.org"});
  const nlohmann::json header = {"Email address", "Attention", "Feedback comments"};
  EXPECT_EQ(read["header"], header);
  const nlohmann::json grades = {
      {"jane@x.org", {65.6, "65.6 of 100 points. Two days late: 20 % off."}},
      {"richard@x.org", {0.0, "0 of 100 points: does not compile."}}};
  EXPECT_EQ(read["grades"], grades);
}

TEST_F(MoodleGradebookTest, StudentsAreCalledByWhatMostOfThemHave) {
  with_email("jane", 1).lms_ids["moodle_username"] = "jdoe";
  with_email("richard", 2).lms_ids["moodle_username"] = "rroe";
  with_email("zoe", 3).lms_ids["moodle_idnumber"] = "m-3";
  EXPECT_TRUE(run("moodle-gradebook").files.at(0).bytes.starts_with("Email address,"));
  results_.students[2].lms_ids["moodle_username"] = "zoe";
  EXPECT_TRUE(run("moodle-gradebook").files.at(0).bytes.starts_with("Username,"));
  results_.students[0].lms_ids["moodle_idnumber"] = "m-1";
  results_.students[1].lms_ids["moodle_idnumber"] = "m-2";
  EXPECT_TRUE(run("moodle-gradebook").files.at(0).bytes.starts_with("ID number,"));
  EXPECT_TRUE(
      run("moodle-gradebook", {}, "=Quiz 1").files.at(0).bytes.starts_with("ID number,'=Quiz 1,"));
}

TEST_F(MoodleGradebookTest, NothingThatWouldStopTheImportIsInIt) {
  with_email("jane", 50);
  with_email("above", 101).is_overridden = true;
  with_email("missing", std::nullopt);
  with_email("excused", std::nullopt).status = StudentStatus::excused;
  add("nobody", 50);
  with_email("twin", 50).email = "Other@x.org";
  with_email("double", 50).email = "other@x.org";
  with_email("cut", 50).email = identity_text(std::string(150, 'm') + "@x.org");
  with_email("hidden", 50).email = identity_text("hid\u200fden@x.org");
  const Exported exported = run("moodle-gradebook");
  EXPECT_EQ(exported.left_out, (std::vector<std::string>{
                                   ("above has 101 points, and Moodle's import takes no more than "
                                    "100"),
                                   "missing has handed nothing in",
                                   "excused is excused, which Moodle's import cannot say",
                                   "nobody has no Email address of Moodle in the roster",
                                   "twin has the Email address of another student",
                                   "double has the Email address of another student",
                                   ("cut has a too long Email address, or characters in it that "
                                    "cannot be seen"),
                                   ("hidden has a too long Email address, or characters in it that "
                                    "cannot be seen")}));
  const auto read = read_by("moodle-gradebook", exported.files.at(0).bytes, {"jane@x.org"});
  EXPECT_EQ(read["grades"].size(), 1U);
}

TEST(IdentityTest, KnowsWhichAreWhole) {
  for (const std::string text : {"jane", "~", "a~b", "m-1", "jane~12345", "~deadbeef!"}) {
    EXPECT_FALSE(is_in_part(identity_text(text))) << text;
  }
  for (const std::string& text :
       {std::string(200, 'm'), std::string("a\x1b"), std::string("a\u202e"), std::string("\xff")}) {
    EXPECT_TRUE(is_in_part(identity_text(text))) << identity_text(text);
  }
}

TEST_F(MoodleGradebookTest, WithoutAnIdOfMoodleThereIsNothingToExport) {
  add("jane", 50);
  EXPECT_NE(complaint("moodle-gradebook")
                .find("Nobody is left for Moodle's gradebook: jane has no ID number of Moodle"),
            std::string::npos);
  results_.students.clear();
  EXPECT_NE(complaint("moodle-gradebook").find("no results to export"), std::string::npos);
}

}  // namespace
}  // namespace grader
