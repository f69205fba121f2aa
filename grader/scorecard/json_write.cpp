#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/plain_text.hpp"
#include "grader/scorecard/figure_json.hpp"
#include "grader/scorecard/json.hpp"
#include "grader/scorecard/names.hpp"
#include "grader/scorecard/value_json.hpp"

namespace grader {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLineLimit = 2'000;      // of one sentence
constexpr std::size_t kTextLimit = 128 << 10;  // of diagnostics and printed output
constexpr std::size_t kReturnedEntries = 8192;
constexpr std::size_t kListLimit = 200;

std::string line(std::string_view text) { return plain_line(text, kLineLimit); }
std::string text(std::string_view lines) { return plain_text(lines, kTextLimit); }

template <class Word>
std::string word(Word value) {
  return std::string(name_of(value));
}

Json list(const std::vector<std::string>& items) {
  Json json = Json::array();
  for (const std::string& item : items) {
    if (json.size() == kListLimit) break;
    json.push_back(line(item));
  }
  return json;
}

Json inputs_to_json(const Case& test_case) {
  Json inputs = Json::array();
  for (const Input& input : test_case.inputs) {
    Json json{{"name", line(input.name)},
              {"kind", kind_to_json(input.value)},
              {"dimensions", list(input.dimensions)},
              {"value", value_to_json(input.value)}};
    if (input.frozen) json["frozen"] = true;
    if (!input.shown) json["shown"] = false;
    inputs.push_back(std::move(json));
  }
  return inputs;
}

Json fields_to_json(const std::vector<Field>& fields) {
  Json json = Json::object();
  for (const Field& field : fields) {
    json[line(field.name)] = value_to_json(field.value, kReturnedEntries);
  }
  return json;
}

Json difference_to_json(const std::optional<Difference>& difference) {
  if (!difference) return nullptr;
  return {
      {"value", line(difference->value)}, {"row", difference->row}, {"column", difference->column}};
}

Json counterexample_to_json(const std::optional<Counterexample>& found) {
  if (!found) return nullptr;
  return {{"name", line(found->test_case.name)},
          {"label", line(found->test_case.label)},
          {"inputs", inputs_to_json(found->test_case)},
          {"returned", fields_to_json(found->judgement.returned)},
          {"expected", fields_to_json(found->judgement.expected)},
          {"first_difference", difference_to_json(found->judgement.first_difference)},
          {"message", line(found->judgement.message)},
          {"function", line(found->judgement.function)},
          {"returned_title", line(found->judgement.returned_title)},
          {"expected_title", line(found->judgement.expected_title)},
          {"explanation", line(found->explanation)}};
}

Json calls_to_json(const std::vector<RecordedCall>& calls) {
  Json json = Json::array();
  for (const RecordedCall& call : calls) {
    Json arguments = Json::array();
    for (const Value& value : call.arguments) {
      arguments.push_back({{"kind", kind_to_json(value)}, {"value", value_to_json(value)}});
    }
    json.push_back({{"function", line(call.function)}, {"arguments", std::move(arguments)}});
  }
  return json;
}

Json fault_to_json(const std::optional<Fault>& fault) {
  if (!fault) return nullptr;
  return {{"kind", line(fault->kind)},
          {"function", line(fault->function)},
          {"message", line(fault->message)},
          {"file", line(fault->file)},
          {"line", fault->line},
          {"access", line(fault->access)}};
}

Json coverage_to_json(const CheckResult& result) {
  Json json = Json::object();
  for (const auto& [label, count] : result.coverage) json[line(label)] = count;
  return json;
}

Json check_to_json(const ScoredCheck& check) {
  const CheckResult& result = check.result;
  Json json{{"id", line(result.id)},
            {"title", line(check.title)},
            {"objective", line(check.objective)},
            {"status", word(result.status)},
            {"blocked_by", line(result.blocked_by)},
            {"points", check.points},
            {"max_points", check.max_points},
            {"cases", result.cases},
            {"discards", result.discards},
            {"witnessed", result.witnessed},
            {"coverage", coverage_to_json(result)},
            {"coverage_missed", list(result.coverage_missed)},
            {"message", line(result.message)},
            {"hint", line(check.hint)},
            {"lesson", line(check.lesson)},
            {"fault", fault_to_json(result.fault)},
            {"counterexample", counterexample_to_json(result.minimal)},
            {"original", counterexample_to_json(result.original)},
            {"calls", calls_to_json(result.calls)},
            {"shrinks", result.shrinks},
            {"shrinking_cut", result.shrinking_cut},
            {"replay", line(check.replay)}};
  if (result.examples > 0) json["examples"] = result.examples;
  if (result.searched > 0) json["searched"] = result.searched;
  return json;
}

Json assertions_to_json(const Scorecard& scorecard) {
  Json json = Json::array();
  for (const ScoredCheck& check : scorecard.checks) {
    if (check.assertion.empty()) continue;
    json.push_back({{"function", line(check.assertion)},
                    {"check", line(check.result.id)},
                    {"status", word(check.result.status)},
                    {"accepted_wrongly", list(check.result.accepted_wrongly)},
                    {"refused_wrongly", list(check.result.refused_wrongly)}});
  }
  return json;
}

Json diagnosis_to_json(const std::vector<Diagnosis>& all) {
  Json json = Json::array();
  for (const Diagnosis& diagnosis : all) {
    json.push_back(
        {{"id", line(diagnosis.id)},
         {"stage", line(diagnosis.stage)},
         {"title", line(diagnosis.title)},
         {"explanation", line(diagnosis.explanation)},
         {"evidence",
          {{"agreeing", diagnosis.evidence.agreeing}, {"cases", diagnosis.evidence.cases}}},
         {"indistinguishable", list(diagnosis.indistinguishable)}});
  }
  return json;
}

Json files_to_json(const std::vector<SubmittedFile>& files) {
  Json json = Json::array();
  for (const SubmittedFile& file : files) {
    json.push_back({{"name", line(file.name)}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  }
  return json;
}

Json objectives_to_json(const std::vector<ObjectiveScore>& objectives) {
  Json json = Json::array();
  for (const ObjectiveScore& objective : objectives) {
    json.push_back({{"id", line(objective.id)},
                    {"title", line(objective.title)},
                    {"points", objective.points},
                    {"max_points", objective.max_points}});
  }
  return json;
}

Json figures_to_json(const std::vector<Figure>& figures) {
  Json json = Json::array();
  for (const Figure& figure : figures) json.push_back(figure_to_json(figure));
  return json;
}

Json grader_to_json(const Scorecard& scorecard) {
  Json json{{"version", line(scorecard.grader_version)},
            {"configuration", scorecard.configuration},
            {"seed", scorecard.seed},
            {"cases", scorecard.cases},
            {"hint_level", word(scorecard.hint_level)},
            {"toolchain", line(scorecard.toolchain)},
            {"isolation",
             {{"level", line(scorecard.isolation.level)},
              {"missing", list(scorecard.isolation.missing)}}}};
  if (scorecard.hint_level == HintLevel::score_only) json["seed"] = nullptr;
  return json;
}

}  // namespace

std::string scorecard_to_json(const Scorecard& scorecard) {
  const bool has_score = scorecard.status != ScorecardStatus::environment_error &&
                         scorecard.status != ScorecardStatus::internal_error;
  Json checks = Json::array();
  for (const ScoredCheck& check : scorecard.checks) checks.push_back(check_to_json(check));
  Json timing = Json::object();
  for (const auto& [stage, seconds] : scorecard.timing) timing[line(stage)] = seconds;
  Json error = nullptr;
  if (!scorecard.error.empty()) {
    error = Json{{"message", text(scorecard.error)}, {"hint", text(scorecard.error_hint)}};
  }
  Json json{{"schema_version", kScorecardVersion},
            {"status", word(scorecard.status)},
            {"error", std::move(error)},
            {"assignment",
             {{"id", line(scorecard.assignment_id)},
              {"title", line(scorecard.assignment_title)},
              {"digest", scorecard.assignment_digest}}},
            {"submission",
             {{"id", line(scorecard.submission_id)},
              {"digest", scorecard.submission_digest},
              {"files", files_to_json(scorecard.files)}}},
            {"grader", grader_to_json(scorecard)},
            {"notices", list(scorecard.notices)},
            {"build",
             {{"status", word(scorecard.build.status)},
              {"problem", text(scorecard.build.problem)},
              {"diagnostics", text(scorecard.build.diagnostics)},
              {"hint", text(scorecard.build.hint)}}},
            {"score", has_score ? Json(scorecard.score) : Json(nullptr)},
            {"max_score", scorecard.max_score},
            {"objectives", objectives_to_json(scorecard.objectives)},
            {"checks", std::move(checks)},
            {"diagnosis", diagnosis_to_json(scorecard.diagnosis)},
            {"assertions", assertions_to_json(scorecard)},
            {"figures", figures_to_json(scorecard.figures)},
            {"printed", text(scorecard.printed)},
            {"timing", std::move(timing)}};
  if (scorecard.is_unfinished) json["unfinished"] = true;
  return json_text(json);
}

}  // namespace grader
