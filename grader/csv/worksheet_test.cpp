#include "grader/csv/worksheet.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "grader/base/fault.hpp"

namespace grader {
namespace {

constexpr const char* kOdd =
    "\xef\xbb\xbf\"Student\",ID , Note\r\n"
    "\r\n"
    "\"Doe, \"\"JD\"\" Jane\",7,\"two\r\nlines\"\n"
    " Zoë 王 ,\"8\",\r"
    "'=cmd',,\"\"\r\n";

TEST(WorksheetTest, WhatIsNotSetStaysByteForByte) {
  for (const std::string& text :
       {std::string(kOdd), std::string("a;b\n1;2"), std::string("sep=;\r\na;b\r\n1;2\r\n"),
        std::string("a\tb\r1\t2\r"), std::string("a,b,,\n1,2,,,\n\n"), std::string("a\n\" \"\n")}) {
    EXPECT_EQ(Worksheet(text, "x").bytes(), text);
  }
}

TEST(WorksheetTest, SetsOneFieldAndNothingElse) {
  Worksheet sheet(kOdd, "x");
  ASSERT_EQ(sheet.table().rows.size(), 3U);
  sheet.set(0, 1, "70");
  sheet.set(1, 1, "80");
  sheet.set(2, 1, "90");
  EXPECT_EQ(sheet.bytes(),
            "\xef\xbb\xbf\"Student\",ID , Note\r\n"
            "\r\n"
            "\"Doe, \"\"JD\"\" Jane\",70,\"two\r\nlines\"\n"
            " Zoë 王 ,\"80\",\r"
            "'=cmd',90,\"\"\r\n");
}

TEST(WorksheetTest, EveryFieldReadsBackAsItWasSet) {
  for (const char separator : {',', ';', '\t'}) {
    std::string text = "a,b,c\r\n1,\"2\",3\n,\"\",\n";
    std::ranges::replace(text, ',', separator);
    Worksheet sheet(text, "x");
    const std::string values[] = {"87,5", "a;b", "\"q\"", "two\nlines", " ", "plain"};
    for (std::size_t index = 0; index < 6; ++index) sheet.set(index / 3, index % 3, values[index]);
    const CsvTable table = read_csv(sheet.bytes(), "x");
    for (std::size_t index = 0; index < 6; ++index) {
      EXPECT_EQ(table.rows.at(index / 3).fields.at(index % 3), values[index]);
    }
  }
}

TEST(WorksheetTest, TheLastValueOfAFieldCounts) {
  Worksheet sheet("a,b\n1,2\n", "x");
  sheet.set(0, 0, "first");
  sheet.set(0, 0, "second");
  EXPECT_EQ(sheet.bytes(), "a,b\nsecond,2\n");
}

TEST(WorksheetTest, TheLastFieldOfAFileWithoutLineEndCanBeSet) {
  Worksheet empty("a,b\n1,", "x");
  empty.set(0, 1, "2");
  EXPECT_EQ(empty.bytes(), "a,b\n1,2");
  Worksheet full("a,b\n1,2", "x");
  full.set(0, 1, "345");
  EXPECT_EQ(full.bytes(), "a,b\n1,345");
}

TEST(WorksheetTest, WhatIsNoTableIsRefused) {
  EXPECT_THROW(Worksheet("a,b\n1\n", "x"), UsageFault);
  EXPECT_THROW(Worksheet("", "x"), UsageFault);
}

}  // namespace
}  // namespace grader
