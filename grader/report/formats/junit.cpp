#include "grader/report/formats/junit.hpp"

#include <vector>

#include "grader/base/plain_text.hpp"
#include "grader/report/check_block.hpp"
#include "grader/report/layout.hpp"
#include "grader/report/summary.hpp"
#include "grader/scorecard/names.hpp"

namespace grader {
namespace {

constexpr std::size_t kLineLimit = 4'000;
constexpr std::size_t kTextLimit = 32 << 10;
constexpr std::size_t kMessageLimit = 16 << 10;  // Artemis cuts at 20,000

// name="value" with a space before.
std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + xml_text(plain_line(value, kLineLimit)) + "\"";
}

struct Counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
};

std::string attributes(const Counts& counts) {
  return attribute("tests", std::to_string(counts.tests)) +
         attribute("failures", std::to_string(counts.failures)) +
         attribute("errors", std::to_string(counts.errors)) +
         attribute("skipped", std::to_string(counts.skipped));
}

// Readers turn line ends of an attribute into spaces, but not those that are written as references.
std::string lines_attribute(std::string_view name, std::string_view lines) {
  std::string value;
  for (const char character : xml_text(plain_text(lines, kMessageLimit))) {
    if (character == '\n') {
      value += "&#10;";
    } else if (character == '\t') {
      value += "&#9;";
    } else {
      value += character;
    }
  }
  return " " + std::string(name) + "=\"" + value + "\"";
}

// Artemis shows students the message alone, so all of the text is in it too.
std::string outcome(std::string_view element, std::string_view message, std::string_view type,
                    std::string_view text) {
  const std::string name(element);
  return "      <" + name + lines_attribute("message", message) + attribute("type", type) + ">" +
         xml_text(plain_text(text, kTextLimit)) + "</" + name + ">\n";
}

// The sentence, and below it what there is besides.
std::string message_of(const Failure& failure, const std::string& title) {
  Failure rest = failure;
  rest.message.clear();
  rest.replay.clear();  // whoever sees the message alone has no scorecard
  std::vector<std::string> lines = failure_block(rest, Paint(false));
  lines.erase(lines.begin());  // the id and points
  return (failure.message.empty() ? title : failure.message) + "\n" + joined(lines);
}

std::string test_case(const ScoredCheck& check, const CommandOptions& commands, Counts& counts) {
  std::string text = "    <testcase" + attribute("classname", check.objective) +
                     attribute("name", check.result.id) + ">\n";
  ++counts.tests;
  if (check.result.status == CheckStatus::not_run) {
    ++counts.skipped;
    text += "      <skipped" + attribute("message", why_not_judged(check)) + "/>\n";
  } else if (did_fail(check)) {
    ++counts.failures;
    const Failure failure = failure_of(check, commands);
    text += outcome("failure", message_of(failure, check.title), name_of(check.result.status),
                    joined(failure_block(failure, Paint(false))));
  }
  return text + "    </testcase>\n";
}

// The first test of every report, so that its name is known to whoever keeps a list of tests.
std::string submission_case(const Scorecard& scorecard, Counts& counts) {
  std::string text = "    <testcase" + attribute("classname", "submission") +
                     attribute("name", "submission") + ">\n";
  ++counts.tests;
  if (scorecard.status != ScorecardStatus::graded) {
    const bool is_error = !has_score(scorecard);
    ++(is_error ? counts.errors : counts.failures);
    std::string why;
    for (const std::string& part : {problem_headline(scorecard), scorecard.error,
                                    scorecard.error_hint, scorecard.build.hint}) {
      if (!part.empty()) why += part + "\n";
    }
    why += scorecard.build.diagnostics;
    text += outcome(is_error ? "error" : "failure", why, name_of(scorecard.status), why);
  }
  return text + "    </testcase>\n";
}

}  // namespace

std::string xml_text(std::string_view text) {
  // Valid text but for two code points that XML does not have.
  constexpr std::string_view kNoCharacters[] = {"\xef\xbf\xbe", "\xef\xbf\xbf"};
  std::string escaped;
  for (std::size_t place = 0; place < text.size(); ++place) {
    const std::string_view rest = text.substr(place);
    if (rest.starts_with(kNoCharacters[0]) || rest.starts_with(kNoCharacters[1])) {
      escaped += "\xef\xbf\xbd";
      place += 2;
      continue;
    }
    switch (text[place]) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&apos;"; break;
      default: escaped += text[place];
    }
  }
  return escaped;
}

std::string junit_report(const Scorecard& scorecard, const CommandOptions& commands) {
  Counts counts;
  std::string cases = submission_case(scorecard, counts);
  if (has_findings(scorecard)) {
    for (const ScoredCheck& check : scorecard.checks) cases += test_case(check, commands, counts);
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
         attribute("name", scorecard.assignment_title + ", " + submission_name(scorecard)) +
         attributes(counts) + ">\n  <testsuite" + attribute("name", scorecard.assignment_title) +
         attributes(counts) + ">\n" + cases + "  </testsuite>\n</testsuites>\n";
}

}  // namespace grader
