#include "grader/report/layout.hpp"

#include <gtest/gtest.h>

namespace grader {
namespace {

using Lines = std::vector<std::string>;

TEST(LayoutTest, WidthCountsCodePoints) {
  EXPECT_EQ(display_width("√d_k → −∞"), 9U);
  EXPECT_EQ(padded("∞", 3), "∞  ");
  EXPECT_EQ(right_aligned("∞", 3), "  ∞");
  EXPECT_EQ(padded("longer", 3), "longer");
}

TEST(LayoutTest, ShortenedKeepsWholeCodePoints) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "ab…");
  EXPECT_EQ(shortened("∞∞∞∞", 3), "∞∞…");
}

TEST(LayoutTest, WrappedBreaksBetweenWordsAndNeverInside) {
  EXPECT_EQ(wrapped("one two three", 2, 9), (Lines{"  one two", "  three"}));
  EXPECT_EQ(wrapped("incomprehensible", 0, 5), (Lines{"incomprehensible"}));
  EXPECT_EQ(wrapped("a\nb", 0, 80), (Lines{"a", "b"}));
  EXPECT_EQ(wrapped("", 2, 80), (Lines{}));
}

TEST(LayoutTest, AListWithoutEntriesHasNoTitle) {
  Lines lines = {"first"};
  append_list("Nobody:", {}, lines);
  EXPECT_EQ(lines, (Lines{"first"}));
  append_list("Somebody:", {"ada"}, lines);
  EXPECT_EQ(lines, (Lines{"first", "", "Somebody:", "    ada"}));
}

TEST(LayoutTest, JoinedLinesEndWithoutSpaces) { EXPECT_EQ(joined({"a  ", "", "  "}), "a\n\n\n"); }

}  // namespace
}  // namespace grader
