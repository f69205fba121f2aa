#include "grader/batch/roster.hpp"

#include <gtest/gtest.h>

#include "grader/base/fault.hpp"

namespace grader {
namespace {

using Lines = std::vector<std::string>;

std::string complaint(const std::string& text) {
  try {
    roster_from_csv(text, "roster.csv");
  } catch (const UsageFault& fault) {
    EXPECT_FALSE(fault.hint().empty());
    return fault.what();
  }
  return "accepted";
}

Lines ids(const std::vector<Student>& students) {
  Lines result;
  for (const Student& student : students) result.push_back(student.id);
  return result;
}

TEST(RosterTest, ReadsEveryColumnInAnyOrder) {
  const Roster roster = roster_from_csv(
      "Excused;ID;name;section;email;canvas_user;Moodle Participant;user-name;github_username;"
      "extension_days;late_days_used;due;submitted\r\n"
      "no;s1;\"Doe; Jane\";A;jane@x.org;11;22;jdoe;JaneD;2;1;2026-12-01T10:00:00Z;"
      "2026-12-01T09:00:00+01:00\r\n"
      "x; s2 ;Zoë 王;;;;;;;;;;\r\n",
      "roster.csv");
  ASSERT_EQ(roster.problems, Lines{});
  ASSERT_EQ(ids(roster.students), (Lines{"s1", "s2"}));
  const Student& jane = roster.students[0];
  EXPECT_EQ(jane.name, "Doe; Jane");
  EXPECT_EQ(jane.section, "A");
  EXPECT_EQ(jane.lms_ids.at("canvas_user"), "11");
  EXPECT_EQ(jane.lms_ids.at("moodle_participant"), "22");
  EXPECT_EQ(jane.lms_ids.at("blackboard_user"), "jdoe");
  EXPECT_EQ(jane.lms_ids.at("github_user"), "JaneD");
  EXPECT_EQ(jane.extension_days, 2);
  EXPECT_EQ(jane.late_days_used, 1);
  EXPECT_EQ(jane.due, 1796119200);
  EXPECT_EQ(jane.submitted_at, 1796112000);
  EXPECT_FALSE(jane.excused);
  EXPECT_EQ(jane.row, 2U);
  EXPECT_TRUE(roster.students[1].excused);
}

TEST(RosterTest, ReadsWhatPlatformsExport) {
  const Roster canvas = roster_from_csv(
      "Student,ID,SIS User ID,SIS Login ID,Section,Attention (77)\n"
      "    Points Possible,,,,,100\n"
      "\"Doe, Jane\",11,s1,jdoe,A,\n",
      "grades.csv");
  EXPECT_EQ(canvas.problems, Lines{});
  ASSERT_EQ(ids(canvas.students), Lines{"11"});
  EXPECT_EQ(canvas.students[0].name, "Doe, Jane");
  EXPECT_EQ(canvas.students[0].lms_ids.at("canvas_sis_user"), "s1");
  EXPECT_EQ(canvas.students[0].lms_ids.at("canvas_login"), "jdoe");
  EXPECT_EQ(canvas.students[0].lms_ids.at("blackboard_user"), "jdoe");
  const Roster moodle = roster_from_csv(
      "Identifier,Full name,Email address,Grade\nParticipant 22,Jane Doe,jane@x.org,\n", "m.csv");
  EXPECT_EQ(moodle.students.at(0).lms_ids.at("moodle_participant"), "22");
  const Roster gradescope =
      roster_from_csv("First Name,Last Name,SID,Email\nJane,Doe,s1,jane@x.org\n", "g.csv");
  EXPECT_EQ(gradescope.students.at(0).name, "Jane Doe");
}

TEST(RosterTest, KeepsWhatPlatformsCallStudentsForExports) {
  const std::string user(255, 'u');
  const Roster roster = roster_from_csv(
      "id,canvas_sis_user,canvas_login,ID number,moodle_username,LTI user\n"
      "s1,sis-1,jane@x.org,m-1,jane.doe," +
          user + "\n",
      "roster.csv");
  const std::map<std::string, std::string> expected = {{"canvas_sis_user", "sis-1"},
                                                       {"canvas_login", "jane@x.org"},
                                                       {"moodle_idnumber", "m-1"},
                                                       {"moodle_username", "jane.doe"},
                                                       {"lti_user", user}};
  EXPECT_EQ(roster.students.at(0).lms_ids, expected);
}

TEST(RosterTest, WithoutIdsThereIsNoRoster) {
  EXPECT_EQ(complaint("name,section\nJane,A\n"),
            "roster.csv: there is no column of ids; its columns are name, section.");
  EXPECT_THROW(read_roster("/nonexistent.csv"), UsageFault);
}

TEST(RosterTest, RowsThatShareAnIdAreNotUsed) {
  const Roster roster = roster_from_csv("id,name\ns1,a\ns2,b\nS1,c\ns3,d\ns1,e\n", "roster.csv");
  EXPECT_EQ(ids(roster.students), (Lines{"s2", "s3"}));
  EXPECT_EQ(roster.problems, Lines{"Row 2 has the same id s1 as row 4, 6: none of them is used "
                                   "until the file is corrected."});
}

TEST(RosterTest, IdsThatDifferOnlyInTheFormOfLettersAreTheSame) {
  const Roster roster =
      roster_from_csv("id,name\nJos\xc3\xa9,a\njose\xcc\x81,b\ns3,d\n", "roster.csv");
  EXPECT_EQ(ids(roster.students), Lines{"s3"});
  ASSERT_EQ(roster.problems.size(), 1U);
  EXPECT_NE(roster.problems[0].find("as row 3"), std::string::npos) << roster.problems[0];
}

TEST(RosterTest, SaysWhichRowsCannotBeUsed) {
  const Roster roster = roster_from_csv(
      "id,name,extension_days,excused,due\n"
      "s1,a,soon,,\ns2,b,-1,,\ns3,c,,maybe,\ns4,d,,,30.11.2026\n,e,,,\n",
      "roster.csv");
  EXPECT_EQ(ids(roster.students), (Lines{"s1", "s2", "s3", "s4"}));
  EXPECT_EQ(roster.problems,
            (Lines{
                "Row 2: extension_days \"soon\" is no whole number of days from 0 on.",
                "Row 3: extension_days \"-1\" is no whole number of days from 0 on.",
                "Row 4: excused \"maybe\" is neither yes nor no.",
                "Row 5: due \"30.11.2026\" is no moment such as 2026-11-30T23:59:00+01:00.",
                "Row 6 has no id and is left out.",
            }));
  EXPECT_EQ(roster.students[0].problem, roster.problems[0]);
}

TEST(RosterTest, TextsAreFitToShow) {
  const Roster roster = roster_from_csv("id,name\n\"a\x1b[31m\",\"x\ny\"\n", "roster.csv");
  EXPECT_EQ(roster.students.at(0).id.find('\x1b'), std::string::npos);
  EXPECT_EQ(roster.students.at(0).name.find('\n'), std::string::npos);
}

Attempt attempt(const std::string& student, const std::string& name,
                std::map<std::string, std::string> lms_ids = {}) {
  Attempt result;
  result.student = student;
  result.name = name;
  result.lms_ids = std::move(lms_ids);
  return result;
}

Lines students(const Roll& roll) {
  Lines result;
  for (const Attempt& one : roll.attempts) {
    result.push_back(one.student + ", " + one.name + ", " + std::to_string(one.number));
  }
  return result;
}

TEST(RollTest, MatchesIdsOfEveryPlatform) {
  const Roster roster = roster_from_csv(
      "id,name,canvas_user,user_name,github_username,email\n"
      "s1,Jane Doe,11,,,\n"
      "s2,Richard Roe,,rroe,,\n"
      "s3,Zoë 王,,,z-w,\n"
      "s4,Pat,,,,pat@x.org\n"
      "s5,Jose\xcc\x81,,,,\n",
      "roster.csv");
  const Roll roll = call_roll(
      {
          attempt("11", "doejane", {{"canvas_user", "11"}}),
          attempt("RRoe", "Roe, Richard", {{"blackboard_user", "RRoe"}}),
          attempt("w", "", {{"github_repository", "hw-1-Z-W"}}),
          attempt("x", "Pat", {{"gradescope_email", "PAT@x.org"}}),
          attempt("S5", ""),
      },
      roster);
  EXPECT_EQ(students(roll), (Lines{"s1, Jane Doe, 1", "s2, Richard Roe, 1", "s3, Zoë 王, 1",
                                   "s4, Pat, 1", "s5, José, 1"}));
  EXPECT_EQ(roll.notices, Lines{});
  EXPECT_TRUE(roll.unmatched.empty() && roll.missing.empty());
}

TEST(RollTest, ListsWhoIsUnknownAndWhoIsMissing) {
  const Roster roster = roster_from_csv("id,name\ns1,a\ns2,b\n", "roster.csv");
  const Roll roll = call_roll({attempt("s1", ""), attempt("s9", ""), attempt("s9", "")}, roster);
  EXPECT_EQ(students(roll), (Lines{"s1, a, 1", "s9, , 1", "s9, , 2"}));
  EXPECT_EQ(roll.unmatched, Lines{"s9"});
  EXPECT_EQ(ids(roll.missing), Lines{"s2"});
}

TEST(RollTest, AnotherPlatformsNumberIsNobodysId) {
  // The roster knows whom Canvas calls 11; that s1's own id is 12 says nothing about Canvas's 12.
  const Roster roster = roster_from_csv("id,name,canvas_user\n12,Jane Doe,11\n", "roster.csv");
  const Roll roll = call_roll({attempt("12", "roerichard", {{"canvas_user", "12"}})}, roster);
  EXPECT_EQ(roll.attempts[0].student, "12 (not in the roster)");
  EXPECT_EQ(roll.unmatched, Lines{"12 (not in the roster)"});
  EXPECT_EQ(ids(roll.missing), Lines{"12"});
}

TEST(RollTest, DifferentNamesForOneIdAreSaid) {
  const Roster roster = roster_from_csv("id,name\n11,Jane Doe\n", "roster.csv");
  const Roll roll = call_roll({attempt("11", "roerichard", {{"canvas_user", "11"}})}, roster);
  EXPECT_EQ(roll.attempts[0].student, "11");
  ASSERT_EQ(roll.notices.size(), 1U);
  EXPECT_NE(roll.notices[0].find("roerichard / Jane Doe (row 2)"), std::string::npos);
}

TEST(RollTest, ANameMatchesOnlyWhereItIsOnePersons) {
  const Roster roster = roster_from_csv(
      "id,name\ns1,Jane Doe\ns2,\"Roe, Richard\"\ns3,Sam Lee\ns4,Sam Lee\n", "roster.csv");
  const Roll roll = call_roll(
      {
          attempt("11", "Jane Doe", {{"moodle_participant", "11"}}),
          attempt("12", "Jane Doe", {{"moodle_participant", "12"}}),
          attempt("22", "Richard Roe", {{"moodle_participant", "22"}}),
          attempt("33", "Sam Lee", {{"moodle_participant", "33"}}),
      },
      roster);
  EXPECT_EQ(roll.unmatched, (Lines{"11", "12", "33"}));
  EXPECT_EQ(roll.notices, Lines{"Matched by name alone: Roe, Richard (row 3)."});
}

TEST(RollTest, TwoStudentsOfOneRowAreMatchedWithNone) {
  const Roster roster = roster_from_csv("id,name\njdoe,Jane Doe\n", "roster.csv");
  const Roll roll = call_roll({attempt("JDoe", ""), attempt("jdoe", "")}, roster);
  ASSERT_EQ(roll.unmatched.size(), 2U);
  EXPECT_NE(roll.unmatched[0], roll.unmatched[1]);
  ASSERT_EQ(roll.notices.size(), 1U);
  EXPECT_NE(roll.notices[0].find("matched with none"), std::string::npos);
}

TEST(RollTest, OnePersonOnTwoPlatformsIsOne) {
  const Roster roster =
      roster_from_csv("id,name,canvas_user,user_name\ns1,Jane Doe,11,jdoe\n", "roster.csv");
  Attempt later = attempt("11", "doejane", {{"canvas_user", "11"}});
  Attempt earlier = attempt("jdoe", "Jane Doe", {{"blackboard_user", "jdoe"}});
  later.submitted_at = 200;
  earlier.submitted_at = 100;
  const Roll roll = call_roll({later, earlier}, roster);
  ASSERT_EQ(students(roll), (Lines{"s1, Jane Doe, 1", "s1, Jane Doe, 2"}));
  EXPECT_EQ(roll.attempts[0].submitted_at, 100);
}

}  // namespace
}  // namespace grader
