#include "grader/batch/download_fixture.hpp"

namespace grader {
namespace {

using CanvasTest = DownloadTest;
using MoodleTest = DownloadTest;
using GradescopeTest = DownloadTest;
using BlackboardTest = DownloadTest;
using GitHubClassroomTest = DownloadTest;
using PlainTest = DownloadTest;

TEST_F(CanvasTest, NamesHoldPersonLatenessAndIds) {
  write("doejane_11_100_attention.cpp");
  write("roerichard_LATE_22_101_my_1_2_work.cpp");
  write("o_brien_pat_33_102_attention.zip");
  write("王小明_44_103_attention.cpp");
  write("muellerlate_late_55_104_attention.cpp");
  const Collection collection = collected();
  EXPECT_EQ(lines(collection),
            (Lines{
                "11, doejane, 1, doejane_11_100_attention.cpp",
                "22, roerichard, 1, roerichard_LATE_22_101_my_1_2_work.cpp, late",
                "33, o_brien_pat, 1, o_brien_pat_33_102_attention.zip",
                "44, 王小明, 1, 王小明_44_103_attention.cpp",
                "55, muellerlate, 1, muellerlate_late_55_104_attention.cpp, late",
            }));
  EXPECT_EQ(collection.attempts[0].lms_ids.at("canvas_user"), "11");
  EXPECT_EQ(collection.attempts[0].lms_ids.at("canvas_attachment"), "100");
  EXPECT_EQ(collection.formats,
            Lines{"given is taken for a download from Canvas with 5 submissions."});
  EXPECT_TRUE(collection.left_out.empty());
}

TEST_F(CanvasTest, AnonymousIdsAreNoNumbers) {
  write("anon_aB3xZ_100_attention.cpp");
  write("anon_Qq1_LATE_101_attention.cpp");
  write("LATE_anon_zz9_102_attention.cpp");
  const Collection collection = collected();
  EXPECT_EQ(lines(collection), (Lines{
                                   "Qq1, , 1, anon_Qq1_LATE_101_attention.cpp, late",
                                   "aB3xZ, , 1, anon_aB3xZ_100_attention.cpp",
                                   "zz9, , 1, LATE_anon_zz9_102_attention.cpp, late",
                               }));
  EXPECT_EQ(collection.attempts[0].lms_ids.at("canvas_anonymous"), "Qq1");
}

TEST_F(CanvasTest, SeveralFilesOfOnePersonAreOneAttemptUnderTheirFirstNames) {
  write("doejane_11_99_attention-2.cpp", "main");
  write("doejane_11_100_helper-1.hpp", "header");
  write("doejane_11_101_report.pdf");
  const Collection collection = collected();
  EXPECT_EQ(lines(collection), Lines{"11, doejane, 1, attention.cpp+helper-1.hpp+helper.hpp"});
  EXPECT_EQ(content(collection.attempts[0].path / "attention.cpp"), "main");
  ASSERT_EQ(collection.attempts[0].notes.size(), 2U);
  EXPECT_EQ(collection.attempts[0].notes[0],
            "Canvas numbers files that are handed in again: attention-2.cpp is taken as "
            "attention.cpp.");
  EXPECT_TRUE(left_out(collection, "report.pdf", "neither a C++ source"));
}

TEST_F(CanvasTest, TheLaterOfTwoFilesOfOneNameCounts) {
  write("doejane_11_99_attention.cpp", "first");
  write("doejane_11_100_attention.cpp", "second");
  const Collection collection = collected();
  ASSERT_EQ(lines(collection), Lines{"11, doejane, 1, doejane_11_100_attention.cpp"});
  EXPECT_TRUE(left_out(collection, "doejane_11_99", "has the same name"));
}

TEST_F(CanvasTest, WhatWasTypedInIsAnAttemptToo) {
  write("doejane_11_text.html");
  write("roerichard_LATE_22_link.html");
  EXPECT_EQ(lines(collected()), (Lines{"11, doejane, 1, doejane_11_text.html",
                                       "22, roerichard, 1, roerichard_LATE_22_link.html, late"}));
}

TEST_F(CanvasTest, TwoPeopleWithOneIdGetAGradeEach) {
  write("doejane_11_100_attention.cpp");
  write("roerichard_11_101_attention.cpp");
  const Collection collection = collected();
  EXPECT_EQ(lines(collection),
            (Lines{"11 (doejane), doejane, 1, doejane_11_100_attention.cpp",
                   "11 (roerichard), roerichard, 1, roerichard_11_101_attention.cpp"}));
  EXPECT_EQ(collection.notices, Lines{"2 students have the id 11 (doejane, roerichard): each is "
                                      "graded, under id and name."});
}

TEST_F(CanvasTest, WhatIsNotNamedSoIsListed) {
  write("doejane_11_100_attention.cpp");
  write("roerichard_22_101_attention.cpp");
  write("instructions.txt");
  EXPECT_TRUE(left_out(collected(), "given: instructions.txt", "Canvas"));
}

TEST_F(MoodleTest, FoldersOfBothGenerations) {
  write("Jane Doe_11_assignsubmission_file_/attention.cpp");
  write("Richard Roe_22_assignsubmission_file/src/attention.cpp");
  write("Zoë 王_33_assignsubmission_file_/attention.cpp");
  write("Jane Doe_11_assignsubmission_onlinetext_/onlinetext.html");
  write("Participant_44_assignsubmission_onlinetext/onlinetext.html");
  const Collection collection = collected();
  EXPECT_EQ(lines(collection),
            (Lines{
                "11, Jane Doe, 1, Jane Doe_11_assignsubmission_file_/",
                "22, Richard Roe, 1, Richard Roe_22_assignsubmission_file/",
                "33, Zoë 王, 1, Zoë 王_33_assignsubmission_file_/",
                "44, Participant, 1, Participant_44_assignsubmission_onlinetext/",
            }));
  EXPECT_EQ(collection.attempts[0].lms_ids.at("moodle_participant"), "11");
  EXPECT_TRUE(left_out(collection, "Jane Doe_11_assignsubmission_onlinetext_", "typed"));
}

TEST_F(MoodleTest, FlatFilesOfOnePersonComeTogether) {
  write("Jane Doe_11_assignsubmission_file_attention.cpp", "main");
  write("Jane Doe_11_assignsubmission_file_helper.hpp");
  write("Richard Roe_22_assignsubmission_file_my_work.cpp");
  const Collection collection = collected();
  EXPECT_EQ(lines(collection),
            (Lines{
                "11, Jane Doe, 1, attention.cpp+helper.hpp",
                "22, Richard Roe, 1, Richard Roe_22_assignsubmission_file_my_work.cpp",
            }));
  EXPECT_EQ(content(collection.attempts[0].path / "attention.cpp"), "main");
}

TEST_F(MoodleTest, BlindMarkingHasNoNames) {
  write("Teilnehmer_11_assignsubmission_file_/attention.cpp");
  write("Teilnehmer_22_assignsubmission_file_/attention.cpp");
  EXPECT_EQ(lines(collected()), (Lines{"11, , 1, Teilnehmer_11_assignsubmission_file_/",
                                       "22, , 1, Teilnehmer_22_assignsubmission_file_/"}));
}

TEST_F(MoodleTest, ATeamMayHaveNoNumber) {
  write("Team Red_7_assignsubmission_file_/attention.cpp");
  write("Default group_assignsubmission_file_/attention.cpp");
  EXPECT_EQ(lines(collected()),
            (Lines{"7, Team Red, 1, Team Red_7_assignsubmission_file_/",
                   "Default group, Default group, 1, Default group_assignsubmission_file_/"}));
}

// As Gradescope writes it: symbols for keys, anchors where a value comes again.
constexpr const char* kMetadata = R"(---
submission_101:
  :submitters:
  - :name: Jane Doe
    :sid: '11'
    :email: jane@example.org
  :created_at: &1 2026-11-30 14:59:00.000000000 -08:00
  :score: 90.0
  :results:
    tests:
    - name: ":submitters"
      output: "- :name: Nobody"
  :history:
  - :created_at: *1
    :score: 10.0
submission_102:
  :submitters:
  - :name: "Richard \"R\" Roe"
    :sid:
    :email: richard@example.org
  - :name: Zoë 王
    :sid: '33'
    :email: zoe@example.org
  :created_at: *1
submission_103:
  :submitters:
  - :name: Lost
    :sid: '99'
  :created_at: yesterday
)";

TEST_F(GradescopeTest, MetadataSaysWhoseAndFromWhen) {
  write("assignment_5_export/submission_metadata.yml", kMetadata);
  write("assignment_5_export/submission_101/attention.cpp");
  write("assignment_5_export/submission_102/attention.cpp");
  write("assignment_5_export/submission_104/attention.cpp");
  write("__MACOSX/assignment_5_export/._submission_101");
  const Collection collection = collected();
  EXPECT_EQ(lines(collection),
            (Lines{
                "11, Jane Doe, 1, submission_101/, @1796079540",
                "33, Zoë 王, 1, submission_102/, @1796079540",
                "richard@example.org, Richard \"R\" Roe, 1, submission_102/, @1796079540",
                "submission_104, , 1, submission_104/",
            }));
  EXPECT_EQ(collection.attempts[0].lms_ids.at("gradescope_submission"), "101");
  EXPECT_EQ(collection.attempts[0].lms_ids.at("gradescope_email"), "jane@example.org");
  EXPECT_EQ(collection.attempts[1].notes, Lines{"Handed in by a group of 2."});
  EXPECT_EQ(collection.attempts[3].notes, Lines{"The export does not say whose this is."});
  EXPECT_TRUE(left_out(collection, "submission_103", "no such folder"));
}

TEST_F(GradescopeTest, WithoutReadableMetadataNothingIsLost) {
  for (const char* text :
       {"submission_101: [", "- a\n- b\n", "", "\x01", "submission_101: &a *a"}) {
    write("submission_metadata.yml", text);
    write("submission_101/attention.cpp");
    const Collection collection = collected();
    EXPECT_EQ(lines(collection), Lines{"submission_101, , 1, submission_101/"}) << text;
  }
}

TEST_F(BlackboardTest, AttemptsHaveTimesAndTheTextNamesThePerson) {
  write("Attention_HW_j_doe_attempt_2026-11-30-23-59-00.txt",
        "Name: Jane Doe (j_doe)\r\nAssignment: Attention HW\r\nComments: (roe)\r\n");
  write("Attention_HW_j_doe_attempt_2026-11-30-23-59-00_attention.cpp", "second");
  write("Attention_HW_j_doe_attempt_2026-11-29-23-59-00_attention.cpp", "first");
  write("Attention_HW_roe_attempt_2026-11-30-10-00-00_a_attempt_2026.cpp");
  write("Attention_HW_roe_attempt_2026-11-30-10-00-00.txt", "not in any form we know");
  write("Attention_HW_mue_attempt_2026-11-30-10-00-00.txt", "Name: Zoë Müller (mue)\n");
  const Collection collection = collected();
  EXPECT_EQ(
      lines(collection),
      (Lines{
          "j_doe, Jane Doe, 1, Attention_HW_j_doe_attempt_2026-11-29-23-59-00_attention.cpp, "
          "@1795993140",
          "j_doe, Jane Doe, 2, Attention_HW_j_doe_attempt_2026-11-30-23-59-00_attention.cpp, "
          "@1796079540",
          "mue, Zoë Müller, 1, Attention_HW_mue_attempt_2026-11-30-10-00-00.txt, @1796029200",
          "roe, , 1, Attention_HW_roe_attempt_2026-11-30-10-00-00_a_attempt_2026.cpp, @1796029200",
      }));
  EXPECT_EQ(collection.attempts[0].lms_ids.at("blackboard_user"), "j_doe");
  EXPECT_TRUE(collection.notices.empty());
}

TEST_F(GitHubClassroomTest, ClonesAreCalledLikeTheAssignmentAndTheUser) {
  for (const char* name : {"hw-1-anna", "hw-1-andrew", "hw-1-j-doe"}) {
    write(fs::path("hw-1-submissions") / name / "attention.cpp");
    write(fs::path("hw-1-submissions") / name / ".git/HEAD", "ref: refs/heads/main\n");
  }
  write("hw-1-submissions/notes.txt");
  const Collection collection = collected();
  EXPECT_EQ(lines(collection), (Lines{"andrew, , 1, hw-1-andrew/", "anna, , 1, hw-1-anna/",
                                      "j-doe, , 1, hw-1-j-doe/"}));
  EXPECT_EQ(collection.attempts[2].lms_ids.at("github_repository"), "hw-1-j-doe");
  EXPECT_TRUE(left_out(collection, "notes.txt", "not a clone"));
}

TEST_F(GitHubClassroomTest, ClonesInAnArchiveAreRecognisedAndTheirHistoryStaysPacked) {
  Pack pack("ustar", {"gzip"});
  for (const char* name : {"hw-anna", "hw-bert"}) {
    pack.file(std::string("hw/") + name + "/.git/config", "[core]\n");
    pack.file(std::string("hw/") + name + "/attention.cpp", "int x;\n");
  }
  const Collection collection = collected({write("hw.tar.gz", pack.bytes())});
  EXPECT_EQ(lines(collection), (Lines{"anna, , 1, hw-anna/", "bert, , 1, hw-bert/"}));
  EXPECT_EQ(contents(collection.attempts[0].path / ".git"), "");
}

TEST_F(PlainTest, FilesFoldersAndArchivesAreOneStudentsEach) {
  write("anna.cpp");
  write("bert/attention.cpp");
  write("carl.tar.gz", "whatever");
  write("dora.ZIP", "whatever");
  write("Bin/attention.cpp");
  write("readme.md");
  write("util.hpp");
  write(".hidden.cpp");
  fs::create_directory_symlink("/etc", given_ / "etc");
  const Collection collection = collected();
  EXPECT_EQ(lines(collection), (Lines{"Bin, , 1, Bin/", "anna, , 1, anna.cpp", "bert, , 1, bert/",
                                      "carl, , 1, carl.tar.gz", "dora, , 1, dora.ZIP"}));
  EXPECT_TRUE(left_out(collection, "readme.md", "neither"));
  EXPECT_TRUE(left_out(collection, "util.hpp", "neither"));
  EXPECT_TRUE(left_out(collection, "etc", "link"));
}

TEST_F(PlainTest, AttemptsAreNumberedByTheirNames) {
  write("anna_attempt_10.cpp");
  write("anna_attempt_9.cpp");
  write("bert/attempt-2/attention.cpp");
  write("bert/Attempt 1/attention.cpp");
  write("attempt/attention.cpp");
  const Collection collection = collected();
  EXPECT_EQ(lines(collection),
            (Lines{"anna, , 1, anna_attempt_9.cpp", "anna, , 2, anna_attempt_10.cpp",
                   "attempt, , 1, attempt/", "bert, , 1, Attempt 1/", "bert, , 2, attempt-2/"}));
  EXPECT_TRUE(collection.notices.empty());
}

TEST_F(PlainTest, AFolderWithTheMainFileIsOneSubmission) {
  write("jdoe/attention.cpp");
  write("jdoe/helper.cpp");
  EXPECT_EQ(lines(collected({given_ / "jdoe"})), Lines{"jdoe, , 1, jdoe/"});
}

TEST_F(PlainTest, FoldersAroundTheSubmissionsDoNotMatter) {
  write("course/week 3/anna/attention.cpp");
  write("course/week 3/bert.cpp");
  EXPECT_EQ(lines(collected()), (Lines{"anna, , 1, anna/", "bert, , 1, bert.cpp"}));
}

}  // namespace
}  // namespace grader
