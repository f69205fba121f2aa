#include "grader/similarity/comparison.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace grader {
namespace {

// A made-up program of `statements` random statements, one a line; `word` is in all its names.
std::string program(unsigned seed, int statements, const std::string& word = "x") {
  std::mt19937 random(seed);
  const auto name = [&] { return word + std::to_string(random() % 20); };
  std::string text;
  for (int statement = 0; statement < statements; ++statement) {
    switch (random() % 5) {
      case 0: text += "for (int i = 0; i < " + name() + "; ++i) "; break;
      case 1: text += "if (" + name() + " > " + name() + ") "; break;
      case 2: text += name() + "[" + name() + "] = "; break;
      case 3: text += name() + " -= "; break;
      default: break;
    }
    for (unsigned term = random() % 4 + 1; term > 0; --term) {
      text +=
          name() + (random() % 2 == 0 ? "(" + name() + ")" : "") + (random() % 2 ? " * " : " + ");
    }
    text += "1;\n";
  }
  return text;
}

SimilarityReport compared(const std::vector<std::string>& texts, const std::string& given = "") {
  SubmissionComparison comparison({{"attention.cpp", given}});
  for (const std::string& text : texts) {
    comparison.add(text.empty() ? std::vector<SourceText>{}
                                : std::vector<SourceText>{{"attention.cpp", text}});
  }
  return comparison.report();
}

std::vector<std::string> strangers(unsigned first, unsigned count) {
  std::vector<std::string> texts;
  for (unsigned each = 0; each < count; ++each) texts.push_back(program(first + each, 80));
  return texts;
}

TEST(ComparisonTest, StrangersAreNotListed) {
  const SimilarityReport report = compared(strangers(1, 40));
  EXPECT_TRUE(report.identical.empty());
  EXPECT_TRUE(report.pairs.empty());
}

TEST(ComparisonTest, RenamingAndReformattingDoNotHelp) {
  std::vector<std::string> texts = strangers(1, 5);
  texts.push_back("// my own work\n#include <vector>\n" + program(3, 80, "own_name_") + "\n\n");
  const SimilarityReport report = compared(texts);
  EXPECT_TRUE(report.identical.empty());
  ASSERT_EQ(report.pairs.size(), 1U);
  const SimilarPair& pair = report.pairs[0];
  EXPECT_EQ(pair.a, 2U);
  EXPECT_EQ(pair.b, 5U);
  EXPECT_EQ(pair.share, 1.0);
  EXPECT_GE(pair.matching_lines, 75);
  EXPECT_LE(pair.matching_lines, 80);
  EXPECT_EQ(pair.longest_in_a.file, "attention.cpp");
  EXPECT_LE(pair.longest_in_a.first_line, 3);
  EXPECT_GE(pair.longest_in_a.last_line, 77);
  EXPECT_EQ(pair.longest_in_b.first_line, pair.longest_in_a.first_line + 2);
  EXPECT_EQ(pair.longest_in_b.last_line, pair.longest_in_a.last_line + 2);
}

TEST(ComparisonTest, CopiedPartsAreMeasuredOnTheShorterText) {
  std::vector<std::string> texts = strangers(1, 4);
  texts.push_back(program(100, 70) + program(2, 80) + program(101, 70));  // the second, and more
  const SimilarityReport report = compared(texts);
  ASSERT_EQ(report.pairs.size(), 1U);
  EXPECT_EQ(report.pairs[0].a, 1U);
  EXPECT_EQ(report.pairs[0].b, 4U);
  EXPECT_GT(report.pairs[0].share, 0.9);
  EXPECT_GE(report.pairs[0].longest_in_b.first_line, 70);
  EXPECT_LE(report.pairs[0].longest_in_b.last_line, 151);
}

TEST(ComparisonTest, IdenticalSubmissionsAreNamedApart) {
  std::vector<std::string> texts = strangers(1, 3);
  texts.push_back(texts[1]);
  texts.push_back(texts[0]);
  texts.push_back(texts[1]);
  const SimilarityReport report = compared(texts);
  EXPECT_EQ(report.identical, (std::vector<std::vector<std::size_t>>{{0, 4}, {1, 3, 5}}));
  EXPECT_TRUE(report.pairs.empty());
}

TEST(ComparisonTest, ACopyOfIdenticalOnesIsPairedWithTheFirst) {
  std::vector<std::string> texts = strangers(1, 2);
  texts.push_back(texts[1]);
  texts.push_back(program(2, 80, "renamed"));
  const SimilarityReport report = compared(texts);
  ASSERT_EQ(report.pairs.size(), 1U);
  EXPECT_EQ(report.pairs[0].a, 1U);
  EXPECT_EQ(report.pairs[0].b, 3U);
}

TEST(ComparisonTest, OtherFileNamesMakeOtherBytesButNoOtherText) {
  SubmissionComparison comparison({});
  comparison.add({{"a.cpp", program(1, 80)}});
  comparison.add({{"b.cpp", program(1, 80)}});
  const SimilarityReport report = comparison.report();
  EXPECT_TRUE(report.identical.empty());
  ASSERT_EQ(report.pairs.size(), 1U);
  EXPECT_EQ(report.pairs[0].longest_in_b.file, "b.cpp");
}

TEST(ComparisonTest, WhatTheTemplateHasDoesNotCount) {
  const std::string given = program(500, 100);
  std::vector<std::string> texts;
  for (unsigned each = 0; each < 6; ++each) texts.push_back(given + program(each, 60));
  EXPECT_TRUE(compared(texts, given).pairs.empty());
  EXPECT_EQ(compared(texts).pairs.size(), 15U);
  // Those who handed in the template itself are identical and nothing more.
  const SimilarityReport report = compared({given, given, given + "\nint x;"}, given);
  EXPECT_EQ(report.identical.size(), 1U);
  EXPECT_TRUE(report.pairs.empty());
}

TEST(ComparisonTest, WhatMuchOfTheClassHasDoesNotCount) {
  const std::string lecture = program(500, 100);
  std::vector<std::string> texts;
  for (unsigned each = 0; each < 12; ++each) texts.push_back(lecture + program(each, 60));
  EXPECT_TRUE(compared(texts).pairs.empty());
}

TEST(ComparisonTest, NothingAndTooLittleAreLikeNoOther) {
  const SimilarityReport report =
      compared({"", "int x;", "int y;", "", program(1, 3), program(1, 3, "z")});
  EXPECT_TRUE(report.identical.empty());
  EXPECT_TRUE(report.pairs.empty());
  EXPECT_TRUE(compared({}).pairs.empty());
}

TEST(ComparisonTest, TheListIsBounded) {
  // Forty families of a size that the class's share does not hide.
  std::vector<std::string> texts;
  for (unsigned each = 0; each < 400; ++each) {
    texts.push_back(program(each % 40, 60) + "int tail_" + std::to_string(each) + " = 0;" +
                    program(1000 + each, 5));
  }
  const SimilarityReport report = compared(texts);
  EXPECT_EQ(report.pairs.size(), kMostPairs);
  EXPECT_EQ(report.pairs_left_out, 40 * 45 - kMostPairs);
  for (const SimilarPair& pair : report.pairs) EXPECT_EQ(pair.a % 40, pair.b % 40);
}

TEST(ComparisonTest, LongerThanAnyHonestOneIsComparedAsFarAsItGoes) {
  std::string long_text;
  while (long_text.size() < (1U << 20)) long_text += program(7, 400);
  const SimilarityReport report = compared({long_text, long_text + "int x;"});
  ASSERT_EQ(report.pairs.size(), 1U);
  EXPECT_EQ(report.pairs[0].share, 1.0);
}

TEST(ComparisonTest, TwoThousandSubmissionsTakeSeconds) {
  std::vector<std::string> texts = strangers(1, 2000);
  for (unsigned each = 0; each < 60; ++each) texts[1900 + each] = program(each + 1, 80, "renamed");
  const std::clock_t begin = std::clock();
  const SimilarityReport report = compared(texts);
  const std::clock_t taken = std::clock() - begin;
  EXPECT_EQ(report.pairs.size(), 60U);
  EXPECT_LT(taken, 5 * CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace grader
