// What people hand to `batch` by mistake or in bad faith: a clear sentence each, nothing is lost,
// and the rest is graded.
#include <SQLiteCpp/Database.h>

#include "grader/cli/batch_cli_fixture.hpp"
#include "grader/csv/csv.hpp"
#include "grader/intake/pack.hpp"

namespace grader {
namespace {

class BatchBadInputTest : public BatchCliTest {
 protected:
  // Many a test grades for what it leaves behind. NOLINTNEXTLINE(modernize-use-nodiscard)
  Ending grade(const std::string& source, const Words& more = {}) const {
    Words words = {"batch", "--assignment", TOY, source, "--out", "results"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }

  [[nodiscard]] std::vector<CsvRow> rows() const {
    return read_csv(read_file(folder_.path() / "results/class.csv", kFileLimit), "class.csv").rows;
  }

  static void expect_said(const Ending& result, const std::string& part) {
    EXPECT_EQ(result.exit_code, 0) << result.err;
    // Lists are broken into lines.
    std::string out = result.out;
    for (std::size_t place = out.find("\n    "); place != std::string::npos;
         place = out.find("\n    ", place)) {
      out.replace(place, out.find_first_not_of(' ', place + 1) - place, " ");
    }
    EXPECT_NE(out.find(part), std::string::npos) << out;
  }

  /// To be called in the child: another user, who may not write where root may.
  static void become_nobody() {
    constexpr uid_t kNobody = 65534;
    if (geteuid() == 0 && (setgid(kNobody) != 0 || setuid(kNobody) != 0)) _exit(126);
    if (access(PROGRAM, X_OK) != 0 || access(TOY "/judge.so", R_OK) != 0) _exit(126);
  }
};

TEST_F(BatchBadInputTest, AnEmptySource) {
  fs::create_directory(folder_.path() / "class");
  expect_sentence(batch(), 1, "There is nothing to grade. class: It is empty.");
  expect_sentence(grade("absent"), 1, "There is no file or folder absent.");
  EXPECT_FALSE(fs::exists(folder_.path() / "results"));
}

TEST_F(BatchBadInputTest, NothingThatIsRecognised) {
  write("class/notes.txt", "no submission");
  write("class/marks.xlsx", "PK");
  expect_sentence(batch(), 1, "There is nothing to grade. class: It holds no submission.");
  write("notes.txt", "");
  expect_sentence(grade("notes.txt"), 1, "It is neither a C++ source nor a folder nor an archive.");
  EXPECT_FALSE(fs::exists(folder_.path() / "results"));
}

TEST_F(BatchBadInputTest, TwoStudentsWithOneId) {
  write("class/doejane_11_100_mean.cpp", right());
  write("class/roerichard_11_101_mean.cpp", wrong());
  expect_said(batch(),
              "2 students have the id 11 (doejane, roerichard): each is graded, under id "
              "and name.");
  ASSERT_EQ(rows().size(), 2U);
  EXPECT_EQ(rows()[0].fields[0], "11 (doejane)");
  EXPECT_EQ(runs_in("results"), 2U);
}

TEST_F(BatchBadInputTest, IdsThatDifferInTheCaseOfLetters) {
  hand_in("JDoe", right());
  hand_in("jdoe", wrong());
  write("roster.csv", "id,name\njdoe,Jo Doe\n");
  expect_said(batch(),
              "JDoe, jdoe differ only in the case of letters: they are graded as 2 "
              "students.");
  EXPECT_EQ(runs_in("results"), 2U);
  expect_said(batch({"--roster", "roster.csv"}, "matched"),
              "JDoe, jdoe all fit row 2 of the roster and are matched with none.");
  EXPECT_EQ(runs_in("matched"), 2U);
}

TEST_F(BatchBadInputTest, ARosterWithDuplicateIds) {
  hand_in("ada", right());
  write("roster.csv", "id,name\nada,Ada\nbob,Bob\nada,Ada L.\n");
  expect_said(batch({"--roster", "roster.csv"}),
              "Row 2 has the same id ada as row 4: none of them is used until the file is "
              "corrected.");
  EXPECT_EQ(score_of("ada"), 10);
}

TEST_F(BatchBadInputTest, ARosterThatIsNone) {
  hand_in("ada", right());
  write("columns.csv", "surname,mark\nLovelace,1\n");
  expect_sentence(batch({"--roster", "columns.csv"}), 1, "columns.csv: there is no column of ids");
  write("binary.csv", std::string("id\n\xff\xfe\0x\n", 8));
  expect_sentence(batch({"--roster", "binary.csv"}), 1, "binary.csv");
  expect_sentence(batch({"--roster", "absent.csv"}), 1, "absent.csv");
  expect_sentence(batch({"--roster", "class"}), 1, "it is not a regular file");
  EXPECT_FALSE(fs::exists(folder_.path() / "results"));
}

TEST_F(BatchBadInputTest, NamesWithEveryKindOfCharacter) {
  const std::vector<std::string> names = {"a b",
                                          "(a)",
                                          "a;rm -rf ~",
                                          "$(a)",
                                          "a'b\"c",
                                          "-rf",
                                          "@x",
                                          "\xff\xfe",
                                          "a\nb",
                                          "a\x1b[31mb",
                                          "\u202etxt",
                                          "%s%n",
                                          "con",
                                          "a\\b",
                                          "=1+1",
                                          "مریم‌گلی",
                                          "👩‍💻",
                                          "<b>&amp;",
                                          "a..",
                                          "{{score}}",
                                          "Jose\u0301",
                                          "<script>",
                                          "a,b",
                                          "ﬃ",
                                          std::string(200, 'x')};
  for (const std::string& name : names) hand_in(name, "");
  const Ending result = batch();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(runs_in("results"), names.size());
  EXPECT_EQ(rows().size(), names.size());
  for (const std::string& text :
       {result.out, result.err, read_file(folder_.path() / "results/class.csv", kFileLimit)}) {
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find('\xff'), std::string::npos);
    EXPECT_EQ(text.find("\u202e"), std::string::npos);
  }
  const std::string page = read_file(folder_.path() / "results/class.html", kFileLimit);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_EQ(page.find('\x1b'), std::string::npos);
  EXPECT_NE(batch().err.find("0 submissions to grade"), std::string::npos) << "all are found again";
}

TEST_F(BatchBadInputTest, AResultsFolderThatMayNotBeWritten) {
  hand_in("ada", "");
  fs::permissions(folder_.path(), fs::perms(0755));
  fs::create_directory(folder_.path() / "results");
  fs::permissions(folder_.path() / "results", fs::perms(0555));
  const Ending empty = run(batch_words({"--quiet"}), become_nobody);
  if (empty.exit_code == 126) GTEST_SKIP() << "the program cannot be run as another user here";
  expect_sentence(empty, 2, "Cannot write results");
  expect_sentence(run(batch_words({"--quiet"}, "results/new"), become_nobody), 2,
                  "Cannot write results/new");
  EXPECT_TRUE(fs::is_empty(folder_.path() / "results"));
  // Of a finished class nothing is changed, and it can be read.
  EXPECT_EQ(batch().exit_code, 0);
  const auto before = everything("results");
  fs::permissions(folder_.path() / "results", fs::perms(0555));
  expect_sentence(run(batch_words({"--quiet"}), become_nobody), 2, "Cannot write results");
  EXPECT_EQ(everything("results"), before);
}

TEST_F(BatchBadInputTest, AResultsFolderOfALaterVersion) {
  hand_in("ada", "");
  batch();
  const fs::path gradebook = folder_.path() / "results/gradebook.sqlite";
  SQLite::Database(gradebook, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 1000");
  expect_sentence(batch({"--quiet"}), 1, "was written by a later version of the grader");
  expect_sentence(run({"report", "results"}), 1, "was written by a later version of the grader");
  fs::remove(gradebook);
  write("results/batch.json", R"({"format": 1000})");
  expect_sentence(batch({"--quiet"}), 1, "was written by a later version of the grader");
  EXPECT_EQ(runs_in("results"), 1U);
}

TEST_F(BatchBadInputTest, AnArchiveOfFiveThousandFiles) {
  constexpr int kFiles = 5000;
  Pack many("zip");
  Pack heap("zip");
  for (int file = 0; file < kFiles; ++file) {
    many.file("part" + std::to_string(file) + ".cpp", "int x;\n");
    heap.file("class/notes" + std::to_string(file) + ".txt", "no work");
  }
  heap.file("class/ada.cpp", right());
  heap.file("class/bob.zip", many.bytes());
  write("class.zip", heap.bytes());
  const Ending result = grade("class.zip");
  expect_said(result, "2 students: 1 graded, 1 refused.");
  expect_said(result, "4000 more: They are too many to be listed.");
  EXPECT_EQ(score_of("ada"), 10);
  EXPECT_NE(
      scorecard("results/students/bob/attempt-1/run-1")["error"]["message"].get<std::string>().find(
          "files"),
      std::string::npos);
}

TEST_F(BatchBadInputTest, AHostileArchive) {
  Pack pack("pax");
  pack.file("../evil.cpp", "x").file("/tmp/evil.cpp", "x").symbolic_link("out", "/tmp");
  pack.file("out/through.cpp", "x").symbolic_link("cy.cpp", "/etc/passwd");
  pack.special("pipe.cpp", AE_IFIFO).file("ada.cpp", right());
  pack.file("bob.cpp", std::string(std::size_t{80} << 20, ' '));
  write("class.tar.gz", pack.bytes());
  const std::string good = Pack("zip").file("dan.cpp", right() + "// dan\n").bytes();
  write("half.zip", good.substr(0, good.size() / 2));
  const Ending result =
      run({"batch", "--assignment", TOY, "class.tar.gz", "half.zip", "--out", "results"});
  EXPECT_EQ(score_of("ada"), 10) << "the rest is graded";
  EXPECT_EQ(scorecard("results/students/bob/attempt-1/run-1")["status"], "refused");
  expect_said(result, "class.tar.gz: ../evil.cpp: ");
  expect_said(result, "class.tar.gz: cy.cpp: ");
  expect_said(result, "class.tar.gz: pipe.cpp: ");
  expect_said(result, "half.zip: It ");
  EXPECT_FALSE(fs::exists(folder_.path() / "evil.cpp"));
  EXPECT_FALSE(fs::exists("/tmp/evil.cpp") || fs::exists("/tmp/through.cpp"));
}

}  // namespace
}  // namespace grader
