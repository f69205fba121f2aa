// Submissions that are archives. The ids (I01 …) are those of the list of techniques that a
// submission may try at intake.
#include <sys/wait.h>

#include <cerrno>

#include "grader/intake/intake_fixture.hpp"
#include "grader/intake/pack.hpp"

namespace grader {
namespace {

struct Kind {
  const char* ending;
  const char* format;
  std::vector<std::string> filters;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {{"zip", "zip", {}},
                                        {"tar", "ustar", {}},
                                        {"tar.gz", "pax", {"gzip"}},
                                        {"tar.xz", "pax", {"xz"}},
                                        {"tar.zst", "gnutar", {"zstd"}},
                                        {"tar.bz2", "ustar", {"bzip2"}},
                                        {"7z", "7zip", {}}};
  return all;
}

class ArchiveTest : public IntakeTest {
 protected:
  fs::path hand_in(const std::string& name, const std::string& bytes) {
    write(name, bytes);
    return given_ / name;
  }
  fs::path hand_in(Pack& pack, const std::string& name = "ada.zip") {
    return hand_in(name, pack.bytes());
  }

  std::string refusal_of(const std::string& bytes) {
    std::string reason = refusal(hand_in("ada.zip", bytes));
    // Whatever is refused, the child that unpacked it is gone.
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
    return reason;
  }
  std::string refusal_of_name(const std::string& name, const std::string& format = "zip") {
    return refusal_of(Pack(format).file("attention.cpp", "int a;").file(name, "int b;").bytes());
  }
};

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(ArchiveTest, EveryKindIsTheSameSubmissionAsTheFolder) {
  write("work/attention.cpp", "int a;\r\n");
  write("work/detail/softmax.hpp", "int b;");
  const std::string digest = accepted(given_ / "work").digest;
  for (const Kind& kind : kinds()) {
    Pack pack(kind.format, kind.filters);
    pack.folder("work").file("work/attention.cpp", "int a;\r\n");
    pack.file("work/detail/softmax.hpp", "int b;");
    const Submission submission = accepted(hand_in(pack, std::string("ada.") + kind.ending));
    EXPECT_EQ(submission.digest, digest) << kind.ending;
    EXPECT_EQ(submission.id, "ada") << kind.ending;
    EXPECT_EQ(content(submission.directory / "attention.cpp"), "int a;\r\n") << kind.ending;
    EXPECT_TRUE(submission.notices.empty()) << kind.ending;
  }
}

TEST_F(ArchiveTest, IsKnownByItsContentWhateverItsName) {
  for (const Kind& kind : kinds()) {
    Pack pack(kind.format, kind.filters);
    pack.file("attention.cpp", "int a;");
    EXPECT_EQ(names(accepted(hand_in(pack, "upload.cpp"))), Names{"attention.cpp"}) << kind.ending;
  }
}

TEST_F(ArchiveTest, HonestMessIsTolerated) {
  Pack pack("zip");
  pack.folder("Ada L/").file("Ada L/ATTENTION.CPP", "\xef\xbb\xbfint a;\r\n");
  pack.file("Ada L/.DS_Store", "x").file("__MACOSX/Ada L/._ATTENTION.CPP", "x");
  pack.file("Ada L/include/attention/attention.hpp", "#define WRONG");
  pack.file("Ada L/build/CMakeFiles/a.cpp", "x").file("Ada L/README.md", "x");
  const Submission submission = accepted(hand_in(pack));
  EXPECT_EQ(names(submission), Names{"attention.cpp"});
  EXPECT_TRUE(says(submission.notices, "the grader's own copy of the contract"));
  EXPECT_EQ(content(submission.directory / "include/attention/attention.hpp").find("WRONG"),
            std::string::npos);
}

TEST_F(ArchiveTest, NamesOfOtherLanguagesStayAsTheyAre) {
  for (const char* format : {"zip", "pax"}) {
    Pack pack(format);
    pack.file("attention.cpp", "int a;").file("r\xc3\xa9sum\xc3\xa9.hpp", "int b;");
    EXPECT_EQ(names(accepted(hand_in(pack))), (Names{"attention.cpp", "r\xc3\xa9sum\xc3\xa9.hpp"}))
        << format;
  }
}

TEST_F(ArchiveTest, SaysWhatIsMissing) {
  EXPECT_SAYS(refusal_of(Pack("zip").file("notes.txt", "x").bytes()),
              "The archive has no attention.cpp");
  EXPECT_SAYS(refusal_of(Pack("zip").bytes()), "The archive has no attention.cpp");
  EXPECT_SAYS(refusal_of(Pack("ustar").bytes()), "The archive has no attention.cpp");
}

TEST_F(ArchiveTest, I01_RefusesNamesThatLeadOutside) {
  for (const char* format : {"zip", "ustar"}) {
    EXPECT_SAYS(refusal_of_name("../grader.cpp", format), "leads out of the archive");
    EXPECT_SAYS(refusal_of_name("a/../../grader.cpp", format), "leads out of the archive");
    EXPECT_SAYS(refusal_of_name("a/..", format), "leads out of the archive");
    EXPECT_SAYS(refusal_of_name("build/../../x.txt", format), "leads out of the archive");
    EXPECT_SAYS(refusal_of_name("/etc/grader.cpp", format), "an absolute name");
    EXPECT_SAYS(refusal_of_name("C:/grader.cpp", format), "a drive letter");
  }
  // In a zip of DOS a backslash separates folders, and the library takes it for that.
  EXPECT_SAYS(refusal_of_name("a\\..\\grader.cpp", "ustar"), "a backslash");
}

TEST_F(ArchiveTest, I01_NamesThatOnlyLookDangerousAreTaken) {
  Pack pack("ustar");
  pack.file("./work/./attention.cpp", "int a;")
      .file("work/..a/b.cpp", "")
      .file("work//b...hpp", "");
  EXPECT_EQ(names(accepted(hand_in(pack))), (Names{"attention.cpp", "b...hpp"}));
}

TEST_F(ArchiveTest, I02_LeavesOutLinks) {
  for (const char* format : {"zip", "ustar", "7zip"}) {
    Pack pack(format);
    pack.file("attention.cpp", "int a;").symbolic_link("reference.hpp", "/etc/passwd");
    pack.symbolic_link("folder.d", "/etc");
    const Submission submission = accepted(hand_in(pack));
    EXPECT_EQ(names(submission), Names{"attention.cpp"}) << format;
    EXPECT_TRUE(says(submission.notices, "reference.hpp was left out: it is a link")) << format;
    EXPECT_FALSE(fs::is_symlink(submission.directory / "reference.hpp")) << format;
  }
}

TEST_F(ArchiveTest, I02_RefusesAFileThroughALink) {
  for (const char* format : {"zip", "ustar"}) {
    Pack pack(format);
    pack.file("attention.cpp", "int a;").symbolic_link("x", root_.path());
    pack.file("x/escaped.cpp", "int b;");
    EXPECT_SAYS(refusal_of(pack.bytes()), "x/escaped.cpp twice");
  }
  EXPECT_FALSE(fs::exists(root_.path() / "escaped.cpp"));
}

TEST_F(ArchiveTest, I02_RefusesALinkAsTheMainFile) {
  EXPECT_SAYS(refusal_of(Pack("ustar").symbolic_link("attention.cpp", "/etc/passwd").bytes()),
              "no attention.cpp");
}

TEST_F(ArchiveTest, I03_LeavesOutHardLinks) {
  write("../secret.hpp", "secret");
  Pack pack("ustar");
  pack.file("attention.cpp", "int a;").hard_link("secret.hpp", root_.path() / "secret.hpp");
  const Submission submission = accepted(hand_in(pack));
  EXPECT_EQ(names(submission), Names{"attention.cpp"});
  EXPECT_TRUE(says(submission.notices, "secret.hpp was left out: it is a link"));
}

TEST_F(ArchiveTest, I04_RefusesBombs) {
  const std::string zeros(std::size_t{20} << 20, '\0');
  EXPECT_SAYS(refusal_of(Pack("zip").file("attention.cpp", "int a;").file("x.txt", zeros).bytes()),
              "more than 200 times its size");
  EXPECT_SAYS(refusal_of(Pack("ustar", {"gzip"}).file("x.txt", zeros).bytes()),
              "more than 200 times its size");
  EXPECT_SAYS(refusal_of(Pack("7zip").file("x.txt", zeros).bytes()),
              "more than 200 times its size");
}

TEST_F(ArchiveTest, I04_RefusesManyTinyFiles) {
  Pack pack("zip", {}, "");
  pack.file("attention.cpp", "int a;");
  for (int index = 0; index < 20'000; ++index) pack.file(std::to_string(index), "");
  EXPECT_SAYS(refusal_of(pack.bytes()), "more than 20000 files");
}

TEST_F(ArchiveTest, I04_DoesNotOpenArchivesInArchives) {
  const std::string inner = Pack("zip").file("helper.cpp", "int b;").bytes();
  Pack pack("zip");
  pack.file("attention.cpp", "int a;").file("inner.zip", inner);
  const Submission submission = accepted(hand_in(pack));
  EXPECT_EQ(names(submission), Names{"attention.cpp"});
  EXPECT_TRUE(says(submission.notices, "inner.zip was left out"));
  EXPECT_SAYS(refusal_of(Pack("zip").file("attention.cpp", inner).bytes()), "binary file");
}

TEST_F(ArchiveTest, I04_RefusesCompressionOfCompression) {
  EXPECT_SAYS(refusal_of(Pack("ustar", {"gzip", "gzip"}).file("attention.cpp", "int a;").bytes()),
              "compressed more than once");
}

TEST_F(ArchiveTest, I04_LimitsHoldAsTheyDoForFolders) {
  EXPECT_SAYS(refusal_of(Pack("zip").file("attention.cpp", std::string(1001, 'a')).bytes()),
              "attention.cpp is larger than");
  const std::string most(900, 'a');
  EXPECT_SAYS(
      refusal_of(
          Pack("zip").file("attention.cpp", most).file("b.hpp", most).file("c.hpp", most).bytes()),
      "The sources are larger than");
  Pack many("ustar");
  for (const char* name : {"attention.cpp", "a.hpp", "b.hpp", "c.hpp", "d.hpp", "e.hpp"}) {
    many.file(name, "a");
  }
  EXPECT_SAYS(refusal_of(many.bytes()), "more than 5 source files");
}

// The sizes in the directory of a zip say nothing about what the data inflates to.
TEST_F(ArchiveTest, I04_RefusesADirectoryThatLiesAboutSizes) {
  std::string bytes = Pack("zip").file("attention.cpp", std::string(900, 'a')).bytes();
  const std::size_t directory = bytes.find("PK\x01\x02");
  ASSERT_NE(directory, std::string::npos);
  bytes[directory + 24] = 1;  // uncompressed size, of which the other bytes are
  bytes[directory + 25] = 0;
  EXPECT_SAYS(refusal_of(bytes), "says two things about one file");
}

TEST_F(ArchiveTest, I04_RefusesADirectoryThatLiesAboutNames) {
  std::string bytes = Pack("zip").file("attention.cpp", "int a;").file("b.hpp", "int b;").bytes();
  const std::size_t name = bytes.rfind("b.hpp");
  bytes[name] = 'c';
  EXPECT_SAYS(refusal_of(bytes), "one file by two names");
}

TEST_F(ArchiveTest, I05_LeavesOutPipesAndDevices) {
  Pack pack("ustar");
  pack.file("attention.cpp", "int a;").special("pipe.hpp", AE_IFIFO);
  pack.special("disk.hpp", AE_IFBLK).special("zero.hpp", AE_IFCHR);
  const Submission submission = accepted(hand_in(pack));
  EXPECT_EQ(names(submission), Names{"attention.cpp"});
  for (const char* name : {"pipe.hpp", "disk.hpp", "zero.hpp"}) {
    EXPECT_TRUE(says(submission.notices, std::string(name) + " was left out: it is not a regular"));
  }
}

TEST_F(ArchiveTest, I06_ShowsStrangeNamesSanitisedAndLeavesThemOut) {
  for (const char* format : {"zip", "pax"}) {
    Pack pack(format);
    pack.file("attention.cpp", "int a;").file("two\nlines.cpp", "int b;");
    pack.file("\x1b[2Jclear.cpp", "int c;").file("latin\xe9.cpp", "int d;");
    pack.file(std::string(230, 'n') + ".cpp", "int e;").file("trailing.cpp.", "int f;");
    const Submission submission = accepted(hand_in(pack));
    EXPECT_EQ(names(submission), Names{"attention.cpp"}) << format;
    EXPECT_TRUE(says(submission.notices, "\\x1b[2Jclear.cpp was left out")) << format;
    EXPECT_TRUE(says(submission.notices, "two lines.cpp was left out")) << format;
    EXPECT_TRUE(says(submission.notices, "latin\xef\xbf\xbd.cpp was left out")) << format;
    EXPECT_TRUE(says(submission.notices, "nnn")) << format;
  }
}

TEST_F(ArchiveTest, I07_LeavesOutNamesThatLookLikeOptions) {
  Pack pack("zip");
  pack.file("attention.cpp", "int a;").file("-o x.cpp", "int b;").file("@resp.cpp", "int c;");
  const Submission submission = accepted(hand_in(pack));
  EXPECT_EQ(names(submission), Names{"attention.cpp"});
  EXPECT_TRUE(says(submission.notices, "-o x.cpp was left out"));
}

TEST_F(ArchiveTest, I08_ContractHeaderOfTheGraderReplacesACopy) {
  Pack pack("7zip");
  pack.file("attention.cpp", "int a;").file("attention.hpp", "struct Wrong {};");
  const Submission submission = accepted(hand_in(pack));
  EXPECT_EQ(names(submission), Names{"attention.cpp"});
  EXPECT_EQ(content(submission.directory / "attention.hpp").find("Wrong"), std::string::npos);
}

TEST_F(ArchiveTest, I09_I12_LeavesOutPrecompiledHeadersObjectsAndLibraries) {
  Pack pack("zip");
  pack.file("attention.cpp", "int a;").file("attention.hpp.gch", "x").file("x.o", "INPUT(x)");
  pack.file("Eigen/Core.gch", "x").file("libx.a", "x").file("libx.so", "x");
  const Submission submission = accepted(hand_in(pack));
  EXPECT_EQ(names(submission), Names{"attention.cpp"});
  EXPECT_TRUE(says(submission.notices, "attention.hpp.gch was left out"));
  EXPECT_TRUE(says(submission.notices, "x.o was left out"));
  EXPECT_FALSE(fs::exists(submission.directory / "x.o"));
}

TEST_F(ArchiveTest, I10_LeavesOutCopiesOfLibrariesInAnyOrderOfTheArchive) {
  Pack pack("ustar");
  pack.file("eigen-3.4.0/bench/a.cpp", "int b;").file("eigen-3.4.0/signature_of_library", "");
  pack.file("attention.cpp", "int a;").file("Eigen/src/Core.h", "#error").file("vector", "#error");
  pack.file("checks/check.cpp", "int c;").file("checks/not_submitted.txt", "");
  const Submission submission = accepted(hand_in(pack));
  EXPECT_EQ(names(submission), Names{"attention.cpp"});
  EXPECT_TRUE(says(submission.notices, "Eigen was left out"));
  EXPECT_TRUE(says(submission.notices, "eigen-3.4.0 was left out"));
}

TEST_F(ArchiveTest, I11_IgnoresFilesOfBuildTools) {
  Pack pack("zip");
  pack.file("attention.cpp", "int a;").file("CMakeLists.txt", "x").file("Makefile", "x");
  pack.file(".clang-tidy", "x").file(".git/hooks/post-checkout", "x").file(".gdbinit", "x");
  const Submission submission = accepted(hand_in(pack));
  EXPECT_EQ(names(submission), Names{"attention.cpp"});
  EXPECT_EQ(std::distance(fs::directory_iterator(submission.directory), {}), 1);
}

TEST_F(ArchiveTest, I13_RefusesTwins) {
  EXPECT_SAYS(refusal_of_name("attention.cpp"), "attention.cpp twice");
  EXPECT_SAYS(refusal_of_name("./attention.cpp"), "attention.cpp twice");
  EXPECT_SAYS(refusal_of_name("Attention.cpp"), "differ only in upper and lower case");
  EXPECT_SAYS(refusal_of_name("attention.cpp/a.cpp"), "twice");
  Pack accents("ustar");
  accents.file("attention.cpp", "").file("m\xc3\xbcll.hpp", "").file("mu\xcc\x88ll.hpp", "");
  EXPECT_SAYS(refusal_of(accents.bytes()), "how an accent is written");
}

TEST_F(ArchiveTest, I14_RefusesDeepTreesOfSources) {
  std::string deep;
  for (int level = 0; level < 40; ++level) deep += "d/";
  EXPECT_SAYS(refusal_of_name(deep + "a.hpp"), "nested too deeply");
  std::string just_too_deep;
  for (int level = 0; level < 17; ++level) just_too_deep += "d/";
  EXPECT_SAYS(refusal_of_name(just_too_deep + "a.hpp"), "nested too deeply");
  Pack in_a_build_folder("zip");
  in_a_build_folder.file("attention.cpp", "int a;").file("build/" + deep + "a.hpp", "x");
  EXPECT_EQ(names(accepted(hand_in(in_a_build_folder))), Names{"attention.cpp"});
}

TEST_F(ArchiveTest, I14_RefusesBinaryContent) {
  EXPECT_SAYS(refusal_of(Pack("zip").file("attention.cpp", std::string("a\0b", 3)).bytes()),
              "binary file");
}

TEST_F(ArchiveTest, RefusesEncryptedArchives) {
  EXPECT_SAYS(
      refusal_of(
          Pack("zip", {}, "zip:encryption=traditional").file("attention.cpp", "int a;").bytes()),
      "is encrypted: pack it again without a password");
}

TEST_F(ArchiveTest, RefusesDamagedArchivesOfEveryKind) {
  for (const Kind& kind : kinds()) {
    Pack pack(kind.format, kind.filters);
    pack.file("attention.cpp", std::string(700, 'a'));
    std::string bytes = pack.bytes();
    const std::string reason = refusal_of(bytes.substr(0, bytes.size() / 2));
    EXPECT_SAYS(reason, "ada.zip is") << kind.ending;
    EXPECT_SAYS(reason, "damaged") << kind.ending;
  }
  EXPECT_SAYS(refusal_of("this is text"), "is damaged, or is not a zip, tar or 7z");
  EXPECT_SAYS(refusal_of(""), "ada.zip is");
}

TEST_F(ArchiveTest, RefusesRarWithWhatToDo) {
  EXPECT_SAYS(refusal_of("Rar!\x1a\x07"), "RAR archive: pack your folder as zip");
}

TEST_F(ArchiveTest, DoesNotReadAHugeArchiveWhole) {
  const fs::path huge = hand_in("ada.zip", "PK\x03\x04");
  fs::resize_file(huge, std::uintmax_t{100} << 30U);
  EXPECT_SAYS(refusal(huge), "is larger than 64 MB");
}

}  // namespace
}  // namespace grader
