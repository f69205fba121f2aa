#include "grader/csv/csv.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "grader/base/fault.hpp"

namespace grader {
namespace {

using Fields = std::vector<std::string>;

std::string complaint(const std::string& text) {
  try {
    read_csv(text, "roster.csv");
  } catch (const UsageFault& fault) {
    EXPECT_FALSE(fault.hint().empty());
    return fault.what();
  }
  return "accepted";
}

TEST(CsvTest, ReadsQuotedSeparatorsQuotesAndLineEnds) {
  const CsvTable table = read_csv("id,name\r\n1,\"Doe, Jane \"\"JD\"\"\"\r\n2,\"a\r\nb\"\r\n", "x");
  EXPECT_EQ(table.header.fields, (Fields{"id", "name"}));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].fields, (Fields{"1", "Doe, Jane \"JD\""}));
  EXPECT_EQ(table.rows[1].fields, (Fields{"2", "a\r\nb"}));
}

TEST(CsvTest, FindsTheSeparatorInTheHeader) {
  EXPECT_EQ(read_csv("id;name\n1;Doe, Jane\n", "x").rows[0].fields, (Fields{"1", "Doe, Jane"}));
  EXPECT_EQ(read_csv("id\tname\n1\tDoe; Jane\n", "x").rows[0].fields, (Fields{"1", "Doe; Jane"}));
  EXPECT_EQ(read_csv("\"a;b;c\",name\n1,2\n", "x").separator, ',');
  EXPECT_EQ(read_csv("sep=;\r\nid;name, full, of, commas, here\r\n1;2\r\n", "x").rows[0].number,
            3U);
  EXPECT_EQ(read_csv("id\n1\n", "x").rows[0].fields, Fields{"1"});
}

TEST(CsvTest, SkipsTheByteOrderMarkAndKeepsUnicode) {
  const CsvTable table = read_csv("\xef\xbb\xbfid,name\n1,Zoë 王\n", "x");
  EXPECT_EQ(table.header.fields[0], "id");
  EXPECT_EQ(table.rows[0].fields[1], "Zoë 王");
}

TEST(CsvTest, NumbersRowsAsASpreadsheetDoes) {
  for (const char* end : {"\n", "\r\n", "\r"}) {
    std::string text;
    for (const char* line : {"id,name", "1,a", "", "", "2,b"}) text += std::string(line) + end;
    const CsvTable table = read_csv(text, "x");
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(table.rows[0].number, 2U);
    EXPECT_EQ(table.rows[1].number, 5U);
  }
}

TEST(CsvTest, KeepsBlanksAndNeedsNoLastLineEnd) {
  EXPECT_EQ(read_csv("id,name\n1, a ", "x").rows[0].fields, (Fields{"1", " a "}));
  EXPECT_EQ(read_csv("id,name\n1,", "x").rows[0].fields, (Fields{"1", ""}));
}

TEST(CsvTest, TakesEmptyFieldsBehindTheLastColumn) {
  const CsvTable table = read_csv("id,name,,\n1,a,,,,\n2,b\n", "x");
  EXPECT_EQ(table.header.fields.size(), 2U);
  EXPECT_EQ(table.rows[0].fields.size(), 2U);
}

TEST(CsvTest, SaysWhichRowIsWrong) {
  EXPECT_EQ(complaint("id,name\n1,a\n2\n"),
            "roster.csv: row 3 has 1 fields, but the header has 2.");
  EXPECT_EQ(complaint("id,name\n1,a,b\n"), "roster.csv: row 2 has 3 fields, but the header has 2.");
  EXPECT_EQ(complaint("id,name\n1,\"a\n2,b\n"),
            "roster.csv: row 2 has a quote that is out of place or never closed.");
  EXPECT_EQ(complaint("id,name\n1,a\n2,\"b\"c\n"),
            "roster.csv: row 3 has a quote that is out of place or never closed.");
  EXPECT_EQ(complaint("id,name\n1,Zo\xeb\n"), "roster.csv: line 2 is not UTF-8 text.");
  EXPECT_EQ(complaint(std::string("id\n1\0\n", 6)), "roster.csv: line 2 is not UTF-8 text.");
  EXPECT_EQ(complaint(std::string("\xff\xfei\0", 4)), "roster.csv: it is saved as UTF-16.");
  EXPECT_EQ(complaint(""), "roster.csv: it is empty.");
  EXPECT_EQ(complaint("\r\n\r\n"), "roster.csv: it is empty.");
}

TEST(CsvTest, WritesWhatItReads) {
  CsvWriter writer;
  writer.text("id").text("name").end_row();
  const Fields fields = {"a,b", "\"q\"", "two\r\nlines", " padded ", "plain", "Zoë", "-", ""};
  for (const std::string& field : fields) writer.verbatim("1").verbatim(field).end_row();
  const CsvTable table = read_csv(writer.bytes(), "x");
  ASSERT_EQ(table.rows.size(), fields.size());
  for (std::size_t row = 0; row < fields.size(); ++row) {
    EXPECT_EQ(table.rows[row].fields[1], fields[row]);
  }
  EXPECT_NE(writer.bytes().find("1,plain\r\n"), std::string::npos);
}

TEST(CsvTest, TextIsNeverAFormula) {
  CsvWriter writer(';');
  writer.text("=HYPERLINK(\"http://x\")").text("+1").text("-1").text("@a").text("\ta").end_row();
  EXPECT_EQ(writer.bytes(), "\"'=HYPERLINK(\"\"http://x\"\")\";'+1;'-1;'@a;\"'\ta\"\r\n");
  for (const std::string sign : {"＝", "＋", "－", "＠"}) {
    EXPECT_EQ(CsvWriter().text(sign + "1").bytes(), "'" + sign + "1");
  }
}

TEST(CsvTest, NorIsWhatAnotherSeparatorTearsOffIt) {
  EXPECT_EQ(CsvWriter().text("a;=1+1;b.cpp").bytes(), "\"a;'=1+1;b.cpp\"");
  EXPECT_EQ(CsvWriter().text("a\t@b").bytes(), "\"a\t'@b\"");
  EXPECT_EQ(CsvWriter().text("a;\"-b\"").bytes(), "\"a;'\"\"-b\"\"\"");
  EXPECT_EQ(CsvWriter(';').text("a,＝b\n=c").bytes(), "\"a,'＝b\n'=c\"");
  // What is only here a separator is quoted, and nothing else is changed.
  EXPECT_EQ(CsvWriter().text("Doe, -x; y-z").bytes(), "\"Doe, -x; y-z\"");
  EXPECT_EQ(CsvWriter().text("a,=b").bytes(), "\"a,=b\"");
  EXPECT_EQ(CsvWriter().verbatim("65;6").bytes(), "65;6");
}

TEST(CsvTest, NumbersStayNumbers) {
  CsvWriter writer;
  writer.number(-2.5).number(100).number(0.1).empty().end_row();
  EXPECT_EQ(writer.bytes(), "-2.5,100,0.1,\r\n");
  EXPECT_THROW(writer.number(std::numeric_limits<double>::quiet_NaN()), InternalFault);
}

}  // namespace
}  // namespace grader
