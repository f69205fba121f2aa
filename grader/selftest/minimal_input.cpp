#include "grader/selftest/minimal_input.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "grader/scorecard/scoring.hpp"

namespace grader {
namespace {

const CheckPolicy* policy_of(const Policy& policy, const std::string& id) {
  const auto found = std::ranges::find(policy.checks, id, &CheckPolicy::id);
  return found == policy.checks.end() ? nullptr : &*found;
}

/// The checks in the order in which a person would want to see them fail: of the own objective
/// first, shrinking ones before others.
std::vector<Check> in_order(const Judge& judge, const Policy& policy, const Model& model) {
  std::vector<Check> checks = judge.checks;
  std::ranges::stable_sort(checks, {}, [&](const Check& check) {
    const CheckPolicy* texts = policy_of(policy, check.id);
    const bool is_own = texts != nullptr && !model.objectives.empty() &&
                        texts->objective == model.objectives.front();
    return std::pair(!is_own, !check.shrinks);
  });
  return checks;
}

std::int64_t extent(const Value& value) {
  if (const auto* matrix = std::get_if<Matrix>(&value)) {
    return std::max(matrix->rows, matrix->columns);
  }
  if (const auto* row = std::get_if<RowVector>(&value)) return row->size();
  std::int64_t largest = 0;
  if (const auto* record = std::get_if<Record>(&value)) {
    for (const Field& field : record->fields) largest = std::max(largest, extent(field.value));
  }
  return largest;
}

}  // namespace

std::optional<ScoredCheck> caught_on_minimal_input(const Judge& judge, const Policy& policy,
                                                   const Model& model, EngineOptions options) {
  for (const Check& check : in_order(judge, policy, model)) {
    const std::unique_ptr<Implementation> implementation = model.make();
    // Alone, so that a failure that is a matter of state is not handed to another check.
    options.state_check = judge.state_check == check.id ? check.id : "";
    std::vector<CheckResult> results =
        run_checks({check}, judge.contract, *implementation, options);
    if (results.front().status == CheckStatus::passed || !results.front().minimal) continue;
    for (ScoredCheck& scored : score_results(policy, std::move(results)).checks) {
      if (scored.result.id == check.id) return std::move(scored);
    }
  }
  return std::nullopt;
}

std::int64_t largest_extent(const Case& test_case) {
  std::int64_t largest = 0;
  for (const Input& input : test_case.inputs) largest = std::max(largest, extent(input.value));
  return largest;
}

}  // namespace grader
