#include "grader/selftest/selftest.hpp"

#include <algorithm>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/diagnosis/diagnose.hpp"
#include "grader/engine/engine.hpp"
#include "grader/scorecard/scoring.hpp"
#include "grader/selftest/minimal_input.hpp"

namespace grader {
namespace {

std::vector<const Model*> chosen_models(const Judge& judge, const std::string& filter) {
  std::vector<const Model*> chosen;
  for (const Model& model : judge.models) {
    if (filter.empty() || model.id == filter || model.stage == filter) chosen.push_back(&model);
  }
  if (chosen.empty()) {
    throw UsageFault("no model of this assignment is called \"" + filter + "\"",
                     "name a model's id or a stage as the self-test prints them, or leave the "
                     "filter out");
  }
  return chosen;
}

std::vector<MatrixColumn> columns_of(const Judge& judge, const Policy& policy) {
  std::vector<MatrixColumn> columns;
  for (const CheckPolicy& check : policy.checks) {
    const bool end_to_end = std::find(judge.end_to_end.begin(), judge.end_to_end.end(), check.id) !=
                            judge.end_to_end.end();
    columns.push_back({check.id, check.objective, check.points, end_to_end});
  }
  return columns;
}

MatrixRow grade(const Model& model, const Judge& judge, const Policy& policy,
                const EngineOptions& options) {
  const std::unique_ptr<Implementation> implementation = model.make();
  Scoring scoring =
      score_results(policy, run_checks(judge.checks, judge.contract, *implementation, options));
  MatrixRow row{model.id, model.role, model.stage, model.title, scoring.score, {}, {}, {}, {}};
  for (ScoredCheck& scored : scoring.checks) {
    row.cells.push_back({scored.result.status, std::move(scored.result.blocked_by),
                         std::move(scored.result.message)});
  }
  return row;
}

/// What a correct style loses with the seeds after the first one.
std::vector<MatrixRow::Loss> later_losses(const Model& model, const Judge& judge,
                                          const Policy& policy, EngineOptions options,
                                          std::int64_t seeds) {
  std::vector<MatrixRow::Loss> losses;
  for (std::int64_t later = 1; later < seeds; ++later) {
    ++options.seed;
    const std::unique_ptr<Implementation> implementation = model.make();
    const Scoring scoring =
        score_results(policy, run_checks(judge.checks, judge.contract, *implementation, options));
    for (const ScoredCheck& scored : scoring.checks) {
      if (scored.result.status == CheckStatus::passed) continue;
      losses.push_back({options.seed, scored.max_points - scored.points, scored.result.id,
                        scored.result.message});
    }
  }
  return losses;
}

/// The same limits, with shrinking.
std::optional<MatrixRow::MinimalInput> minimal_input_of(const Model& model, const Judge& judge,
                                                        const Policy& policy,
                                                        const SelfTestOptions& options) {
  EngineOptions shrinking;
  shrinking.seed = options.seed;
  shrinking.cases = options.cases;
  const auto caught = caught_on_minimal_input(judge, policy, model, shrinking);
  if (!caught) return std::nullopt;
  return MatrixRow::MinimalInput{caught->result.id,
                                 largest_extent(caught->result.minimal->test_case)};
}

}  // namespace

KillMatrix run_selftest(const Judge& judge, const Policy& policy, const SelfTestOptions& options,
                        const SelfTestProgress& progress) {
  const std::vector<const Model*> models = chosen_models(judge, options.filter);
  EngineOptions engine;
  engine.seed = options.seed;
  engine.cases = options.cases;
  engine.state_check = judge.state_check;
  // The verdicts are what counts here; nobody reads the counterexamples of 200 models.
  engine.shrink_limit = 0;
  engine.fault_shrink_limit = 0;
  engine.timeout_shrink_limit = 0;

  KillMatrix matrix;
  matrix.assignment = policy.id;
  matrix.seed = options.seed;
  matrix.seeds = options.seeds;
  matrix.seeks_minimal_inputs = options.seeks_minimal_inputs;
  matrix.cases = options.cases;
  matrix.max_score = policy.max_score;
  matrix.columns = columns_of(judge, policy);
  matrix.is_diagnosed = static_cast<bool>(judge.observe);
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (progress) progress(i, models.size(), models[i]->id);
    const Model& model = *models[i];
    MatrixRow& row = matrix.rows.emplace_back(grade(model, judge, policy, engine));
    if (model.role == Model::Role::correct_style) {
      row.later_losses = later_losses(model, judge, policy, engine, options.seeds);
    }
    // A submission without work is not diagnosed for its own sake: the checks say enough.
    if (model.role != Model::Role::null_implementation) {
      row.diagnosis = diagnose(judge, *model.make());
    }
    if (model.role == Model::Role::misconception && options.seeks_minimal_inputs) {
      row.minimal_input = minimal_input_of(model, judge, policy, options);
    }
  }
  matrix.complaints = complaints_about(matrix, judge.models);
  return matrix;
}

}  // namespace grader
