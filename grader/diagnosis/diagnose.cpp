#include "grader/diagnosis/diagnose.hpp"

#include <algorithm>
#include <string>

#include "grader/base/fault.hpp"
#include "grader/diagnosis/explain.hpp"

namespace grader {
namespace {

const Model& model_called(const Judge& judge, const std::string& id) {
  const auto found = std::ranges::find_if(judge.models, [&](const Model& model) {
    return model.role == Model::Role::misconception && model.id == id;
  });
  if (found == judge.models.end()) throw InternalFault("no model of the misconception " + id);
  return *found;
}

Diagnosis unknown(const Finding& finding, const ObservedStage& stage) {
  const auto cases = static_cast<std::int64_t>(finding.cases);
  return {kUnknownMistake,
          stage.name,
          "no known misconception matches your " + stage.name,
          "It differs from what is right on " + std::to_string(cases) + " of " +
              std::to_string(stage.cases) +
              " diagnostic inputs, in a way that none of the known misconceptions reproduces. The "
              "failed checks show where.",
          {0, cases},
          {}};
}

Diagnosis named(const Finding& finding, const KnownMistake& mistake, const Judge& judge) {
  const Model& model = model_called(judge, mistake.id);
  const auto cases = static_cast<std::int64_t>(finding.cases);
  std::string title = model.title;
  if (!mistake.place.empty()) title += " (" + mistake.place + ")";
  return {model.id,          model.stage,    std::move(title),
          model.explanation, {cases, cases}, finding.indistinguishable};
}

Evidence observed(const Judge& judge, Implementation& implementation) {
  if (!judge.observe) return {};
  try {
    return judge.observe(implementation);
  } catch (const CallFault&) {
    return {};  // what does not return is told by the checks
  }
}

}  // namespace

std::vector<Diagnosis> diagnose(const Judge& judge, Implementation& implementation) {
  std::vector<Diagnosis> all;
  const Evidence evidence = observed(judge, implementation);
  for (const Finding& finding : explain(evidence)) {
    all.push_back(finding.is_known ? named(finding, evidence.mistakes[finding.mistake], judge)
                                   : unknown(finding, evidence.stages[finding.stage]));
  }
  return all;
}

}  // namespace grader
