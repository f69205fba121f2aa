#include "grader/batch/collect.hpp"

#include <ctime>
#include <functional>
#include <set>

#include "grader/base/plain_text.hpp"
#include "grader/batch/download_fixture.hpp"
#include "grader/batch/identity.hpp"

namespace grader {
namespace {

using CollectTest = DownloadTest;

std::string complaint(const std::function<void()>& act) {
  try {
    act();
  } catch (const UsageFault& fault) {
    EXPECT_FALSE(fault.hint().empty());
    return fault.what();
  }
  return "accepted";
}

TEST_F(CollectTest, UnpacksWhatPlatformsPack) {
  for (const char* format : {"zip", "ustar", "pax", "7zip"}) {
    Pack pack(format);
    pack.file("doejane_11_100_attention.cpp", "int x;\n");
    pack.file("roerichard_LATE_22_101_work.zip",
              Pack("zip").file("attention.cpp", "int y;").bytes());
    const Collection collection = collected({write("submissions.bin", pack.bytes())});
    ASSERT_EQ(lines(collection),
              (Lines{"11, doejane, 1, doejane_11_100_attention.cpp",
                     "22, roerichard, 1, roerichard_LATE_22_101_work.zip, late"}))
        << format;
    EXPECT_EQ(content(collection.attempts[0].path), "int x;\n");
    EXPECT_EQ(collection.attempts[0].origin, "submissions.bin: doejane_11_100_attention.cpp");
  }
}

TEST_F(CollectTest, UnpacksAgainWhereSomethingLay) {
  const fs::path source = write("class.zip", Pack("zip").file("anna.cpp", "new").bytes());
  collected({source});
  std::ofstream(workspace_ / "source-1" / "unpacked" / "left.cpp") << "old";
  EXPECT_EQ(lines(collected({source})), Lines{"anna, , 1, anna.cpp"});
}

TEST_F(CollectTest, AnArchiveOfOneSubmissionIsItsOwners) {
  const Collection collection =
      collected({write("jdoe.zip", Pack("zip").file("attention.cpp", "int x;").bytes())});
  ASSERT_EQ(collection.attempts.size(), 1U);
  EXPECT_EQ(collection.attempts[0].student, "jdoe");
}

TEST_F(CollectTest, LaterSourcesAreLaterAttempts) {
  const fs::path first = write("b/doejane_11_100_attention.cpp").parent_path();
  const fs::path second = write("a/doejane_11_90_attention.cpp").parent_path();
  const Collection collection = collected({first, second});
  EXPECT_EQ(lines(collection), (Lines{"11, doejane, 1, doejane_11_100_attention.cpp",
                                      "11, doejane, 2, doejane_11_90_attention.cpp"}));
  EXPECT_TRUE(collection.notices.empty());
}

TEST_F(CollectTest, AnUnclearOrderIsSaid) {
  write("anna.cpp");
  write("anna/attention.cpp");
  write("bert.cpp");
  const Collection collection = collected();
  EXPECT_EQ(lines(collection),
            (Lines{"anna, , 1, anna/", "anna, , 2, anna.cpp", "bert, , 1, bert.cpp"}));
  ASSERT_EQ(collection.notices.size(), 1U);
  EXPECT_NE(collection.notices[0].find("anna handed in several things"), std::string::npos);
}

TEST_F(CollectTest, OneNameInTwoUnicodeFormsIsOneStudent) {
  write("Jose\xcc\x81.cpp");
  write("Jos\xc3\xa9_attempt_2.cpp");
  const Collection collection = collected();
  ASSERT_EQ(collection.attempts.size(), 2U);
  EXPECT_EQ(collection.attempts[0].student, "José");
  EXPECT_EQ(collection.attempts[1].student, "José");
  ASSERT_EQ(collection.notices.size(), 1U) << "and it is said";
  EXPECT_TRUE(collection.notices[0].starts_with("José is written in several forms of Unicode"));
}

TEST_F(CollectTest, IdsThatDifferInCaseAreTwoStudentsOnEveryPlatform) {
  const std::string metadata =
      "---\nsubmission_1:\n  :submitters:\n  - :name: Jo Doe\n    :sid: JDoe\n"
      "submission_2:\n  :submitters:\n  - :name: Jo Doe\n    :sid: jdoe\n";
  const std::string date = "_attempt_2026-11-30-10-00-00_attention.cpp";
  write("plain/JDoe.cpp");
  write("plain/jdoe.cpp");
  write("canvas/anon_JDoe_100_attention.cpp");
  write("canvas/anon_jdoe_101_attention.cpp");
  write("moodle/JDoe_assignsubmission_file_/attention.cpp");
  write("moodle/jdoe_assignsubmission_file_/attention.cpp");
  write("gradescope/submission_metadata.yml", metadata);
  write("gradescope/submission_1/attention.cpp");
  write("gradescope/submission_2/attention.cpp");
  write("blackboard/HW_JDoe" + date);
  write("blackboard/HW_jdoe" + date);
  for (const char* name : {"hw-JDoe", "hw-jdoe"}) {
    write(fs::path("github") / name / "attention.cpp");
    write(fs::path("github") / name / ".git/HEAD");
  }
  const fs::path packed = write(
      "packed.zip", Pack("zip").file("JDoe.cpp", "int x;").file("jdoe.cpp", "int y;").bytes());
  for (const fs::path& source :
       {given_ / "plain", given_ / "canvas", given_ / "moodle", given_ / "gradescope",
        given_ / "blackboard", given_ / "github", packed}) {
    const Collection collection = collected({source});
    ASSERT_EQ(collection.attempts.size(), 2U) << source;
    EXPECT_EQ(collection.attempts[0].student, "JDoe") << source;
    EXPECT_EQ(collection.attempts[1].student, "jdoe") << source;
    EXPECT_EQ(
        collection.notices,
        Lines{"JDoe, jdoe differ only in the case of letters: they are graded as 2 students."})
        << source;
  }
}

TEST_F(CollectTest, NamesOfEveryKindAreKeptApartAndFitToShow) {
  std::vector<std::string> names = {"a b",
                                    "a+b",
                                    "(a)",
                                    "a;rm -rf ~",
                                    "$(a)",
                                    "a'b\"c",
                                    "-rf",
                                    "@x",
                                    "\xff\xfe",
                                    "\xff\xfd",
                                    "a\nb",
                                    "a\x1b[31mb",
                                    "\xe2\x80\xaetxt",
                                    "%s%n",
                                    "con",
                                    "a\\b",
                                    std::string(200, 'x'),
                                    std::string(201, 'x'),
                                    "=1+1",
                                    "مریم‌گلی",
                                    "👩‍💻",
                                    "<b>"};
  for (const std::string& name : names) write(name + ".cpp");
  const Collection collection = collected();
  EXPECT_EQ(collection.attempts.size(), names.size());
  std::set<std::string> students;
  for (const Attempt& attempt : collection.attempts) {
    students.insert(attempt.student);
    EXPECT_EQ(shown_name(attempt.student), attempt.student);
    EXPECT_EQ(plain_line(attempt.origin, 1000), attempt.origin);
    EXPECT_LE(attempt.student.size(), 150U);
    EXPECT_TRUE(fs::exists(attempt.path));
  }
  EXPECT_EQ(students.size(), names.size());
}

TEST_F(CollectTest, MembersThatLeadElsewhereAreLeftOutAndTheRestIsTaken) {
  Pack pack("pax");
  pack.file("../evil.cpp", "x").file("/etc/evil.cpp", "x").file("a\\b.cpp", "x");
  pack.symbolic_link("link.cpp", "/etc/passwd").hard_link("hard.cpp", "anna.cpp");
  pack.special("pipe.cpp", AE_IFIFO);
  pack.file("anna.cpp", "first").file("anna.cpp", "second").file("anna.cpp/inner.cpp", "x");
  pack.file(std::string(300, 'n') + ".cpp", "x").file("x/../../up.cpp", "x");
  pack.symbolic_link("out", "/tmp").file("out/through.cpp", "x");
  pack.file("bert/attention.cpp", "int x;");
  const Collection collection = collected({write("class.tar", pack.bytes())});
  EXPECT_EQ(lines(collection),
            (Lines{"anna, , 1, anna.cpp", "bert, , 1, bert/", "out, , 1, out/"}));
  EXPECT_EQ(content(collection.attempts[0].path), "first");
  EXPECT_TRUE(left_out(collection, "../evil.cpp", "leads out"));
  EXPECT_TRUE(left_out(collection, "/etc/evil.cpp", "leads out"));
  EXPECT_TRUE(left_out(collection, "x/../../up.cpp", "leads out"));
  EXPECT_TRUE(left_out(collection, "a\\b.cpp", "backslash"));
  EXPECT_TRUE(left_out(collection, "link.cpp", "link"));
  EXPECT_TRUE(left_out(collection, "hard.cpp", "link"));
  EXPECT_TRUE(left_out(collection, "pipe.cpp", "regular"));
  EXPECT_TRUE(left_out(collection, "anna.cpp", "has this place"));
  EXPECT_TRUE(left_out(collection, "nnn", "too long"));
  EXPECT_FALSE(fs::is_symlink(workspace_ / "source-1" / "unpacked" / "out"));
  EXPECT_FALSE(fs::exists(root_.path() / "evil.cpp"));
  EXPECT_FALSE(fs::exists("/tmp/through.cpp"));
}

TEST_F(CollectTest, AFileTooLargeForIntakeBecomesAHole) {
  Pack pack("zip");
  pack.file("anna.cpp", "int x;").file("bert.zip", std::string((64U << 20U) + 1000, 'a'));
  const Collection collection = collected({write("class.zip", pack.bytes())});
  ASSERT_EQ(collection.attempts.size(), 2U);
  EXPECT_GT(fs::file_size(collection.attempts[1].path), 64U << 20U);
}

TEST_F(CollectTest, ASourceThatCannotBeUsedIsListedAndTheOthersAreTaken) {
  const std::string good = Pack("zip").file("anna.cpp", "int x;").bytes();
  const Collection collection = collected(
      {write("broken.zip", good.substr(0, good.size() / 2)), write("good.zip", good),
       write("secret.zip",
             Pack("zip", {}, "zip:encryption=traditional").file("bert.cpp", "int x;").bytes()),
       write("old.rar", "Rar!\x1a\x07"), write("notes.txt"), write("solo.cpp")});
  EXPECT_EQ(lines(collection), (Lines{"anna, , 1, anna.cpp", "solo, , 1, solo.cpp"}));
  EXPECT_TRUE(left_out(collection, "broken.zip", "download it again"));
  EXPECT_TRUE(left_out(collection, "secret.zip", "is encrypted: download it again"));
  EXPECT_TRUE(left_out(collection, "old.rar", "It is a RAR archive: download"));
  EXPECT_TRUE(left_out(collection, "notes.txt", "neither"));
  EXPECT_FALSE(fs::exists(workspace_ / "source-1" / "unpacked"));
}

TEST_F(CollectTest, NothingToGradeIsSaidWithTheReason) {
  const auto about = [&](const std::vector<fs::path>& sources) {
    return complaint([&] { collected(sources); });
  };
  fs::create_directories(given_ / "empty");
  EXPECT_EQ(about({given_ / "empty"}), "There is nothing to grade. empty: It is empty.");
  EXPECT_NE(about({write("texts/readme.md").parent_path()}).find("It holds no submission."),
            std::string::npos);
  EXPECT_NE(about({write("empty.zip", Pack("zip").bytes())}).find("empty.zip: It is empty."),
            std::string::npos);
  EXPECT_NE(about({write("nothing.zip", "")}).find("nothing.zip: It is damaged"),
            std::string::npos);
  EXPECT_NE(about({given_ / "absent"}).find("There is no file or folder"), std::string::npos);
  EXPECT_EQ(about({}), "There is nothing to grade.");
}

TEST_F(CollectTest, AnUnwritableWorkspaceIsTheMachines) {
  const fs::path source = write("class.zip", Pack("zip").file("anna.cpp", "int x;").bytes());
  std::ofstream(root_.path() / "file") << "in the way";
  EXPECT_THROW(collect({source}, root_.path() / "file", options_), EnvironmentFault);
}

TEST_F(CollectTest, FiveThousandFilesTakeAFewSecondsOfTheProcessor) {
  Pack pack("zip");
  constexpr int count = 5000;
  const std::string text(2000, 'x');
  for (int index = 0; index < count; ++index) {
    const std::string number = std::to_string(index);
    pack.file("student" + number + "_" + number + "_" + number + "_attention.cpp", text + number);
  }
  const fs::path source = write("class.zip", pack.bytes());
  const std::clock_t start = std::clock();
  const Collection collection = collected({source});
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_EQ(collection.attempts.size(), std::size_t{count});
  RecordProperty("seconds", std::to_string(seconds));
  constexpr double most = 20;
  EXPECT_LT(seconds, most);
}

}  // namespace
}  // namespace grader
