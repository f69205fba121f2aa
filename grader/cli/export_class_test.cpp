// `export` of a class to Canvas, Moodle and LTI platforms: the program itself, on the toy
// assignment.
#include "grader/cli/cli_fixture.hpp"

namespace grader {
namespace {

const std::string kGradebook =
    "Student,ID,SIS Login ID,Section,The mean of a row (4711)\r\n"
    "    Points Possible,,,,10.00\r\n"
    "\"Doe, Jane\",11,jdoe,A,\r\n"
    "\"Roe, Richard\",12,rroe,A,1.00\r\n"
    "\"Moe, Zoë\",13,zmoe,A,\r\n"
    "\"Student, Test\",14,abc,A,\r\n";

class ExportClassTest : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    write("download/doejane_11_501_mean.cpp", read_file(right_, kFileLimit));
    write("download/roerichard_12_502_mean.cpp", read_file(wrong_, kFileLimit));
    write("roster.csv",
          "id,name,canvas_user,email,lti_user,excused\n"
          "s1,Jane Doe,11,jane@x.org,u-1,\n"
          "s2,Richard Roe,12,roe@x.org,,\n"
          "s3,Zoë Moe,13,,,yes\n");
    const Ending graded = run(
        {"batch", "--assignment", TOY, "download", "--roster", "roster.csv", "--out", "results"});
    ASSERT_EQ(graded.exit_code, 0) << graded.err;
  }

