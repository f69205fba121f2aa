#include "grader/similarity/tokens.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <string>
#include <vector>

namespace grader {
namespace {

constexpr std::size_t kNoLimit = 1 << 20;

std::vector<int> codes(std::string_view source) {
  std::vector<int> codes;
  for (const Token& token : tokens_of(source, kNoLimit)) codes.push_back(token.code);
  return codes;
}

std::vector<int> lines(std::string_view source) {
  std::vector<int> lines;
  for (const Token& token : tokens_of(source, kNoLimit)) lines.push_back(token.line);
  return lines;
}

constexpr int kWord = kWordToken;
constexpr int kNumber = kNumberToken;
constexpr int kString = kStringToken;

TEST(TokensTest, NamesNumbersAndPunctuatorsAreToldApart) {
  EXPECT_EQ(codes("sum += 2 * x[i];"),
            (std::vector<int>{kWord, '+', '=', kNumber, '*', kWord, '[', kWord, ']', ';'}));
}

TEST(TokensTest, NamesAndValuesDoNotCount) {
  EXPECT_EQ(
      codes("double total = 0; for (int i = 1; i < n; ++i) total += f(i, \"a\", 'b');"),
      codes("float s_2 = 1e-300; for (long k = 42; k < rows; ++k) s_2 += g(k, \"\", '\\'');"));
}

TEST(TokensTest, KeywordsThatSayWhatHappensCount) {
  EXPECT_NE(codes("while (x) y();"), codes("if (x) y();"));
  EXPECT_NE(codes("return x;"), codes("throw x;"));
}

TEST(TokensTest, LayoutCommentsAndBracesDoNotCount) {
  EXPECT_EQ(codes("if (a) { b(); }  // why\n"), codes("if(a)\n/* because * of / this */\n\tb();"));
}

TEST(TokensTest, IncludesAndPragmasAreLeftOut) {
  EXPECT_EQ(codes("#include <cmath>\n  # pragma once\n#include \\\n  \"a.hpp\"\nint x;"),
            codes("int x;"));
  EXPECT_NE(codes("#define A x\nint x;"), codes("int x;"));
}

TEST(TokensTest, QualifiersAreLeftOut) {
  EXPECT_EQ(codes("std::exp(::std :: numbers::e)"), codes("exp(e)"));
  EXPECT_EQ(codes("a ? b : c"), (std::vector<int>{kWord, '?', kWord, ':', kWord}));
}

TEST(TokensTest, WordsThatChangeNothingAreLeftOut) {
  EXPECT_EQ(codes("static inline constexpr int kSize = 4;"), codes("auto size = 4;"));
  EXPECT_EQ(codes("unsigned long long x;"), codes("double x;"));
}

TEST(TokensTest, OtherSpellingsAreTheSame) {
  EXPECT_EQ(codes("if (not a and b or_eq c) x = true;"), codes("if (!a && b |= c) x = 1;"));
}

TEST(TokensTest, NumbersOfEveryForm) {
  for (const char* number :
       {"0", "1'000'000", "0x1.8p-3", "1e+5f", ".5", "1.", "0b1010u", "3.5_km", "1'0'0"}) {
    EXPECT_EQ(codes(number), std::vector<int>{kNumber}) << number;
  }
  EXPECT_EQ(codes("1+2"), (std::vector<int>{kNumber, '+', kNumber}));
}

TEST(TokensTest, StringsHideWhatIsInThem) {
  EXPECT_EQ(codes(R"(f("int x; // \" no comment /*");)"), codes("f(\"\");"));
  EXPECT_EQ(codes("f(\"a\" \"b\"\n\"c\")"), codes("f(\"abc\")"));
  EXPECT_EQ(codes("f(u8\"a\", L\"b\", L'c')"), codes("f(\"a\", \"b\", 'c')"));
}

TEST(TokensTest, RawStringsEndAtTheirDelimiter) {
  EXPECT_EQ(codes("f(R\"(\" int x; )\" , y)"), codes("f(\"\", y)"));
  EXPECT_EQ(codes("f(u8R\"ab(\n)a\" )b\" // \\\n)ab\", y);"), codes("f(\"\", y);"));
  EXPECT_EQ(lines("R\"(1\n2\n3)\"\nx"), (std::vector<int>{1, 4}));
  // A backslash splices no lines in a raw string.
  EXPECT_EQ(lines("R\"(\\\n)\" x"), (std::vector<int>{1, 2}));
}

TEST(TokensTest, MalformedRawStringsAreStrings) {
  EXPECT_EQ(codes("R\"a b(\" x"), (std::vector<int>{kString, kWord}));
  EXPECT_EQ(codes("R\"12345678901234567(\" x"), (std::vector<int>{kString, kWord}));
  EXPECT_EQ(codes("R\"("), std::vector<int>{kString});
  EXPECT_EQ(codes("R\""), std::vector<int>{kString});
}

TEST(TokensTest, SplicedLinesAreOne) {
  EXPECT_EQ(codes("ret\\\nurn x; // comment \\\n goes on\ny"), codes("return x; y"));
  EXPECT_EQ(codes("a\\\r\nb"), codes("ab"));
  EXPECT_EQ(codes("a\\  \nb"), codes("ab"));
  EXPECT_EQ(lines("a\\\n\\\nb c\nd"), (std::vector<int>{1, 3, 4}));
}

TEST(TokensTest, WhatIsNotClosedTakesTheRestOrItsLine) {
  EXPECT_EQ(codes("x /* never closed\n y"), codes("x"));
  EXPECT_EQ(codes("x = \"never closed\n y"), codes("x = \"\" y"));
  EXPECT_EQ(codes("x = 'a\n y"), codes("x = 'a' y"));
  EXPECT_EQ(codes("x /*/ y"), codes("x"));
  EXPECT_EQ(codes("\"\\"), std::vector<int>{kString});
  EXPECT_EQ(codes("//"), std::vector<int>{});
}

TEST(TokensTest, AnyBytesAreASource) {
  EXPECT_EQ(codes(""), std::vector<int>{});
  EXPECT_EQ(codes(std::string_view("a\0b\x01", 4)), (std::vector<int>{kWord, kWord}));
  EXPECT_EQ(codes("na\xc3\xafve \xff\xfe"), (std::vector<int>{kWord, kWord}));
  EXPECT_EQ(codes("\xef\xbb\xbfx"), codes("x"));
  EXPECT_EQ(codes("#"), (std::vector<int>{'#', kWord}));
  std::string every;
  for (int byte = 0; byte < 256; ++byte) every += static_cast<char>(byte);
  EXPECT_LE(codes(every).size(), every.size());
}

TEST(TokensTest, StopsAtTheLimit) {
  EXPECT_EQ(tokens_of("a b c d", 2).size(), 2U);
  EXPECT_EQ(tokens_of("a b", 0).size(), 0U);
}

// Every form that could make a scanner look far ahead again and again.
TEST(TokensTest, AMegabyteTakesNoLongerThanItsSize) {
  constexpr std::size_t kSize = 1 << 20;
  for (const std::string part :
       {"x ", "/", "/*", "\\\n", "\\ ", "R\"(", "R\"aaaaaaaaaaaaaaaaaaaaa", "\"", "'", "1'", ":",
        "#", "\n#", "a\\\n", "\\ \\\n", "*/", ":\\\n", "::"}) {
    std::string source;
    while (source.size() < kSize) source += part;
    const std::clock_t begin = std::clock();
    const std::vector<Token> tokens = tokens_of(source, source.size());
    const std::clock_t taken = std::clock() - begin;
    EXPECT_LE(tokens.size(), source.size()) << part;
    EXPECT_LT(taken, 2 * CLOCKS_PER_SEC) << part;
  }
}

}  // namespace
}  // namespace grader
