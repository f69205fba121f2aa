#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/base/json.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/scorecard/figure_json.hpp"
#include "grader/scorecard/json.hpp"
#include "grader/scorecard/names.hpp"
#include "grader/scorecard/value_json.hpp"

namespace grader {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShownId = 60;
constexpr std::size_t kDocumentLimit = std::size_t{256} << 20;

// A place in the document: knows its name for messages.
class Place {
 public:
  Place(const Json& json, std::string where) : json_(&json), where_(std::move(where)) {}

  [[nodiscard]] Place at(const std::string& key) const {
    if (!json_->is_object() || !json_->contains(key)) refuse(key, "there");
    return {(*json_)[key], where_.empty() ? key : where_ + "." + key};
  }
  [[nodiscard]] bool has(const std::string& key) const { return json_->contains(key); }
  [[nodiscard]] bool is_null() const { return json_->is_null(); }

  [[nodiscard]] std::string text() const {
    if (!json_->is_string()) refuse("", "text");
    return json_->get<std::string>();
  }
  [[nodiscard]] double number() const {
    if (!json_->is_number()) refuse("", "a number");
    return json_->get<double>();
  }
  [[nodiscard]] std::int64_t integer() const {
    if (!json_->is_number_integer()) refuse("", "an integer");
    return json_->get<std::int64_t>();
  }
  [[nodiscard]] std::uint64_t seed() const {
    if (!json_->is_number_unsigned()) refuse("", "a seed");
    return json_->get<std::uint64_t>();
  }
  [[nodiscard]] bool boolean() const {
    if (!json_->is_boolean()) refuse("", "true or false");
    return json_->get<bool>();
  }
  template <class E>
  [[nodiscard]] E enumerator() const {
    const std::optional<E> value = named<E>(text());
    if (!value) refuse("", "a known word");
    return *value;
  }
  template <class Read>
  [[nodiscard]] auto list(const Read& read) const {
    if (!json_->is_array()) refuse("", "a list");
    std::vector<decltype(read(*this))> items;
    for (std::size_t index = 0; index < json_->size(); ++index) {
      items.push_back(read(Place((*json_)[index], where_ + "[" + std::to_string(index) + "]")));
    }
    return items;
  }
  [[nodiscard]] std::vector<std::string> texts() const {
    return list([](const Place& place) { return place.text(); });
  }
  template <class Use>
  void each_member(const Use& use) const {
    if (!json_->is_object()) refuse("", "an object");
    for (const auto& [key, value] : json_->items()) use(key, Place(value, where_ + "." + key));
  }
  [[nodiscard]] const Json& json() const { return *json_; }
  [[nodiscard]] const std::string& where() const { return where_; }

 private:
  [[noreturn]] void refuse(const std::string& key, const std::string& expected) const {
    const std::string separator = where_.empty() || key.empty() ? "" : ".";
    throw UsageFault(
        "The scorecard is damaged: " + where_ + separator + key + " is not " + expected + ".",
        "Grade the submission again to get a new scorecard.");
  }

