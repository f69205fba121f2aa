#include "grader/signature/canonical_json.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "grader/base/fault.hpp"

namespace grader {
namespace {

std::string canonical(const std::string& document) { return canonical_json(document, "it"); }

std::string fault_of(const std::string& document) {
  try {
    canonical(document);
  } catch (const UsageFault& fault) {
    EXPECT_FALSE(fault.hint().empty());
    return fault.what();
  }
  return "";
}

std::string seventeen_digits(std::uint64_t bits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.16e", std::bit_cast<double>(bits));
  return text;
}

// RFC 8785, appendix B.
TEST(CanonicalJsonTest, NumbersAreThoseOfTheStandardsTable) {
  const std::vector<std::pair<std::uint64_t, std::string>> table = {
      {0x0000000000000000, "0"},
      {0x8000000000000000, "0"},
      {0x0000000000000001, "5e-324"},
      {0x8000000000000001, "-5e-324"},
      {0x7fefffffffffffff, "1.7976931348623157e+308"},
      {0xffefffffffffffff, "-1.7976931348623157e+308"},
      {0x4340000000000000, "9007199254740992"},
      {0xc340000000000000, "-9007199254740992"},
      {0x4430000000000000, "295147905179352830000"},
      {0x44b52d02c7e14af5, "9.999999999999997e+22"},
      {0x44b52d02c7e14af6, "1e+23"},
      {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
      {0x444b1ae4d6e2ef4e, "999999999999999700000"},
      {0x444b1ae4d6e2ef4f, "999999999999999900000"},
      {0x444b1ae4d6e2ef50, "1e+21"},
      {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
      {0x3eb0c6f7a0b5ed8d, "0.000001"},
      {0x41b3de4355555553, "333333333.3333332"},
      {0x41b3de4355555554, "333333333.33333325"},
      {0x41b3de4355555555, "333333333.3333333"},
      {0x41b3de4355555556, "333333333.3333334"},
      {0x41b3de4355555557, "333333333.33333343"},
      {0xbecbf647612f3696, "-0.0000033333333333333333"},
      {0x43143ff3c1cb0959, "1424953923781206.2"}};
  for (const auto& [bits, expected] : table) {
    EXPECT_EQ(canonical(seventeen_digits(bits)), expected);
  }
}

// RFC 8785, sections 3.2.3 and 3.2.4.
TEST(CanonicalJsonTest, MembersAndStringsAreThoseOfTheStandardsExamples) {
  EXPECT_EQ(canonical(R"({"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\ud83d\ude00": 5,)"
                      R"( "\u0080": 6, "\u00f6": 7})"),
            "{\"\\r\":2,\"1\":4,\"\xc2\x80\":6,\"\xc3\xb6\":7,\"\xe2\x82\xac\":1,"
            "\"\xf0\x9f\x98\x80\":5,\"\xef\xac\xb3\":3}");
  EXPECT_EQ(canonical(R"({
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]})"),
            R"({"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],)"
            "\"string\":\"\xe2\x82\xac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
}

TEST(CanonicalJsonTest, WritingTheSameOtherwiseChangesNothing) {
  const std::string text = R"({"a":[{"b":1},[],{}],"c":"d"})";
  EXPECT_EQ(canonical(text), text);
  EXPECT_EQ(canonical("{ \"c\" :\t\"\\u0064\",\r\n \"a\": [ {\"b\": 1.0} , [ ],{ }\n] }\n"), text);
  EXPECT_EQ(canonical(canonical("[1e2, -0.0, 100.50]")), "[100,0,100.5]");
}

TEST(CanonicalJsonTest, SeedsKeepAllTheirDigits) {
  EXPECT_EQ(canonical("18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(canonical("18446744073709551614"), "18446744073709551614");
  EXPECT_EQ(canonical("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(canonical("18446744073709551616"), "18446744073709552000");  // as a double
}

TEST(CanonicalJsonTest, WhatReadersUnderstandDifferentlyIsRefused) {
  EXPECT_EQ(fault_of(R"({"score": 100, "score": 0})"), "it has \"score\" twice in one object.");
  EXPECT_NE(fault_of(R"([{"a": {"b": 1, "\u0062": 1}}])"), "");
  EXPECT_EQ(fault_of(R"([{"a": 1}, {"a": 1}])"), "");
  for (const char* document :
       {"", "{", "[1, 2", R"({"a": })", "NaN", "[Infinity]", "{} {}", "\xff", "\"\xc3\"", "01"}) {
    EXPECT_NE(fault_of(document).find("it is not JSON"), std::string::npos) << document;
  }
  EXPECT_NE(fault_of("1e999").find("a number that is too large"), std::string::npos);
  EXPECT_NE(fault_of(R"("\ud800")").find("half a character"), std::string::npos);
}

TEST(CanonicalJsonTest, DeepNestingIsRefusedBeforeItCostsAnything) {
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  EXPECT_EQ(canonical(nested(100)), nested(100));
  EXPECT_NE(fault_of(nested(101)).find("deeper than 100"), std::string::npos);
  EXPECT_NE(fault_of(std::string(std::size_t{1} << 20U, '[')), "");
}

}  // namespace
}  // namespace grader