  [[nodiscard]] Ending export_class(const std::string& format, const Words& more = {}) const {
    Words words = {"export", format, "results", "--assignment", TOY};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
};

TEST_F(ExportClassTest, GoesToCanvasAndMoodleInTheirOwnFiles) {
  write("grades.csv", kGradebook);
  const Ending canvas =
      export_class("canvas", {"--worksheet", "grades.csv", "--out", "filled.csv"});
  EXPECT_EQ(canvas.exit_code, 0) << canvas.err;
  EXPECT_NE(canvas.err.find("2 cells filled in, 1 changed."), std::string::npos) << canvas.err;
  const double score = scorecard("results/students/s2/attempt-1/run-1")["score"];
  EXPECT_EQ(score, static_cast<int>(score)) << "else the text below is another";
  std::string expected = kGradebook;
  expected.replace(expected.find("jdoe,A,"), 7, "jdoe,A,10");
  expected.replace(expected.find("rroe,A,1.00"), 11,
                   "rroe,A," + std::to_string(static_cast<int>(score)));
  expected.replace(expected.find("zmoe,A,"), 7, "zmoe,A,EX");
  EXPECT_EQ(read_file(folder_.path() / "filled.csv", kFileLimit), expected);

  write("moodle.csv",
        "Identifier,Full name,Email address,Status,Grade,Maximum grade,Last modified (grade)\n"
        "Participant 71,Jane Doe,jane@x.org,x,,10.00,-\n"
        "Participant 72,Richard Roe,roe@x.org,x,,10.00,-\n");
  const Ending moodle = export_class("moodle", {"--worksheet", "moodle.csv"});
  EXPECT_EQ(moodle.exit_code, 6) << moodle.err;
  EXPECT_NE(moodle.out.find("jane@x.org,x,10,10.00"), std::string::npos) << moodle.out;
  EXPECT_NE(moodle.err.find("Left out: s3 is excused"), std::string::npos) << moodle.err;

  const Ending gradebook = export_class("moodle-gradebook", {"--quiet"});
  EXPECT_TRUE(gradebook.out.starts_with(
      "Email address,The mean of a row,Feedback comments\r\njane@x.org,10,10 of 10 points."))
      << gradebook.out;

  const Ending lti = export_class("lti");
  EXPECT_EQ(lti.exit_code, 6);
  const auto scores = nlohmann::json::parse(lti.out);
  ASSERT_EQ(scores.size(), 1U);
  EXPECT_EQ(scores[0]["userId"], "u-1");
  EXPECT_GT(scores[0]["timestamp"], "2026");
  EXPECT_NE(lti.err.find("Left out: s2 has no lti_user in the roster"), std::string::npos);
}

TEST_F(ExportClassTest, GivesStudentsTheirReportsAndNoMoreThanTheyMayKnow) {
  const Ending folders =
      export_class("folders", {"--hint-level", "score_only", "--out", "feedback"});
  EXPECT_EQ(folders.exit_code, 6) << folders.err;
  const auto told = scorecard("feedback/s2");
  EXPECT_EQ(told["grader"]["seed"], nullptr);
  const std::string page = read_file(folder_.path() / "feedback/s2/report.html", kFileLimit);
  EXPECT_EQ(page.find("replay"), std::string::npos);
  EXPECT_NE(scorecard("results/students/s2/attempt-1/run-1")["grader"]["seed"], nullptr);
  const Ending zip = export_class("canvas-feedback", {"--out", "submissions.zip"});
  EXPECT_EQ(zip.exit_code, 6) << zip.err;
  EXPECT_TRUE(read_file(folder_.path() / "submissions.zip", kFileLimit).starts_with("PK"));
}

TEST_F(ExportClassTest, WhatCannotBeExportedIsSaidInASentence) {
  expect_sentence(export_class("canvas"), 1, "put into a gradebook that Canvas exported");
  expect_sentence(export_class("canvas", {"--worksheet", "none.csv"}), 1, "none.csv");
  write("other.csv", "Student,ID,Section,Attention (1)\n    Points Possible,,,10\nA,91,A,\n");
  expect_sentence(export_class("canvas", {"--worksheet", "other.csv"}), 1,
                  "no column of an assignment called The mean of a row");
  expect_sentence(export_class("canvas", {"--worksheet", "other.csv", "--column", "1"}), 1,
                  "Nobody with a result is in the worksheet");
  expect_sentence(export_class("moodle-feedback"), 1, "has no moodle_participant");
  expect_sentence(run({"export", "lti", "results/students/s1/attempt-1/run-1/scorecard.json"}), 1,
                  "is no folder of results");
}

TEST_F(ExportClassTest, ADamagedScorecardCostsNobodyElse) {
  const std::string card = "results/students/s1/attempt-1/run-1/scorecard.json";
  const std::string whole = read_file(folder_.path() / card, kFileLimit);
  const std::string deep =
      "\"notices\": " + std::string(60'000, '[') + std::string(60'000, ']') + ",";
  const std::string notices = "\"notices\": [],";
  ASSERT_NE(whole.find(notices), std::string::npos);
  std::string nested = whole;
  nested.replace(nested.find(notices), notices.size(), deep);
  for (const std::string& damaged : {std::string(), whole.substr(0, whole.size() / 2), nested}) {
    write(card, damaged);
    for (const std::string format : {"gradescope", "junit", "folders"}) {
      const std::string out = "out-" + format;
      const Ending result = export_class(format, {"--out", out});
      EXPECT_EQ(result.exit_code, 6) << format << result.err;
      EXPECT_NE(result.err.find("Left out: s1 has a result that cannot be read."),
                std::string::npos)
          << result.err;
      EXPECT_NE(result.err.find("--only s1"), std::string::npos) << result.err;
      EXPECT_TRUE(fs::exists(folder_.path() / out / "s2")) << format;
      EXPECT_FALSE(fs::exists(folder_.path() / out / "s1")) << format;
    }
  }
  fs::remove(folder_.path() / card);
  EXPECT_EQ(export_class("junit", {"--out", "out"}).exit_code, 6);
  const Ending again = run(
      {"batch", "--assignment", TOY, "download", "--out", "results", "--only", "s1", "--quiet"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(export_class("gradescope", {"--out", "out"}).err.find("cannot be read"),
            std::string::npos)
      << "as was said";
}

TEST_F(ExportClassTest, TheResultsThemselvesAreNotWrittenOver) {
  for (const std::string kept :
       {"gradebook.sqlite", "batch.json", "overrides.jsonl", "roster.csv",
        "students/s1/attempt-1/run-1/scorecard.json", "students/new.csv"}) {
    const fs::path file = folder_.path() / "results" / kept;
    const std::string before = fs::exists(file) ? read_file(file, kFileLimit) : "";
    expect_sentence(export_class("csv", {"--out", "results/" + kept}), 1,
                    "holds the results themselves");
    EXPECT_EQ(fs::exists(file) ? read_file(file, kFileLimit) : "", before) << kept;
    if (!fs::exists(file)) continue;
    fs::create_symlink(file, folder_.path() / "link");
    expect_sentence(export_class("csv", {"--out", "link"}), 1, "holds the results themselves");
    fs::remove(folder_.path() / "link");
    EXPECT_EQ(read_file(file, kFileLimit), before) << kept;
  }
  EXPECT_EQ(export_class("csv", {"--out", "results/for-the-office.csv"}).exit_code, 0);
  expect_sentence(run({"export", "junit", "results/students/s1/attempt-1/run-1/scorecard.json",
                       "--out", "results/students/s1/attempt-1/run-1/scorecard.json"}),
                  1, "holds the results themselves");
}

TEST_F(ExportClassTest, AnOutThatIsNoFolderIsNamed) {
  write("taken", "a file");
  const std::string taken = "Cannot write taken";
  for (const char* format : {"junit", "folders"}) {
    const Ending result = export_class(format, {"--out", "taken"});
    expect_sentence(result, 2, taken);
    EXPECT_NE(result.err.find("Name another folder with --out."), std::string::npos) << result.err;
  }
  expect_sentence(export_class("csv", {"--out", "taken/below.csv"}), 2, taken);
}

}  // namespace
}  // namespace grader
