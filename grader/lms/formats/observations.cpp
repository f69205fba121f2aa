#include "grader/lms/formats/observations.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "grader/base/plain_text.hpp"
#include "grader/lms/exported_texts.hpp"
#include "grader/report/failure.hpp"
#include "grader/report/formats/markdown.hpp"
#include "grader/report/number_text.hpp"
#include "grader/report/summary.hpp"
#include "grader/report/value_text.hpp"
#include "grader/scorecard/names.hpp"
#include "grader/scorecard/value_json.hpp"

namespace grader {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kReturnedEntries = 8192;  // as in a scorecard

/// The lines of one run.
class Lines {
 public:
  explicit Lines(double run_start) : run_start_(run_start) {}

  /// A case; `more` has what is not the same for all.
  void add_case(const std::string& property, const Json& more) {
    Json line{
        {"type", "test_case"},         {"run_start", run_start_},     {"property", property},
        {"status", "failed"},          {"status_reason", ""},         {"representation", ""},
        {"arguments", Json::object()}, {"how_generated", "not told"}, {"features", Json::object()},
        {"coverage", nullptr},  // lines of code are not followed
        {"timing", Json::object()},    {"metadata", Json::object()}};
    line.update(more);
    append(line);
  }

  /// A message for people; `content` is Markdown.
  void add_message(const std::string& type, const std::string& property, const std::string& title,
                   const std::string& content) {
    append({{"type", type},
            {"run_start", run_start_},
            {"property", property},
            {"title", title},
            {"content", content}});
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void append(const Json& line) { text_ += line.dump(-1, ' ', true) + "\n"; }

  double run_start_;
  std::string text_;
};

// When the run began, as far as it is known.
double run_start(const Scorecard& scorecard, const ExportOptions& options) {
  const auto total = scorecard.timing.find("total");
  const bool is_known = total != scorecard.timing.end() && std::isfinite(total->second);
  const double taken = is_known ? total->second : 0;
  return std::max(0.0, static_cast<double>(options.written_at) - taken);
}

Json arguments_of(const Case& test_case) {
  Json arguments = Json::object();
  for (const Input& input : test_case.inputs) {
    arguments[exported_line(input.name)] = value_to_json(input.value);
  }
  return arguments;
}

std::string representation_of(const Case& test_case) {
  std::string text;
  for (const Input& input : test_case.inputs) {
    if (input.shown) text += input.name + " = " + inline_text(input.value) + "\n";
  }
  return plain_text(text, kExportedText);
}

std::string representation_of(const std::vector<RecordedCall>& calls) {
  std::string text;
  for (const RecordedCall& call : calls) {
    std::string arguments;
    for (const Value& value : call.arguments) {
      arguments += (arguments.empty() ? "" : ", ") + inline_text(value);
    }
    text += call.function + "(" + arguments + ")\n";
  }
  return plain_text(text, kExportedText);
}

// Words become charts of names, whole numbers charts of sizes.
Json features_of(const Case& test_case) {
  Json features{{"kind of input", exported_line(test_case.label)}};
  const auto set = [&](const Input& input, std::size_t index, std::int64_t size) {
    if (index < input.dimensions.size()) features[exported_line(input.dimensions[index])] = size;
  };
  for (const Input& input : test_case.inputs) {
    if (const auto* matrix = std::get_if<Matrix>(&input.value)) {
      set(input, 0, matrix->rows);
      set(input, 1, matrix->columns);
    } else if (const auto* row = std::get_if<RowVector>(&input.value)) {
      set(input, 0, row->size());
    }
  }
  return features;
}

Json fields_of(const std::vector<Field>& fields) {
  Json json = Json::object();
  for (const Field& field : fields) {
    json[exported_line(field.name)] = value_to_json(field.value, kReturnedEntries);
  }
  return json;
}

Json metadata_of(const ScoredCheck& check, const Scorecard& scorecard) {
  Json json{{"submission", exported_line(submission_name(scorecard))},
            {"title", exported_line(check.title)},
            {"status", name_of(check.result.status)}};
  if (scorecard.hint_level != HintLevel::score_only) json["seed"] = scorecard.seed;
  if (!check.replay.empty()) json["replay"] = exported_line(check.replay);
  if (check.result.fault) json["fault"] = exported_line(check.result.fault->kind);
  return json;
}

void add_counterexample(const Counterexample& found, const std::string& how_generated,
                        const ScoredCheck& check, const Scorecard& scorecard, Lines& lines) {
  Json metadata = metadata_of(check, scorecard);
  metadata["returned"] = fields_of(found.judgement.returned);
  metadata["expected"] = fields_of(found.judgement.expected);
  const std::string& message = found.judgement.message;
  lines.add_case(exported_line(check.result.id),
                 {{"status_reason",
                   message.empty() ? check_sentence(check, scorecard) : exported_line(message)},
                  {"representation", representation_of(found.test_case)},
                  {"arguments", arguments_of(found.test_case)},
                  {"how_generated", how_generated},
                  {"features", features_of(found.test_case)},
                  {"metadata", std::move(metadata)}});
}

std::string how_smallest(const CheckResult& result) {
  if (!result.minimal->test_case.name.empty()) {
    return "fixed case: " + exported_line(result.minimal->test_case.name);
  }
  return "shrunk in " + std::to_string(result.shrinks) + " steps" +
         (result.shrinking_cut ? ", as many as are allowed" : "");
}

void add_failure(const ScoredCheck& check, const Scorecard& scorecard, Lines& lines) {
  const CheckResult& result = check.result;
  const bool has_two = result.minimal && result.original &&
                       !identical(result.minimal->test_case, result.original->test_case);
  if (has_two) add_counterexample(*result.original, "tried first", check, scorecard, lines);
  if (result.minimal) {
    add_counterexample(*result.minimal, how_smallest(result), check, scorecard, lines);
    return;
  }
  lines.add_case(exported_line(result.id), {{"status_reason", check_sentence(check, scorecard)},
                                            {"representation", representation_of(result.calls)},
                                            {"metadata", metadata_of(check, scorecard)}});
}

// "500 cases judged, 40 more in searches.", then a line for each kind of input.
std::string numbers_of(const CheckResult& result) {
  const auto number = [](std::int64_t count, const std::string& noun) {
    return counted(static_cast<std::size_t>(std::max<std::int64_t>(count, 0)), noun);
  };
  std::string text = number(result.cases, "case") + " judged";
  if (result.examples > 0) text += ", " + number(result.examples, "input") + " that failed before";
  if (result.searched > 0) text += ", " + std::to_string(result.searched) + " more in searches";
  if (result.discards > 0) text += "; " + number(result.discards, "case") + " not judged";
  text += ".\n";
  if (!result.coverage.empty()) text += "\nCases by kind of input:\n\n";
  for (const auto& [label, count] : result.coverage) {
    text += "- " + markdown_text(label) + ": " + std::to_string(count) + "\n";
  }
  return text;
}

void add_check(const ScoredCheck& check, const Scorecard& scorecard, Lines& lines) {
  const std::string property = exported_line(check.result.id);
  lines.add_message("info", property, "What was tried", numbers_of(check.result));
  if (did_fail(check)) {
    add_failure(check, scorecard, lines);
  } else if (check.result.status == CheckStatus::not_run) {
    lines.add_case(property, {{"status", "gave_up"},
                              {"status_reason", check_sentence(check, scorecard)},
                              {"metadata", metadata_of(check, scorecard)}});
  }
}

// Nothing was checked: a failed property for what the submission did, an open one for what the
// machine could not do.
void add_problem(const Scorecard& scorecard, Lines& lines) {
  const std::string property = "submission";
  lines.add_message("alert", property, exported_line(problem_headline(scorecard)),
                    markdown_block(problem_text(scorecard)));
  lines.add_case(property, {{"status", has_score(scorecard) ? "failed" : "gave_up"},
                            {"status_reason", exported_line(problem_headline(scorecard))},
                            {"metadata",
                             {{"submission", exported_line(submission_name(scorecard))},
                              {"status", name_of(scorecard.status)}}}});
}

}  // namespace

std::string observations_export(const Scorecard& scorecard, const ExportOptions& options) {
  Lines lines(run_start(scorecard, options));
  if (scorecard.status != ScorecardStatus::graded) add_problem(scorecard, lines);
  if (has_findings(scorecard)) {
    for (const ScoredCheck& check : scorecard.checks) add_check(check, scorecard, lines);
  }
  return lines.text();
}

}  // namespace grader
