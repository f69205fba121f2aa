#include "grader/intake/names.hpp"

#include <gtest/gtest.h>

namespace grader {
namespace {

TEST(NamesTest, ExtensionsDecideInAnyCase) {
  EXPECT_EQ(kind_of_file_name("attention.cpp"), NameKind::source);
  EXPECT_EQ(kind_of_file_name("attention.CPP"), NameKind::source);
  EXPECT_EQ(kind_of_file_name("helper.cc"), NameKind::source);
  EXPECT_EQ(kind_of_file_name("helper.Hpp"), NameKind::header);
  EXPECT_EQ(kind_of_file_name("attention.hpp.gch"), NameKind::product);
  EXPECT_EQ(kind_of_file_name("libstudent.so"), NameKind::product);
  EXPECT_EQ(kind_of_file_name("CMakeLists.txt"), NameKind::irrelevant);
  EXPECT_EQ(kind_of_file_name("vector"), NameKind::irrelevant);
  EXPECT_EQ(kind_of_file_name(".cpp"), NameKind::irrelevant);
}

TEST(NamesTest, BuildFoldersAreSkippedAndOthersAreNot) {
  for (const char* name : {"build", "Build", "cmake-build-debug", "__MACOSX", ".git", "x64"}) {
    EXPECT_TRUE(is_skipped_folder(name)) << name;
  }
  for (const char* name : {"src", "include", "builder", "attention"}) {
    EXPECT_FALSE(is_skipped_folder(name)) << name;
  }
}

TEST(NamesTest, PlainNamesMayHaveSpacesAndLettersOfAnyLanguage) {
  EXPECT_TRUE(is_plain_name("my solution (1).cpp"));
  EXPECT_TRUE(is_plain_name("r\xc3\xa9sum\xc3\xa9.hpp"));
}

TEST(NamesTest, NamesThatCannotBeShownAreNotPlain) {
  EXPECT_FALSE(is_plain_name(""));
  EXPECT_FALSE(is_plain_name("two\nlines.cpp"));
  EXPECT_FALSE(is_plain_name("\x1b[31mred.cpp"));
  EXPECT_FALSE(is_plain_name("latin\xe9.cpp"));
  EXPECT_FALSE(is_plain_name("gpj.\xe2\x80\xaephp.cpp"));
  EXPECT_FALSE(is_plain_name(std::string(201, 'a')));
}

TEST(NamesTest, WhatLiesInASkippedFolderIsKnownByItsPath) {
  for (const char* path : {"build/a.cpp", "x/.git/a.cpp", ".hidden.cpp", "x/.hidden.cpp",
                           "__MACOSX/x/._a.cpp", "./build/a.cpp"}) {
    EXPECT_TRUE(lies_in_skipped_folder(path)) << path;
  }
  for (const char* path : {"a.cpp", "./a.cpp", "x//a.cpp", "x/build", "../a.cpp", ""}) {
    EXPECT_FALSE(lies_in_skipped_folder(path)) << path;
  }
}

TEST(NamesTest, FoldedNamesAreEqualWhereSomeFileSystemMixesThemUp) {
  EXPECT_EQ(folded("Matrix.CPP"), folded("matrix.cpp"));
  EXPECT_EQ(folded("m\xc3\xbcll"), folded("MU\xcc\x88LL"));  // ü, composed or not
  EXPECT_EQ(folded("stra\xc3\x9f"
                   "e"),
            folded("STRASSE"));  // ß
  EXPECT_NE(folded("a.cpp"), folded("b.cpp"));
  EXPECT_EQ(folded("Latin\xe9"), "latin\xe9");  // not UTF-8
}

TEST(NamesTest, IdentityIsSafeForFileSystemsAndShells) {
  EXPECT_EQ(submission_id("/x/attention.cpp", false), "attention");
  EXPECT_EQ(submission_id("/x/Ada Lovelace_123/", true), "Ada_Lovelace_123");
  EXPECT_EQ(submission_id("/x/ada.tar.gz", false), "ada");
  EXPECT_EQ(submission_id("/x/.tar.gz", false), "submission");
  EXPECT_EQ(submission_id("/x/$(reboot);.cpp", false), "__reboot__");
  EXPECT_EQ(submission_id("/x/--help", true), "help");
  EXPECT_EQ(submission_id("/x/..cpp", false), "submission");
  EXPECT_EQ(submission_id("/x/" + std::string(300, 'a'), true).size(), 64U);
}

}  // namespace
}  // namespace grader
