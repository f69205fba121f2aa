#include "testcases/diagnosis/observe.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "testcases/checks/same_answers.hpp"
#include "testcases/diagnosis/attention_stages.hpp"
#include "testcases/diagnosis/diagnostic_inputs.hpp"
#include "testcases/diagnosis/function_stages.hpp"
#include "testcases/diagnosis/modelled_mistakes.hpp"
#include "testcases/diagnosis/own_answers.hpp"
#include "testcases/diagnosis/view_stages.hpp"

namespace attention_assignment {
namespace {

using grader::Combination;
using grader::Evidence;
using grader::ObservedStage;
using misconceptions::AttentionModel;

/// A stage's own judgement of one model; a model that throws where the submission answered has not
/// done the same.
template <class Same>
bool did_the_same(Same same) {
  try {
    return same();
  } catch (const std::exception&) {
    return false;
  }
}

std::size_t index_of(const std::string& id) {
  const auto& all = modelled_mistakes();
  const auto found = std::ranges::find_if(
      all, [&](const ModelledMistake& mistake) { return mistake.known.id == id; });
  return static_cast<std::size_t>(found - all.begin());
}

using SameStage = bool (AttentionStages::*)(const AttentionModel&, std::size_t, Rounding,
                                            Deviations*) const;

/// Rounding errs in both directions: at least a tenth of what is off, each way.
bool goes_both_ways(const Deviations& deviations) {
  const std::int64_t all = deviations.above + deviations.below;
  return all > 0 && 10 * std::min(deviations.above, deviations.below) >= all;
}

ObservedStage attention_stage(std::string name, const std::shared_ptr<AttentionStages>& stages,
                              SameStage same, const std::string& single_precision) {
  ObservedStage stage;
  stage.name = std::move(name);
  stage.cases = stages->returned().size();
  stage.reproduces = [stages, same](const Combination& mistakes, std::size_t index) {
    return did_the_same([&] {
      return ((*stages).*same)(model_of(mistakes), stages->returned()[index],
                               mistakes.empty() ? Rounding::exact : Rounding::double_precision,
                               nullptr);
    });
  };
  stage.reproduces_in_single_precision = [stages, same](const Combination& mistakes) {
    const AttentionModel model = model_of(mistakes);
    Deviations deviations;
    return did_the_same([&] {
             return std::ranges::all_of(stages->returned(), [&](std::size_t index) {
               return ((*stages).*same)(model, index, Rounding::single_precision, &deviations);
             });
           }) &&
           goes_both_ways(deviations);
  };
  stage.single_precision = index_of(single_precision);
  return stage;
}

ObservedStage returns_stage(const std::shared_ptr<AttentionStages>& stages) {
  ObservedStage stage;
  stage.name = "calls";
  // Calls that all fail have one reason, which the checks tell.
  stage.cases = stages->returned().empty() ? 0 : stages->size();
  stage.reproduces = [stages](const Combination& mistakes, std::size_t index) {
    return stages->returns_alike(model_of(mistakes), index);
  };
  stage.tells_unknown = false;
  stage.most_mistakes = 1;
  return stage;
}

std::vector<ObservedAttention> ask_attention(OwnAnswers& own) {
  std::vector<ObservedAttention> calls;
  for (const AttentionInputs& inputs : diagnostic_attention_inputs()) {
    ObservedAttention call{inputs, own.attention(inputs), {}};
    if (call.own) {
      AttentionInputs without_mask = inputs;
      without_mask.options.causal = false;
      const auto scores = inputs.options.causal ? own.attention(without_mask) : call.own;
      if (scores && scores->logits.rows == inputs.n() && scores->logits.columns == inputs.n()) {
        call.own_scores = scores->logits;
      }
    }
    calls.push_back(std::move(call));
  }
  return calls;
}

Evidence evidence_of(OwnAnswers& own, const std::vector<grader::Check>& assertion_checks) {
  Evidence evidence;
  for (const ModelledMistake& mistake : modelled_mistakes()) {
    evidence.mistakes.push_back(mistake.known);
  }
  evidence.stages.resize(kStageCount);
  evidence.stages[kStateStage] = state_stage(own);  // first: tells how to ask the rest
  const auto stages = std::make_shared<AttentionStages>(ask_attention(own));
  for (std::size_t entry = 0; entry < std::tuple_size_v<ShapeLedger>; ++entry) {
    evidence.stages[kLedgerStages + entry] = ledger_stage(own, entry);
  }
  evidence.stages[kReturnsStage] = returns_stage(stages);
  evidence.stages[kLogitsStage] =
      attention_stage("logits", stages, &AttentionStages::same_logits, "P29");
  evidence.stages[kWeightsStage] =
      attention_stage("weights", stages, &AttentionStages::same_weights, "X31");
  evidence.stages[kSoftmaxStage] = softmax_stage(own, index_of("X31"));
  evidence.stages[kOutputStage] =
      attention_stage("output", stages, &AttentionStages::same_output, "P28");
  evidence.stages[kRowsStage] = rows_stage(own);
  evidence.stages[kProjectionsStage] = projections_stage(own);
  evidence.stages[kEntropyStage] = entropy_stage(own, index_of("E09"));
  for (std::size_t i = 0; i < assertion_checks.size(); ++i) {
    evidence.stages[kAssertionStages + i] = assertion_stage(own, assertion_checks[i]);
  }
  return evidence;
}

}  // namespace

Evidence observe(grader::Implementation& implementation,
                 const std::vector<grader::Check>& assertion_checks) {
  OwnAnswers own(implementation);
  try {
    return evidence_of(own, assertion_checks);
  } catch (const TooDearToAsk&) {
    return {};
  }
}

}  // namespace attention_assignment