  const Json* json_;
  std::string where_;
};

Value exact_value(const Place& place) {
  const Place value = place.at("value");
  return value_from_json(value.json(), place.at("kind").json(), value.where());
}

Input read_input(const Place& place) {
  Input input;
  input.name = place.at("name").text();
  input.value = exact_value(place);
  input.dimensions = place.at("dimensions").texts();
  input.frozen = place.has("frozen") && place.at("frozen").boolean();
  input.shown = !place.has("shown") || place.at("shown").boolean();
  return input;
}

std::vector<Field> read_fields(const Place& place) {
  std::vector<Field> fields;
  place.each_member([&](const std::string& name, const Place& value) {
    fields.push_back({name, shown_value_from_json(value.json(), value.where())});
  });
  return fields;
}

std::optional<Difference> read_difference(const Place& place) {
  if (place.is_null()) return std::nullopt;
  return Difference{place.at("value").text(), place.at("row").integer(),
                    place.at("column").integer()};
}

std::optional<Counterexample> read_counterexample(const Place& place) {
  if (place.is_null()) return std::nullopt;
  Counterexample found;
  found.test_case.name = place.at("name").text();
  found.test_case.label = place.at("label").text();
  found.test_case.inputs = place.at("inputs").list(read_input);
  found.judgement.verdict = Judgement::Verdict::violated;
  found.judgement.returned = read_fields(place.at("returned"));
  found.judgement.expected = read_fields(place.at("expected"));
  found.judgement.first_difference = read_difference(place.at("first_difference"));
  found.judgement.message = place.at("message").text();
  found.judgement.function = place.at("function").text();
  found.judgement.returned_title = place.at("returned_title").text();
  found.judgement.expected_title = place.at("expected_title").text();
  found.explanation = place.at("explanation").text();
  return found;
}

RecordedCall read_call(const Place& place) {
  return {place.at("function").text(), place.at("arguments").list(exact_value)};
}

std::optional<Fault> read_fault(const Place& place) {
  if (place.is_null()) return std::nullopt;
  return Fault{place.at("kind").text(), place.at("function").text(), place.at("message").text(),
               place.at("file").text(), place.at("line").integer(),  place.at("access").text()};
}

CheckResult read_result(const Place& place) {
  CheckResult result;
  result.id = place.at("id").text();
  result.status = place.at("status").enumerator<CheckStatus>();
  result.blocked_by = place.at("blocked_by").text();
  result.cases = place.at("cases").integer();
  result.discards = place.at("discards").integer();
  result.witnessed = place.at("witnessed").integer();
  place.at("coverage").each_member([&](const std::string& label, const Place& count) {
    result.coverage[label] = count.integer();
  });
  result.coverage_missed = place.at("coverage_missed").texts();
  result.message = place.at("message").text();
  result.fault = read_fault(place.at("fault"));
  result.minimal = read_counterexample(place.at("counterexample"));
  result.original = read_counterexample(place.at("original"));
  result.calls = place.at("calls").list(read_call);
  result.shrinks = place.at("shrinks").integer();
  result.shrinking_cut = place.at("shrinking_cut").boolean();
  if (place.has("examples")) result.examples = place.at("examples").integer();
  if (place.has("searched")) result.searched = place.at("searched").integer();
  return result;
}

ScoredCheck read_check(const Place& place) {
  ScoredCheck check;
  check.result = read_result(place);
  check.title = place.at("title").text();
  check.objective = place.at("objective").text();
  check.points = place.at("points").number();
  check.max_points = place.at("max_points").number();
  check.hint = place.at("hint").text();
  check.lesson = place.at("lesson").text();
  check.replay = place.at("replay").text();
  return check;
}

void read_assertions(const Place& place, std::vector<ScoredCheck>& checks) {
  const auto read = [&](const Place& assertion) {
    const std::string id = assertion.at("check").text();
    for (ScoredCheck& check : checks) {
      if (check.result.id != id) continue;
      check.assertion = assertion.at("function").text();
      check.result.accepted_wrongly = assertion.at("accepted_wrongly").texts();
      check.result.refused_wrongly = assertion.at("refused_wrongly").texts();
    }
    return true;
  };
  static_cast<void>(place.list(read));
}

Diagnosis read_diagnosis(const Place& place) {
  return {
      place.at("id").text(),
      place.at("stage").text(),
      place.at("title").text(),
      place.at("explanation").text(),
      {place.at("evidence").at("agreeing").integer(), place.at("evidence").at("cases").integer()},
      place.at("indistinguishable").texts()};
}

void read_grader(const Place& place, Scorecard& scorecard) {
  scorecard.grader_version = place.at("version").text();
  scorecard.configuration = place.at("configuration").text();
  if (!place.at("seed").is_null()) scorecard.seed = place.at("seed").seed();
  scorecard.cases = place.at("cases").integer();
  scorecard.hint_level = place.at("hint_level").enumerator<HintLevel>();
  scorecard.toolchain = place.at("toolchain").text();
  scorecard.isolation.level = place.at("isolation").at("level").text();
  scorecard.isolation.missing = place.at("isolation").at("missing").texts();
}

[[noreturn]] void refuse_result(const std::string& why) {
  throw UsageFault("The scorecard is damaged: " + why + ".",
                   "Grade the submission again to get a new scorecard.");
}

bool is_share(double points, double max_points) {
  return points >= 0 && points <= max_points && std::isfinite(max_points);
}

bool agree(double sum, double whole) {
  constexpr double kRounding = 1e-9;  // points are added up in more than one order
  return std::abs(sum - whole) <= kRounding * std::max(1.0, std::abs(whole));
}

// What points add up to.
void require_sums(const Scorecard& scorecard) {
  std::map<std::string, double> by_objective;
  double points = 0;
  double max_points = 0;
  for (const ScoredCheck& check : scorecard.checks) {
    by_objective[check.objective] += check.points;
    points += check.points;
    max_points += check.max_points;
  }
  if (!agree(points, scorecard.score)) refuse_result("score is not the sum of the checks' points");
  if (!agree(max_points, scorecard.max_score)) {
    refuse_result("max_score is not the sum of the checks' max_points");
  }
  for (const ObjectiveScore& objective : scorecard.objectives) {
    if (agree(by_objective[objective.id], objective.points)) continue;
    refuse_result("the points of the objective " + plain_line(objective.id, kShownId) +
                  " are not the sum of its checks' points");
  }
}

// Which results no grading has: the document is damaged, or somebody has edited it. Whoever wants
// another score for a student overrides it, beside the scorecard.
void require_sound(const Scorecard& scorecard) {
  std::set<std::string> ids;
  for (const ScoredCheck& check : scorecard.checks) {
    const std::string id = plain_line(check.result.id, kShownId);
    if (!ids.insert(check.result.id).second) refuse_result("the check " + id + " is there twice");
    if (!is_share(check.points, check.max_points)) {
      refuse_result("the points of " + id + " are not from 0 to its max_points");
    }
  }
  for (const ObjectiveScore& objective : scorecard.objectives) {
    if (is_share(objective.points, objective.max_points)) continue;
    refuse_result("the points of the objective " + plain_line(objective.id, kShownId) +
                  " are not from 0 to its max_points");
  }
  if (!is_share(scorecard.score, scorecard.max_score)) {
    refuse_result("score is not from 0 to max_score");
  }
  if (scorecard.status == ScorecardStatus::graded) require_sums(scorecard);
}

double read_score(const Place& place, ScorecardStatus status) {
  const bool is_error =
      status == ScorecardStatus::environment_error || status == ScorecardStatus::internal_error;
  if (is_error && !place.is_null()) refuse_result("nothing was graded, and there is a score");
  return is_error ? 0 : place.number();
}

Scorecard read_document(const Place& place) {
  Scorecard scorecard;
  scorecard.status = place.at("status").enumerator<ScorecardStatus>();
  scorecard.is_unfinished = place.has("unfinished") && place.at("unfinished").boolean();
  if (scorecard.is_unfinished && scorecard.status != ScorecardStatus::environment_error) {
    throw UsageFault("The scorecard is damaged: it is unfinished and has a verdict.",
                     "Grade the submission again to get a new scorecard.");
  }
  if (!place.at("error").is_null()) {
    scorecard.error = place.at("error").at("message").text();
    scorecard.error_hint = place.at("error").at("hint").text();
  }
  scorecard.assignment_id = place.at("assignment").at("id").text();
  scorecard.assignment_title = place.at("assignment").at("title").text();
  scorecard.assignment_digest = place.at("assignment").at("digest").text();
  scorecard.submission_id = place.at("submission").at("id").text();
  scorecard.submission_digest = place.at("submission").at("digest").text();
  scorecard.files = place.at("submission").at("files").list([](const Place& file) {
    return SubmittedFile{file.at("name").text(), file.at("bytes").integer(),
                         file.at("sha256").text()};
  });
  read_grader(place.at("grader"), scorecard);
  scorecard.notices = place.at("notices").texts();
  scorecard.build.status = place.at("build").at("status").enumerator<BuildStatus>();
  scorecard.build.diagnostics = place.at("build").at("diagnostics").text();
  scorecard.build.problem = place.at("build").at("problem").text();
  scorecard.build.hint = place.at("build").at("hint").text();
  scorecard.score = read_score(place.at("score"), scorecard.status);
  scorecard.max_score = place.at("max_score").number();
  scorecard.objectives = place.at("objectives").list([](const Place& objective) {
    return ObjectiveScore{objective.at("id").text(), objective.at("title").text(),
                          objective.at("points").number(), objective.at("max_points").number()};
  });
  scorecard.checks = place.at("checks").list(read_check);
  read_assertions(place.at("assertions"), scorecard.checks);
  scorecard.diagnosis = place.at("diagnosis").list(read_diagnosis);
  scorecard.figures = place.at("figures").list(
      [](const Place& figure) { return figure_from_json(figure.json(), figure.where()); });
  scorecard.printed = place.at("printed").text();
  place.at("timing").each_member([&](const std::string& stage, const Place& seconds) {
    scorecard.timing[stage] = seconds.number();
  });
  require_sound(scorecard);
  return scorecard;
}

}  // namespace

Scorecard scorecard_from_json(std::string_view document, const std::string& name) {
  constexpr std::size_t kNameLimit = 400;
  const std::string shown = plain_line(name, kNameLimit);
  if (const auto flaw = flaw_in_json(document)) {
    throw UsageFault(shown + " " + words_for(*flaw) + ".",
                     "Name the scorecard.json that `grade` wrote.");
  }
  const Json json = Json::parse(document, nullptr, false);
  if (!json.is_object() || !json.contains("schema_version")) {
    throw UsageFault(shown + " is JSON but not a scorecard.",
                     "Name the scorecard.json that `grade` wrote.");
  }
  if (json["schema_version"] != kScorecardVersion) {
    throw UsageFault(shown + " has schema version " +
                         plain_line(json["schema_version"].dump(-1, ' ', true), 40) +
                         "; this grader reads version " + std::to_string(kScorecardVersion) + ".",
                     "Grade the submission again with this grader.");
  }
  return read_document(Place(json, ""));
}

Scorecard read_scorecard(const std::filesystem::path& file) {
  return scorecard_from_json(read_file(file, kDocumentLimit), file.string());
}

}  // namespace grader
