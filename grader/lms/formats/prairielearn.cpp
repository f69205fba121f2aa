#include "grader/lms/formats/prairielearn.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "grader/base/base64.hpp"
#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/lms/exported_texts.hpp"
#include "grader/lms/figure_image.hpp"
#include "grader/lms/size_cap.hpp"
#include "grader/report/summary.hpp"

namespace grader {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kFileLimit = 1 << 20;  // grader-host, runJob

// All points are 1 itself: PrairieLearn shows a tick from 1 on, and refuses what is greater.
double fraction(const Scorecard& scorecard) {
  constexpr double kRounding = 1e-9;
  const double score = finite(scorecard.score, "its points");
  const double most = finite(scorecard.max_score, "its most points");
  const double part = most > 0 ? score / most : 0;
  if (!(part >= -kRounding && part <= 1 + kRounding)) {
    throw UsageFault(
        "The scorecard cannot be exported: PrairieLearn takes from 0 to all points, not " +
            points_text(score, most) + ".",
        "Grade the submission again to get a new scorecard.");
  }
  return std::abs(part - 1) <= kRounding ? 1 : std::clamp(part, 0.0, 1.0);
}

// A test with 0 of 0 points is shown without a verdict of its own; one without any would hide the
// points of all.
Json test_of(const ScoredCheck& check, const Scorecard& scorecard) {
  const bool has_points = has_score(scorecard);
  Json json{{"name", exported_line(check.title.empty() ? check.result.id : check.title)},
            {"description", exported_line(check.result.id + ", " + check.objective)},
            {"points", has_points ? points_of(check) : 0},
            {"max_points", has_points ? max_points_of(check) : 0},
            {"message", check_sentence(check, scorecard)}};
  if (check.result.status != CheckStatus::passed) json["output"] = check_text(check, scorecard);
  return json;
}

// Pictures count towards the size of the file: no more than fit with room for the texts.
Json images_of(const Scorecard& scorecard) {
  constexpr std::size_t kAllImages = 256 << 10;
  Json images = Json::array();
  std::size_t bytes = 0;
  for (const Figure& figure : scorecard.figures) {
    const std::string image = base64(figure_image(figure));
    bytes += image.size();
    if (image.empty() || bytes > kAllImages) continue;
    const std::string label =
        figure.caption.empty() ? figure.title : figure.title + ". " + figure.caption;
    images.push_back(
        {{"label", exported_line(label)}, {"url", "data:image/svg+xml;base64," + image}});
  }
  return images;
}

// What of it may be cut, in a document that no longer moves.
std::vector<Json*> texts_of(Json& json) {
  std::vector<Json*> texts;
  for (const char* key : {"message", "output"}) {
    if (json.contains(key)) texts.push_back(&json[key]);
  }
  if (!json.contains("tests")) return texts;
  for (Json& test : json["tests"]) {
    for (const char* key : {"message", "output"}) {
      if (test.contains(key)) texts.push_back(&test[key]);
    }
  }
  return texts;
}

}  // namespace

std::string prairielearn_export(const Scorecard& scorecard, const ExportOptions& /*options*/) {
  const bool is_gradable = scorecard.status == ScorecardStatus::graded;
  Json json{{"gradable", is_gradable}};
  if (is_gradable) {
    json["score"] = fraction(scorecard);
  } else {
    json["format_errors"] = problem_sentences(scorecard);
  }
  json["message"] = summary_text(scorecard);
  if (!scorecard.printed.empty()) {
    json["output"] = plain_text("Your code printed:\n" + scorecard.printed, kExportedText);
  }
  if (has_findings(scorecard)) {
    if (Json images = images_of(scorecard); !images.empty()) json["images"] = std::move(images);
    Json tests = Json::array();
    for (const ExportedObjective& objective : by_objective(scorecard)) {
      for (const ScoredCheck* check : objective.checks) tests.push_back(test_of(*check, scorecard));
    }
    json["tests"] = std::move(tests);
  }
  return text_within(json, texts_of(json), kFileLimit);
}

}  // namespace grader
