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

std::string outcome(std::string_view element, std::string_view message, std::string_view type,
                    std::string_view text) {
  const std::string name(element);
  return "      <" + name + attribute("message", message) + attribute("type", type) + ">" +
         xml_text(plain_text(text, kTextLimit)) + "</" + name + ">\n";
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
    const std::string message = failure.message.empty() ? check.title : failure.message;
    text += outcome("failure", message, name_of(check.result.status),
                    joined(failure_block(failure, Paint(false))));
  }
  return text + "    </testcase>\n";
}

std::string suite(const std::string& name, const Counts& counts, const std::string& cases) {
  return "  <testsuite" + attribute("name", name) + attributes(counts) + ">\n" + cases +
         "  </testsuite>\n";
}

// A submission that was not checked is one test that says why.
std::string problem_suite(const Scorecard& scorecard, Counts& counts) {
  const bool is_error = !has_score(scorecard);
  ++counts.tests;
  ++(is_error ? counts.errors : counts.failures);
  std::string text = scorecard.error + "\n" + scorecard.error_hint + "\n";
  text += scorecard.build.diagnostics + scorecard.build.hint;
  return suite("submission", counts,
               "    <testcase" + attribute("classname", "submission") +
                   attribute("name", submission_name(scorecard)) + ">\n" +
                   outcome(is_error ? "error" : "failure", problem_headline(scorecard),
                           name_of(scorecard.status), text) +
                   "    </testcase>\n");
}

void add(Counts& sum, const Counts& counts) {
  sum.tests += counts.tests;
  sum.failures += counts.failures;
  sum.errors += counts.errors;
  sum.skipped += counts.skipped;
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
  Counts all;
  std::string suites;
  if (scorecard.status != ScorecardStatus::graded) {
    suites = problem_suite(scorecard, all);
  } else {
    for (const ObjectiveScore& objective : scorecard.objectives) {
      Counts counts;
      std::string cases;
      for (const ScoredCheck& check : scorecard.checks) {
        if (check.objective == objective.id) cases += test_case(check, commands, counts);
      }
      add(all, counts);
      suites += suite(objective.title, counts, cases);
    }
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
         attribute("name", scorecard.assignment_title + ", " + submission_name(scorecard)) +
         attributes(all) + ">\n" + suites + "</testsuites>\n";
}

}  // namespace grader
