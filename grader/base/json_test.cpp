#include "grader/base/json.hpp"

#include <gtest/gtest.h>

#include <string>

namespace grader {
namespace {

std::string arrays(std::size_t levels) {
  return std::string(levels, '[') + "1" + std::string(levels, ']');
}

std::string flaw_of(std::string_view document) {
  const auto flaw = flaw_in_json(document);
  EXPECT_EQ(parsed_json(document).is_discarded(), flaw.has_value());
  return flaw ? words_for(*flaw) : "";
}

TEST(JsonTest, WhatIsRightHasNoFlaw) {
  for (const char* document :
       {"null", "{}", R"({"a": {"a": [1.5, -2, 3, "x", true, null]}, "b": 1})",
        R"([{"a": 1}, {"a": 2}])"}) {
    EXPECT_EQ(flaw_of(document), "") << document;
  }
  EXPECT_EQ(parsed_json(R"({"a": [7]})")["a"][0], 7);
}

TEST(JsonTest, SyntaxIsRefusedWhereItGoesWrong) {
  EXPECT_EQ(flaw_of("[1,]"), "is not JSON: it ends or goes wrong at byte 4");
  for (const char* document : {"", "{", "[1", "\"\xff\"", "1 2", "nul"}) {
    EXPECT_NE(flaw_of(document).find("is not JSON"), std::string::npos) << document;
  }
}

TEST(JsonTest, WhatIsJsonAndCannotBeReadIsNotCalledOtherwise) {
  EXPECT_EQ(flaw_of("[1e999]"), "has a number that is too large for one, at byte 6");
  EXPECT_EQ(flaw_of("-1e999"), "has a number that is too large for one, at byte 6");
  for (const char* document : {R"("\ud800")", R"("\udc00x")", R"("\ud800\ud800")"}) {
    EXPECT_NE(flaw_of(document).find("has half a character"), std::string::npos)
        << flaw_of(document);
  }
  EXPECT_EQ(flaw_of(R"(["\ud83d\ude00", 1e308])"), "");
}

TEST(JsonTest, NestingHasALimitWhateverItsDepth) {
  EXPECT_EQ(flaw_of(arrays(kDeepestJson)), "");
  for (const std::size_t levels : {kDeepestJson + 1, std::size_t{5'000'000}}) {
    EXPECT_EQ(flaw_of(arrays(levels)), "is nested deeper than 100 levels");
  }
  std::string objects;
  for (std::size_t level = 0; level <= kDeepestJson; ++level) objects += R"({"a":)";
  EXPECT_EQ(flaw_of(objects), "is nested deeper than 100 levels");
}

TEST(JsonTest, AMemberTwiceInOneObjectIsRefused) {
  EXPECT_EQ(flaw_of(R"({"score": 1, "a": {"score": 2}, "score": 3})"),
            "has \"score\" twice in one object");
  EXPECT_EQ(flaw_of("{\"\\u001b\": 1, \"\\u001b\": 2}"), "has \"\\x1b\" twice in one object");
}

}  // namespace
}  // namespace grader
