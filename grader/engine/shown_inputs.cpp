#include "grader/engine/shown_inputs.hpp"

#include <algorithm>
#include <string>
#include <variant>

namespace grader {
namespace {

bool all_zero(const std::vector<double>& entries) {
  return std::ranges::all_of(entries, [](double entry) { return entry == 0; });
}

bool is_zero(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer == 0;
  if (const auto* number = std::get_if<double>(&value)) return *number == 0;
  if (const auto* row = std::get_if<RowVector>(&value)) return all_zero(row->entries);
  if (const auto* matrix = std::get_if<Matrix>(&value)) return all_zero(matrix->entries);
  return false;
}

bool is_shown(const InputRule& rule, const Input& input, const std::string& function) {
  switch (rule.shown) {
    case InputRule::Shown::never: return false;
    case InputRule::Shown::unless_zero: return !is_zero(input.value);
    case InputRule::Shown::with_functions: break;
  }
  return function.empty() || std::ranges::find(rule.functions, function) != rule.functions.end();
}

void choose(const Check& check, Counterexample& found, const std::string& function) {
  for (Input& input : found.test_case.inputs) {
    const auto rule = std::ranges::find(check.input_rules, input.name, &InputRule::input);
    input.shown = rule == check.input_rules.end() || is_shown(*rule, input, function);
  }
}

}  // namespace

void choose_shown_inputs(const Check& check, CheckResult& result) {
  for (auto* found : {&result.minimal, &result.original}) {
    if (!*found) continue;
    const std::string function =
        result.fault ? result.fault->function : (*found)->judgement.function;
    choose(check, **found, function);
  }
}

}  // namespace grader
