#include "grader/class_report/class_page.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/class_report/class_data.hpp"
#include "grader/class_report/example_classes.hpp"
#include "grader/report/html/page_text.hpp"

namespace grader {
namespace {

ClassResults nothing_graded() {
  ClassResults results = examples::class_of(0);
  results.checks.clear();
  results.students.resize(3);
  for (std::size_t place = 0; place < 3; ++place) {
    results.students[place].id = "student" + std::to_string(place);
  }
  return results;
}

std::map<std::string, ClassResults> every_kind() {
  return {{"nobody", examples::class_of(0)},      {"one", examples::class_of(1)},
          {"thirty", examples::class_of(30)},     {"two_thousand", examples::class_of(2000)},
          {"hostile", examples::hostile_class()}, {"nothing_graded", nothing_graded()}};
}

TEST(ClassPageTest, IsOneWholePageForEveryClass) {
  for (const auto& [name, results] : every_kind()) {
    const std::string page = class_page(results);
    EXPECT_TRUE(page.starts_with("<!doctype html>"));
    EXPECT_TRUE(page.ends_with("</html>\n"));
    EXPECT_EQ(count(page, "<main"), 1U);
    for (const char* tag : {"section", "table", "details", "ul", "figure", "dialog"}) {
      EXPECT_EQ(
          count(page, std::string("<") + tag + ">") + count(page, std::string("<") + tag + " "),
          count(page, std::string("</") + tag + ">"))
          << name << ": " << tag;
    }
    // browser_test.py looks at them in a browser.
    if (const char* folder = std::getenv("ATTENTION_GRADER_PAGES")) {
      write_atomically(std::filesystem::path(folder) / (name + ".html"), page);
    }
  }
}

TEST(ClassPageTest, LoadsNothingFromAnywhere) {
  for (const auto& [name, results] : every_kind()) {
    if (name == "hostile") continue;
    const std::string page = class_page(results);
    for (const char* part : {"http:", "https:", "src=", "@import", "url(", "<link", "<iframe"}) {
      EXPECT_FALSE(has(page, part)) << part;
    }
  }
}

TEST(ClassPageTest, RunsItsOwnScriptOnly) {
  const std::string page = class_page(examples::class_of(30));
  EXPECT_TRUE(has(page, "default-src 'none'; style-src 'sha256-"));
  EXPECT_FALSE(has(page, "unsafe-inline"));
  EXPECT_EQ(count(page, "<script>"), 1U);
  EXPECT_EQ(count(page, "<script type=\"application/json\""), 1U);
  EXPECT_FALSE(has(page, " style=")) << "the policy would refuse it";
  EXPECT_FALSE(has(page, " onclick="));
}

TEST(ClassPageTest, TheSameClassGivesTheSameBytes) {
  EXPECT_EQ(class_page(examples::class_of(50)), class_page(examples::class_of(50)));
}

TEST(ClassPageTest, TextsOfAClassStayText) {
  const std::string page = class_page(examples::hostile_class());
  EXPECT_EQ(count(page, "</script>"), 2U) << "the data's end and the script's";
  EXPECT_FALSE(has(page, "<img"));
  EXPECT_FALSE(has(page, "<!--"));
  EXPECT_FALSE(has(page, "href=\"javascript:"));
  EXPECT_TRUE(has(page, "href=\"javascript%3Aalert"));
  EXPECT_TRUE(plain_text(page, page.size()) == page) << "valid text without control characters";
}

TEST(ClassPageTest, ShowsWhatTheClassDid) {
  const std::string page = class_page(examples::class_of(2000));
  EXPECT_TRUE(has(page, "<strong>2000 students</strong>"));
  EXPECT_TRUE(has(page, "median score"));
  EXPECT_TRUE(has(page, "Masks after the softmax"));
  EXPECT_TRUE(has(page, "Somebody should look at"));
  EXPECT_TRUE(has(page, "A list to look at, not a verdict"));
  EXPECT_TRUE(has(page, "312 further pairs that have less in common are not listed."));
  EXPECT_TRUE(has(page, "2 files that belong to no submission"));
  EXPECT_TRUE(
      has(page, "<th scope=\"row\">Each row of weights sums to one <code>softmax.row_sums"));
  EXPECT_LT(page.size(), 1'500'000U);
}

TEST(ClassPageTest, NobodyAndOneAreClassesToo) {
  EXPECT_TRUE(has(class_page(examples::class_of(0)), "Nobody is in this class yet"));
  const std::string page = class_page(examples::class_of(1));
  EXPECT_TRUE(has(page, "<strong>1 student</strong>"));
  EXPECT_FALSE(has(page, "much in common"));
}

TEST(ClassPageTest, LongListsAreCutAndSaySo) {
  ClassResults results = examples::class_of(2000);
  for (StudentResult& student : results.students) student.needs_attention = "Look at it.";
  results.left_out.resize(5000, {"file", "reason"});
  const std::string page = class_page(results);
  EXPECT_TRUE(has(page, "And 1800 more: choose “needs attention”"));
  EXPECT_TRUE(has(page, "And 4000 more files."));
}

TEST(ClassPageTest, ListsSimilarSubmissionsAsTheyAre) {
  ClassResults results = examples::class_of(30);
  results.similarity = {};
  results.similarity.identical = {{1, 2, 3}};
  results.similarity.pairs = {{4, 5, 0.9967, 31, {"attention.cpp", 7, 7}, {"a.cpp", 8, 20}}};
  const std::string page = class_page(results);
  EXPECT_TRUE(has(page, "The same, byte for byte"));
  EXPECT_TRUE(has(page, "99 %")) << "never rounded up to all";
  EXPECT_TRUE(has(page, "attention.cpp 7<br>a.cpp 8–20"));
  results.similarity = {};
  EXPECT_FALSE(has(class_page(results), "much in common"));
}

TEST(ClassDataTest, ReadsBackAsWhatItWas) {
  const ClassResults results = examples::class_of(200);
  const auto json = nlohmann::json::parse(class_data(results));
  ASSERT_EQ(json["students"].size(), 200U);
  ASSERT_EQ(json["checks"].size(), results.checks.size());
  for (std::size_t place = 0; place < 200; ++place) {
    const StudentResult& student = results.students[place];
    const auto& read = json["students"][place];
    EXPECT_EQ(read["id"], student.id);
    EXPECT_EQ(read.value("name", ""), student.name);
    EXPECT_EQ(read.contains("final"), student.final_score.has_value());
    if (student.final_score) {
      EXPECT_EQ(read["final"], *student.final_score);
    }
    EXPECT_EQ(read.value("cells", "").size(), student.checks.size());
    EXPECT_FALSE(read.contains("points")) << "all or nothing";
  }
}

TEST(ClassDataTest, PartsOfPointsAreTold) {
  ClassResults results = examples::class_of(1);
  results.students[0].checks[3] = {CheckStatus::failed, 1.5};
  const auto json = nlohmann::json::parse(class_data(results));
  EXPECT_EQ(json["students"][0]["points"][3], 1.5);
}

TEST(ClassDataTest, MayStandInAScriptElement) {
  const std::string data = class_data(examples::hostile_class());
  for (const char letter : data) {
    const bool is_safe =
        letter >= ' ' && letter < 127 && letter != '<' && letter != '>' && letter != '&';
    ASSERT_TRUE(is_safe) << static_cast<int>(letter);
  }
  EXPECT_TRUE(nlohmann::json::accept(data));
}

TEST(ReportLinkTest, EncodesEveryByteThatCouldMeanSomethingElse) {
  EXPECT_EQ(report_link(""), "");
  EXPECT_EQ(report_link("students/s1/report.html"), "students/s1/report.html");
  EXPECT_EQ(report_link("a b?c#d%\"<é:"), "a%20b%3Fc%23d%25%22%3C%C3%A9%3A");
  EXPECT_EQ(report_link("javascript:alert(1)"), "javascript%3Aalert%281%29");
  EXPECT_THROW(static_cast<void>(report_link("/etc/passwd")), InternalFault);
  EXPECT_THROW(static_cast<void>(report_link("//example.com")), InternalFault);
}

}  // namespace
}  // namespace grader
