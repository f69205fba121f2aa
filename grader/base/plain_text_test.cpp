#include "grader/base/plain_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace grader {
namespace {

TEST(PlainTextTest, KeepsWhatIsReadable) {
  EXPECT_EQ(plain_text("softmax(QKᵀ/√d_k)\n\tok", 100), "softmax(QKᵀ/√d_k)\n\tok");
  EXPECT_EQ(plain_line("one\n\ttwo", 100), "one  two");
}

TEST(PlainTextTest, ShowsControlCharactersInsteadOfObeyingThem) {
  EXPECT_EQ(plain_text("\x1b[2J\r\x07\x7f", 100), "\\x1b[2J\\x0d\\x07\\x7f");
  EXPECT_EQ(plain_text(std::string("a\0b", 3), 100), "a\\x00b");
}

TEST(PlainTextTest, ShowsInvisibleAndDirectionChangingCharacters) {
  // Misleading on purpose. NOLINTNEXTLINE(misc-misleading-bidirectional)
  EXPECT_EQ(plain_text("a\u202eb\u200bc\u2066d\ufeff", 100), "a\\u202eb\\u200bc\\u2066d\\ufeff");
  EXPECT_EQ(plain_text("\u009b31m", 100), "\\u009b31m") << "C1 controls are controls";
}

TEST(PlainTextTest, ReplacesWhatIsNotUtf8) {
  const std::string replaced = "\xEF\xBF\xBD";
  EXPECT_EQ(plain_text("\xff", 100), replaced);
  EXPECT_EQ(plain_text("\xc3", 100), replaced) << "cut in the middle";
  EXPECT_EQ(plain_text("\xc0\xaf", 100), replaced + replaced) << "overlong";
  EXPECT_EQ(plain_text("\xed\xa0\x80", 100), replaced + replaced + replaced) << "surrogate";
  EXPECT_EQ(plain_text("\xf4\x90\x80\x80", 100), replaced + replaced + replaced + replaced);
}

TEST(PlainTextTest, CutsBetweenCharacters) {
  EXPECT_EQ(plain_text("∞∞∞", 7), "∞∞ … (cut)");
  EXPECT_EQ(plain_text("abc", 3), "abc");
}

TEST(PlainTextTest, TellsUtf8FromOtherBytes) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("Zo\u00eb \U0001F600"));
  for (const char* bytes :
       {"\xe9", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "a\x80"}) {
    EXPECT_FALSE(is_utf8(bytes));
  }
}

}  // namespace
}  // namespace grader
