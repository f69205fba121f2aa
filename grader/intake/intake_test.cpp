#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/digest.hpp"
#include "grader/base/fault.hpp"
#include "grader/intake/intake_fixture.hpp"

namespace grader {
namespace {

TEST_F(IntakeTest, TakesOneFileByteForByte) {
  const std::string text = "\xef\xbb\xbfint a;\r\nint b;\r\n";
  write("attention.cpp", text);
  const Submission submission = accepted(given_ / "attention.cpp");
  EXPECT_EQ(submission.id, "attention");
  EXPECT_EQ(names(submission), Names{"attention.cpp"});
  EXPECT_EQ(submission.files[0].bytes, static_cast<std::int64_t>(text.size()));
  EXPECT_EQ(submission.files[0].sha256, sha256_of_bytes(text));
  EXPECT_EQ(content(submission.directory / "attention.cpp"), text);
  EXPECT_TRUE(submission.notices.empty());
}

TEST_F(IntakeTest, GradesASingleFileOfAnyNameAsTheMainFile) {
  write("my work (1).cpp", "int a;");
  const Submission submission = accepted(given_ / "my work (1).cpp");
  EXPECT_EQ(submission.id, "my_work__1_");
  EXPECT_EQ(names(submission), Names{"attention.cpp"});
  EXPECT_TRUE(says(submission.notices, "my work (1).cpp is graded as attention.cpp"));
}

TEST_F(IntakeTest, AcceptsUpperCaseExtension) {
  write("ATTENTION.CPP", "int a;");
  EXPECT_EQ(names(accepted(given_)), Names{"attention.cpp"});
}

TEST_F(IntakeTest, KeepsHelpersInSubfolders) {
  write("attention.cpp", "int a;");
  write("detail/softmax.cpp", "int b;");
  write("detail/softmax.hpp", "int c;");
  const Submission submission = accepted(given_);
  EXPECT_EQ(names(submission),
            (Names{"attention.cpp", "detail/softmax.cpp", "detail/softmax.hpp"}));
  EXPECT_EQ(submission.sources, (std::vector<fs::path>{"attention.cpp", "detail/softmax.cpp"}));
}

TEST_F(IntakeTest, DigestDependsOnContentAndNotOnPlace) {
  write("attention.cpp", "int a;");
  write("helper.hpp", "int b;");
  const std::string digest = accepted(given_).digest;
  write("../other/deeper/attention.cpp", "int a;");
  write("../other/deeper/helper.hpp", "int b;");
  EXPECT_EQ(accepted(root_.path() / "other").digest, digest);
  EXPECT_EQ(accepted(root_.path() / "other/deeper/").digest, digest);
  write("helper.hpp", "int c;");
  EXPECT_NE(accepted(given_).digest, digest);
}

TEST_F(IntakeTest, CleanTreeCanBeTakenInAgainWithTheSameDigest) {
  write("attention.cpp", "#include \"include/attention/attention.hpp\"");
  write("include/attention/attention.hpp", "#define WRONG");
  const Submission first = accepted(given_);
  EXPECT_EQ(accepted(first.directory).digest, first.digest);
}

TEST_F(IntakeTest, ContractHeaderOfTheGraderReplacesACopy) {
  write("attention.cpp", "int a;");
  write("attention.hpp", "struct Wrong {};");
  write("include/attention/attention.hpp", "struct Wrong {};");
  const Submission submission = accepted(given_);
  EXPECT_EQ(names(submission), Names{"attention.cpp"});
  for (const char* copy : {"attention.hpp", "include/attention/attention.hpp"}) {
    const std::string text = content(submission.directory / copy);
    EXPECT_NE(text.find("#include <attention/attention.hpp>"), std::string::npos) << copy;
    EXPECT_EQ(text.find("Wrong"), std::string::npos) << copy;
  }
  EXPECT_TRUE(says(submission.notices, "the grader's own copy of the contract"));
}

TEST_F(IntakeTest, ACopyOfTheContractThatSaysTheSameIsNoNews) {
  write("attention.cpp", "int a;");
  write("include/attention/attention.hpp", "\xef\xbb\xbfstruct Right {};\r\n");
  write("../contract/attention/attention.hpp", "struct Right {};\n");
  const Submission submission = accepted(given_, root_.path() / "contract");
  EXPECT_TRUE(submission.notices.empty());
  write("include/attention/attention.hpp", "struct Wrong {};\n");
  EXPECT_TRUE(says(accepted(given_, root_.path() / "contract").notices,
                   "differs from the assignment's header"));
}

TEST_F(IntakeTest, LeavesOutWhatIsNotTheStudentsWork) {
  write("attention.cpp", "int a;");
  write("build/generated.cpp", "int b;");
  write("__MACOSX/._attention.cpp", "junk");
  write(".DS_Store", "junk");
  write(".hidden.cpp", "int c;");
  write("CMakeLists.txt", "project(x)");
  write("README.md", "text");
  write("vector", "#error shadowed");
  write("checks/not_submitted.txt", "");
  write("checks/check.cpp", "int d;");
  const Submission submission = accepted(given_);
  EXPECT_EQ(names(submission), Names{"attention.cpp"});
  EXPECT_TRUE(submission.notices.empty());
}

TEST_F(IntakeTest, LeavesOutCopiesOfLibrariesWithANotice) {
  write("attention.cpp", "int a;");
  write("Eigen/src/Core.h", "#error shadowed");
  write("eigen-3.4.0/signature_of_library", "");
  write("eigen-3.4.0/bench/a.cpp", "int b;");
  const Submission submission = accepted(given_);
  EXPECT_EQ(names(submission), Names{"attention.cpp"});
  EXPECT_TRUE(says(submission.notices, "Eigen was left out"));
  EXPECT_TRUE(says(submission.notices, "eigen-3.4.0 was left out"));
}

TEST_F(IntakeTest, LeavesOutObjectsAndPrecompiledHeadersWithANotice) {
  write("attention.cpp", "int a;");
  write("attention.hpp.gch", "x");
  write("attention.o", "x");
  const Submission submission = accepted(given_);
  EXPECT_EQ(names(submission), Names{"attention.cpp"});
  EXPECT_TRUE(says(submission.notices, "attention.hpp.gch was left out"));
  EXPECT_TRUE(says(submission.notices, "attention.o was left out"));
  EXPECT_FALSE(fs::exists(submission.directory / "attention.o"));
}

TEST_F(IntakeTest, NeverFollowsLinks) {
  write("../secret/reference.hpp", "secret");
  write("attention.cpp", "int a;");
  fs::create_symlink(root_.path() / "secret/reference.hpp", given_ / "reference.hpp");
  fs::create_symlink(root_.path() / "secret", given_ / "folder");
  const Submission submission = accepted(given_);
  EXPECT_EQ(names(submission), Names{"attention.cpp"});
  EXPECT_TRUE(says(submission.notices, "reference.hpp was left out: it is a link"));
  EXPECT_TRUE(says(submission.notices, "folder was left out: it is a link"));
}

TEST_F(IntakeTest, RefusesALinkAsTheSubmission) {
  write("attention.cpp", "int a;");
  fs::create_symlink(given_ / "attention.cpp", root_.path() / "link.cpp");
  fs::create_symlink(given_, root_.path() / "folder");
  EXPECT_NE(refusal(root_.path() / "link.cpp").find("symbolic link"), std::string::npos);
  EXPECT_NE(refusal(root_.path() / "folder/").find("symbolic link"), std::string::npos);
}

TEST_F(IntakeTest, PipesNeitherBlockNorPass) {
  write("attention.cpp", "int a;");
  ASSERT_EQ(mkfifo((given_ / "pipe.hpp").c_str(), 0600), 0);
  const Submission submission = accepted(given_);
  EXPECT_EQ(names(submission), Names{"attention.cpp"});
  EXPECT_TRUE(says(submission.notices, "pipe.hpp was left out: it is not a regular file"));
  EXPECT_NE(refusal(given_ / "pipe.hpp").find("neither a file nor a folder"), std::string::npos);
}

TEST_F(IntakeTest, LeavesOutNamesThatCannotBeShown) {
  write("attention.cpp", "int a;");
  write("\x1b[2Jclear.cpp", "int b;");
  const Submission submission = accepted(given_);
  EXPECT_EQ(names(submission), Names{"attention.cpp"});
  EXPECT_TRUE(says(submission.notices, "\\x1b[2Jclear.cpp was left out"));
}

TEST_F(IntakeTest, RefusesNamesThatDifferOnlyInCase) {
  write("attention.cpp", "int a;");
  write("Attention.cpp", "int b;");
  EXPECT_NE(refusal(given_).find("differ only in upper and lower case"), std::string::npos);
}

// I13: the same file on a disk that composes accents, as those of macOS do.
TEST_F(IntakeTest, RefusesNamesThatDifferOnlyInHowAnAccentIsWritten) {
  write("attention.cpp", "int a;");
  write("m\xc3\xbcll.hpp", "int b;");
  write("mu\xcc\x88ll.hpp", "int c;");
  EXPECT_NE(refusal(given_).find("how an accent is written"), std::string::npos);
}

// I03: bytes are copied, so whoever owns the inode keeps it.
TEST_F(IntakeTest, CopiesAHardLinkAndLeavesItsInodeAlone) {
  write("../elsewhere.cpp", "int a;");
  fs::create_hard_link(root_.path() / "elsewhere.cpp", given_ / "attention.cpp");
  const Submission submission = accepted(given_);
  EXPECT_EQ(fs::hard_link_count(submission.directory / "attention.cpp"), 1U);
  EXPECT_EQ(fs::hard_link_count(root_.path() / "elsewhere.cpp"), 2U);
}

TEST_F(IntakeTest, LeavesOutNamesThatLookLikeOptions) {
  write("attention.cpp", "int a;");
  write("-fplugin=evil.cpp", "int b;");
  write("@response.cpp", "int c;");
  const Submission submission = accepted(given_);
  EXPECT_EQ(names(submission), Names{"attention.cpp"});
  EXPECT_TRUE(says(submission.notices, "-fplugin=evil.cpp was left out"));
  EXPECT_TRUE(says(submission.notices, "@response.cpp was left out"));
}

TEST_F(IntakeTest, RefusesAFolderWithoutTheMainFileAndNamesTheCandidate) {
  write("solution.cpp", "int a;");
  const std::string reason = refusal(given_);
  EXPECT_NE(reason.find("no attention.cpp"), std::string::npos);
  EXPECT_NE(reason.find("rename solution.cpp"), std::string::npos);
  EXPECT_NE(refusal(root_.path() / "library").find("no attention.cpp"), std::string::npos);
}

TEST_F(IntakeTest, RefusesTwoMainFilesInSubfolders) {
  write("a/attention.cpp", "int a;");
  write("b/attention.cpp", "int b;");
  EXPECT_NE(refusal(given_).find("several files called attention.cpp"), std::string::npos);
}

TEST_F(IntakeTest, RefusesEmptyBinaryAndWideText) {
  write("attention.cpp", "");
  EXPECT_NE(refusal(given_ / "attention.cpp").find("is empty"), std::string::npos);
  write("attention.cpp", "\xef\xbb\xbf \r\n");
  EXPECT_NE(refusal(given_).find("is empty"), std::string::npos);
  write("attention.cpp", std::string("\x7f"
                                     "ELF\0\0",
                                     6));
  EXPECT_NE(refusal(given_).find("binary file"), std::string::npos);
  write("attention.cpp", std::string("\xff\xfei\0n\0t\0", 8));
  EXPECT_NE(refusal(given_).find("save it as UTF-8"), std::string::npos);
}

TEST_F(IntakeTest, RefusesFilesThatAreNotSources) {
  write("attention.hpp", "int a;");
  EXPECT_NE(refusal(given_ / "attention.hpp").find("is a header"), std::string::npos);
  write("notes.txt", "text");
  EXPECT_NE(refusal(given_ / "notes.txt").find("not a C++ source"), std::string::npos);
}

TEST_F(IntakeTest, RefusesWhatIsTooLargeOrTooMany) {
  write("attention.cpp", std::string(1001, ' '));
  EXPECT_NE(refusal(given_).find("is larger than"), std::string::npos);
  write("attention.cpp", std::string(900, 'a'));
  write("a.hpp", std::string(900, 'a'));
  write("b.hpp", std::string(900, 'a'));
  EXPECT_NE(refusal(given_).find("larger than"), std::string::npos);
  for (const char* name : {"a.hpp", "b.hpp", "c.hpp", "d.hpp", "e.hpp"}) write(name, "a");
  write("attention.cpp", "a");
  EXPECT_NE(refusal(given_).find("more than 5 source files"), std::string::npos);
}

TEST_F(IntakeTest, DoesNotReadAHugeSparseFileWhole) {
  write("attention.cpp", "a");
  fs::resize_file(given_ / "attention.cpp", std::uintmax_t{100} << 30U);
  EXPECT_NE(refusal(given_ / "attention.cpp").find("is larger than"), std::string::npos);
}

TEST_F(IntakeTest, RefusesVeryDeepFolders) {
  fs::path deep;
  for (int level = 0; level < 40; ++level) deep /= "d";
  write("attention.cpp", "a");
  write(deep / "a.hpp", "a");
  EXPECT_NE(refusal(given_).find("nested too deeply"), std::string::npos);
}

TEST_F(IntakeTest, MissingPathIsTheUsersFault) {
  EXPECT_THROW(take(given_ / "nothing.cpp"), UsageFault);
  write("attention.cpp", "a");
  EXPECT_THROW(take(given_ / "attention.cpp/inside"), UsageFault);
}

TEST_F(IntakeTest, UnreadableFileIsTheUsersFaultAndNeverARefusal) {
  write("attention.cpp", "int a;");
  fs::permissions(given_ / "attention.cpp", fs::perms::none);
  fs::permissions(root_.path(), fs::perms::all);
  const pid_t child = fork();  // root may read anything, so try as nobody
  if (child == 0) {
    constexpr uid_t nobody = 65534;
    if (geteuid() == 0 && (setgid(nobody) != 0 || setuid(nobody) != 0)) _exit(2);
    try {
      take(given_ / "attention.cpp");
    } catch (const UsageFault&) {
      _exit(0);
    }
    _exit(1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(IntakeTest, NeverWritesIntoAPlaceThatHoldsSomething) {
  write("attention.cpp", "int a;");
  fs::create_directories(root_.path() / "clean1");
  std::ofstream(root_.path() / "clean1/other") << "kept";
  EXPECT_THROW(take(given_), EnvironmentFault);
  EXPECT_EQ(content(root_.path() / "clean1/other"), "kept");
}

}  // namespace
}  // namespace grader
