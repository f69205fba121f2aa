#include "grader/build/diagnostics.hpp"

#include <gtest/gtest.h>

namespace grader {
namespace {

std::string clean(const std::string& raw, std::size_t limit = 10'000, bool was_cut = false) {
  return clean_diagnostics(raw, path_replacements({".", "attention"}, {"/usr/include/eigen3"}),
                           was_cut, limit);
}

TEST(DiagnosticsTest, PathsOfTheBoxAndTheMachineAreRemoved) {
  EXPECT_EQ(clean("/submission/attention.cpp:3:1: error: x\n"), "attention.cpp:3:1: error: x\n");
  EXPECT_EQ(clean("/contract/attention/attention.hpp:77:8: note: candidate\n"),
            "attention/attention.hpp:77:8: note: candidate\n");
  EXPECT_EQ(clean("/usr/include/eigen3/Eigen/src/Core/Product.h:9:3: error: x\n"),
            "Eigen/src/Core/Product.h:9:3: error: x\n");
  EXPECT_EQ(clean("/tmp/ccAbC123.o: error: x\n"), "(your code): error: x\n");
}

TEST(DiagnosticsTest, WhatALibrarySaysAboutItsInsidesIsCountedOnly) {
  EXPECT_EQ(clean("attention.cpp:3:1: error: x\n"
                  "/usr/include/eigen3/Eigen/src/Core/Product.h:9:3: note: candidate\n"
                  "/usr/include/c++/12/vector:9:3:   required from 'y'\n"
                  "attention.cpp:4:2:   required from here\n"),
            "attention.cpp:3:1: error: x\nattention.cpp:4:2:   required from here\n"
            "(2 lines about the insides of libraries left out)\n");
}

TEST(DiagnosticsTest, BookkeepingIsDropped) {
  EXPECT_EQ(clean("In file included from /usr/include/eigen3/Eigen/Core:164,\n"
                  "                 from /contract/attention/attention.hpp:10,\n"
                  "                 from /prelude/prelude.hpp:2:\n"
                  "trace-symbol: mold: /tmp/cc123456.o: definition of main\n"
                  ">>> referenced by dispatch.cpp\n"
                  "collect2: error: ld returned 1 exit status\n"),
            "");
}

TEST(DiagnosticsTest, MissingFunctionsAreNamedWithoutTheirParameters) {
  EXPECT_EQ(clean("mold: error: undefined symbol: attention::entropy(Eigen::Matrix<double, 1, -1, "
                  "1, 1, -1> const&)\n"),
            "mold: error: undefined symbol: attention::entropy(…)\n");
  EXPECT_EQ(clean("ld: x.o: undefined reference to `f(int (*)(double))'\n"),
            "ld: x.o: undefined reference to `f(…)'\n");
}

TEST(DiagnosticsTest, IncludesBetweenTheStudentsFilesAreKept) {
  EXPECT_EQ(clean("In file included from attention.cpp:1:\nhelper.hpp:2:1: error: x\n"),
            "In file included from attention.cpp:1:\nhelper.hpp:2:1: error: x\n");
}

TEST(DiagnosticsTest, ControlCharactersAreNeutralised) {
  const std::string text = clean("attention.cpp:1:2: error: #error \x1b[2J\xff\xe2\x80\xae\n");
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("\\x1b"), std::string::npos);
  EXPECT_NE(text.find("\\u202e"), std::string::npos);
}

TEST(DiagnosticsTest, LongLinesAndLongTextsAreCut) {
  EXPECT_LT(clean(std::string(5000, 'x')).size(), 500U);
  std::string many;
  for (int line = 0; line < 1000; ++line) many += "attention.cpp:1:1: error: x\n";
  EXPECT_LT(clean(many, 1000).size(), 1100U);
  EXPECT_NE(clean("x\n", 1000, true).find("the rest was cut"), std::string::npos);
}

}  // namespace
}  // namespace grader
