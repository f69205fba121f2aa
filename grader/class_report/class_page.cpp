#include "grader/class_report/class_page.hpp"

#include <algorithm>
#include <string_view>

#include "grader/class_report/class_data.hpp"
#include "grader/class_report/class_summary.hpp"
#include "grader/class_report/embedded.hpp"
#include "grader/class_report/similar_block.hpp"
#include "grader/class_report/student_status.hpp"
#include "grader/report/html/data.hpp"
#include "grader/report/html/document.hpp"
#include "grader/report/number_text.hpp"

namespace grader {
namespace {

using html::Data;
using html::list;
using html::object;
using html::text_or_nothing;

// Longer lists are cut: the table of students can be filtered for the rest.
constexpr std::size_t kLongestList = 200;

std::string percent_text(std::size_t part, std::size_t whole) {
  if (whole == 0) return "–";
  const double percent = 100 * static_cast<double>(part) / static_cast<double>(whole);
  return number_text(percent, percent < 99 && percent > 1 ? 2 : 3) + " %";
}

// How many percent of a bar are filled.
std::string filled(std::size_t part, std::size_t whole) {
  return number_text(whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole),
                     4);
}

std::string rounded(double number) { return number_text(number, number < 10 ? 2 : 3); }

void add_head(Data& page, const ClassResults& results, const ClassSummary& summary) {
  page.set("assignment", results.assignment_title);
  page.set("students", counted(results.students.size(), "student"));
  Data tiles = list();
  const auto add_tile = [&](const std::string& number, const std::string& words,
                            const std::string& look = "") {
    tiles << object({{"number", number}, {"words", words}, {"look", look}});
  };
  if (summary.mean) {
    add_tile(rounded(*summary.median), "median score");
    add_tile(rounded(*summary.mean), "mean score");
  }
  for (const auto& [status, count] : summary.by_status) {
    const bool is_bad = status == StudentStatus::needs_attention;
    add_tile(std::to_string(count), std::string(words_for(status)), is_bad ? " bad" : "");
  }
  page.set("tiles", tiles);
  page.set("has_tiles", tiles.is_non_empty_list());
}

void add_attention(Data& page, const ClassResults& results, const ClassSummary& summary) {
  Data entries = list();
  const std::size_t shown = std::min(summary.need_attention.size(), kLongestList);
  for (std::size_t place = 0; place < shown; ++place) {
    const StudentResult& student = results.students[summary.need_attention[place]];
    Data entry = class_report::student_data(student);
    entry.set("reason", student.needs_attention);
    entries << entry;
  }
  page.set("has_attention", entries.is_non_empty_list());
  page.set("attention", entries);
  page.set("attention_count", counted(summary.need_attention.size(), "student"));
  const std::size_t rest = summary.need_attention.size() - shown;
  page.set("attention_rest", rest == 0 ? Data{false} : Data{std::to_string(rest)});
}

// The histogram is drawn in a field of 1000 × 200 units.
void add_distribution(Data& page, const ClassSummary& summary) {
  constexpr double kWidth = 1000;
  constexpr double kHeight = 200;
  std::size_t most = 1;
  for (const ScoreBin& bin : summary.bins) most = std::max(most, bin.students);
  const double step = kWidth / static_cast<double>(summary.bins.size());
  Data bars = list();
  Data rows = list();
  for (std::size_t place = 0; place < summary.bins.size(); ++place) {
    const ScoreBin& bin = summary.bins[place];
    const double height = kHeight * static_cast<double>(bin.students) / static_cast<double>(most);
    const bool is_last = place + 1 == summary.bins.size();
    const std::string range =
        number_text(bin.from) + (is_last ? " to " : " to below ") + number_text(bin.to);
    const Data number = bin.students == 0 ? Data{false} : Data{std::to_string(bin.students)};
    const double left = step * static_cast<double>(place);
    bars << object({{"x", number_text(left + 3)},
                    {"y", number_text(kHeight - height, 4)},
                    {"width", number_text(step - 6)},
                    {"height", number_text(height, 4)},
                    {"middle", number_text(left + step / 2)},
                    {"above", number_text(kHeight - height - 6, 4)},
                    {"range", range},
                    {"number", number}});
    rows << object({{"range", range}, {"students", std::to_string(bin.students)}});
  }
  Data ticks = list();
  constexpr int kTicks = 4;
  for (int tick = 0; tick <= kTicks; ++tick) {
    const char* anchor = tick == 0 ? "start" : tick == kTicks ? "end" : "middle";
    ticks << object({{"x", number_text(kWidth * tick / kTicks)},
                     {"anchor", anchor},
                     {"text", number_text(summary.bins.back().to * tick / kTicks)}});
  }
  page.set("distribution", summary.scored == 0
                               ? Data{false}
                               : object({{"bars", bars},
                                         {"rows", rows},
                                         {"ticks", ticks},
                                         {"scored", counted(summary.scored, "score")},
                                         {"median", rounded(*summary.median)},
                                         {"mean", rounded(*summary.mean)}}));
}

void add_checks(Data& page, const ClassResults& results, const ClassSummary& summary) {
  Data objectives = list();
  Data checks = list();
  for (std::size_t column = 0; column < results.checks.size(); ++column) {
    const CheckColumn& check = results.checks[column];
    const CheckSummary& fared = summary.checks[column];
    const std::size_t failed = fared.students - fared.passed - fared.not_judged;
    checks << object(
        {{"title", check.title},
         {"id", check.id},
         {"points", number_text(check.max_points)},
         {"passed", percent_text(fared.passed, fared.students)},
         {"filled", filled(fared.passed, fared.students)},
         {"counts", std::to_string(fared.passed) + " passed, " + std::to_string(failed) +
                        " did not" +
                        (fared.not_judged == 0
                             ? std::string()
                             : ", " + std::to_string(fared.not_judged) + " could not be judged")}});
    const bool is_last = column + 1 == results.checks.size();
    if (is_last || results.checks[column + 1].objective != check.objective) {
      objectives << object({{"title", check.objective}, {"checks", checks}});
      checks = list();
    }
  }
  page.set("has_checks", objectives.is_non_empty_list());
  page.set("objectives", objectives);
}

void add_misconceptions(Data& page, const ClassResults& results, const ClassSummary& summary) {
  Data entries = list();
  for (const MisconceptionSummary& found : summary.misconceptions) {
    const std::string& title = found.misconception.title;
    entries << object({{"id", found.misconception.id},
                       {"title", title.empty() ? found.misconception.id : title},
                       {"explanation", text_or_nothing(found.misconception.explanation)},
                       {"students", counted(found.students.size(), "student")},
                       {"share", percent_text(found.students.size(), results.students.size())},
                       {"filled", filled(found.students.size(), results.students.size())},
                       {"example", class_report::student_data(results.students[found.example])}});
  }
  page.set("has_misconceptions", entries.is_non_empty_list());
  page.set("misconceptions", entries);
}

void add_rest(Data& page, const ClassResults& results) {
  Data notices = list();
  for (const std::string& notice : results.notices) notices << Data{notice};
  page.set("has_notices", notices.is_non_empty_list());
  page.set("notices", notices);
  Data files = list();
  constexpr std::size_t kMostFiles = 1000;
  const std::size_t shown = std::min(results.left_out.size(), kMostFiles);
  for (std::size_t place = 0; place < shown; ++place) {
    const LeftOutFile& each = results.left_out[place];
    files << object({{"file", each.file}, {"reason", each.reason}});
  }
  const std::size_t rest = results.left_out.size() - shown;
  page.set("has_left_out", files.is_non_empty_list());
  page.set("left_out", files);
  page.set("left_out_count", counted(results.left_out.size(), "file"));
  page.set("left_out_rest", rest == 0 ? Data{false} : Data{counted(rest, "more file")});
  page.set("grader", results.grader_version);
  page.set("configuration", text_or_nothing(results.configuration));
}

}  // namespace

std::string class_page(const ClassResults& results) {
  const ClassSummary summary = summary_of(results);
  Data page = object({});
  page.set("data", class_data(results));
  page.set("has_students", !results.students.empty());
  add_head(page, results, summary);
  add_attention(page, results, summary);
  add_distribution(page, summary);
  add_checks(page, results, summary);
  add_misconceptions(page, results, summary);
  class_report::add_similar(page, results);
  add_rest(page, results);
  return html::document(class_report::kTemplate, page, class_report::kStyle, class_report::kScript);
}

}  // namespace grader
