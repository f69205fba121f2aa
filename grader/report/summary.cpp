#include "grader/report/summary.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "grader/report/layout.hpp"
#include "grader/report/number_text.hpp"

namespace grader {
namespace {

using Lines = std::vector<std::string>;

std::string seconds_text(double seconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f s", seconds);
  return text.data();
}

// "g++ 12.2.0" of "g++ (Debian 12.2.0-14) 12.2.0": the package is in the scorecard.
std::string without_package(std::string toolchain) {
  const std::size_t open = toolchain.find(" (");
  const std::size_t close = toolchain.find(')', open);
  if (open != std::string::npos && close != std::string::npos) {
    toolchain.erase(open, close - open + 1);
  }
  return toolchain;
}

}  // namespace

std::string submission_name(const Scorecard& scorecard) {
  if (scorecard.files.size() == 1) return scorecard.files.front().name;
  return scorecard.submission_id.empty() ? "submission" : scorecard.submission_id;
}

bool has_score(const Scorecard& scorecard) {
  return scorecard.status != ScorecardStatus::environment_error &&
         scorecard.status != ScorecardStatus::internal_error;
}

bool has_findings(const Scorecard& scorecard) {
  return scorecard.status == ScorecardStatus::graded || scorecard.is_unfinished;
}

std::string points_text(double points, double max_points) {
  return number_text(points) + " / " + number_text(max_points);
}

std::string problem_headline(const Scorecard& scorecard) {
  switch (scorecard.status) {
    case ScorecardStatus::graded: return "";
    case ScorecardStatus::not_built: return scorecard.build.problem;
    case ScorecardStatus::refused: return "The submission was refused.";
    case ScorecardStatus::environment_error:
      if (scorecard.is_unfinished) return "Not graded to the end. That costs no mark.";
      return "Not graded: this machine could not do it. That costs no mark.";
    case ScorecardStatus::internal_error: break;
  }
  return "Not graded: the grader itself has a bug. That costs no mark.";
}

Lines shown_diagnostics(const Scorecard& scorecard, std::size_t most_lines, std::size_t width) {
  const Lines all = lines_of(scorecard.build.diagnostics);
  const auto is_error = [](const std::string& line) {
    return line.find("error:") != std::string::npos || line.find("undefined") != std::string::npos;
  };
  auto first = std::ranges::find_if(all, is_error);
  if (first == all.end()) first = all.begin();
  Lines lines;
  for (; first != all.end() && lines.size() < most_lines; ++first) {
    lines.push_back(shortened(*first, width));
  }
  const auto left = static_cast<std::size_t>(all.end() - first);
  if (left > 0) lines.push_back("… " + counted(left, "more line") + " in the scorecard");
  return lines;
}

std::string passed_sentence(const Scorecard& scorecard) {
  std::size_t passed = 0;
  std::int64_t most = 0;
  Lines missed;
  for (const ScoredCheck& check : scorecard.checks) {
    if (check.result.status == CheckStatus::passed) {
      ++passed;
      most = std::max(most, check.result.cases);
    }
    for (const std::string& label : check.result.coverage_missed) {
      if (std::ranges::find(missed, label) == missed.end()) missed.push_back(label);
    }
  }
  if (passed == 0) return "";
  std::string text = passed == scorecard.checks.size()
                         ? "All " + counted(passed, "check") + " passed"
                         : counted(passed, "check") + " passed";
  text += ": up to " + counted(static_cast<std::size_t>(most), "case") + " each, ";
  if (missed.empty()) return text + "every required kind of input reached.";
  text += "but too few of these kinds of input (grade with more --cases): ";
  constexpr std::size_t kShown = 6;
  for (std::size_t index = 0; index < std::min(missed.size(), kShown); ++index) {
    text += (index > 0 ? ", " : "") + missed[index];
  }
  if (missed.size() > kShown) text += " and " + counted(missed.size() - kShown, "other");
  return text + ".";
}

Lines how_graded(const Scorecard& scorecard) {
  Lines parts;
  if (!scorecard.isolation.level.empty()) parts.push_back("isolation " + scorecard.isolation.level);
  if (!scorecard.toolchain.empty()) parts.push_back(without_package(scorecard.toolchain));
  const auto total = scorecard.timing.find("total");
  if (total != scorecard.timing.end()) parts.push_back(seconds_text(total->second));
  return parts;
}

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string hidden_sentence(const Scorecard& scorecard) {
  const bool hides =
      scorecard.hint_level != HintLevel::full && scorecard.score < scorecard.max_score;
  return hides ? "This assignment does not show the inputs of its checks." : "";
}

}  // namespace grader
