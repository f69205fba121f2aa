#include "testcases/checks/presentation.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "testcases/contract.hpp"

namespace attention_assignment {
namespace {

using grader::Case;
using grader::Check;
using grader::Implementation;
using grader::InputRule;
using grader::Judgement;
using grader::Matrix;

std::vector<InputRule> input_rules() {
  using Shown = InputRule::Shown;
  const std::vector<std::string> on_tokens = {"attention", "attention_row", "self_attention"};
  std::vector<InputRule> rules = {{"i", Shown::with_functions, {"attention_row"}},
                                  {"z", Shown::with_functions, {"softmax"}},
                                  {"relation", Shown::never, {}},
                                  {"shift", Shown::unless_zero, {}},
                                  {"through_self_attention", Shown::never, {}},
                                  {"valid", Shown::never, {}}};
  for (const char* input : {"causal", "scaled"}) {
    rules.push_back({input, Shown::with_functions, on_tokens});
  }
  return rules;
}

/// Of the checks that call softmax and attention, with inputs of their own for each.
void add_rules_for_matrices(std::vector<InputRule>& rules) {
  for (const char* input : {"Q", "K", "V"}) {
    rules.push_back({input, InputRule::Shown::with_functions, {"attention"}});
  }
}

/// Passes every call on and knows which function was called last.
class LastCalled final : public Implementation {
 public:
  explicit LastCalled(Implementation& implementation) : implementation_(implementation) {}

  grader::Outcome call(grader::FunctionId function, const grader::Arguments& arguments) override {
    name_ = contract()[function].name;
    return implementation_.call(function, arguments);
  }
  void start_fresh() override { implementation_.start_fresh(); }
  [[nodiscard]] std::uint64_t calls_made() const override { return implementation_.calls_made(); }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  Implementation& implementation_;
  std::string name_;
};

/// Checks that hold one answer of the submission against another one.
struct Sides {
  std::string_view check;
  std::string_view returned;
  std::string_view expected;
};
constexpr std::array<Sides, 5> kSides = {
    {{"mask.past_invariance", "after", "before"},
     {"softmax.shift_invariance", "softmax(z + shift)", "softmax(z)"},
     {"values.projections", "self_attention", "attention"},
     {"rows.consistent", "attention_row", "attention"},
     {"purity.repeatable", "later", "at first"}}};

void name_sides(const std::string& check, Judgement& judgement) {
  const auto sides = std::ranges::find(kSides, check, &Sides::check);
  if (sides == kSides.end() || judgement.returned.empty() || judgement.expected.empty()) return;
  if (judgement.returned_title.empty()) judgement.returned_title = sides->returned;
  if (judgement.expected_title.empty()) judgement.expected_title = sides->expected;
}

/// Outputs from the changed token on may differ: only the rows before it are shown.
void keep_past_rows(const Case& test_case, Judgement& judgement) {
  if (!judgement.first_difference || judgement.first_difference->value != "output") return;
  const std::int64_t past =
      std::max(test_case.integer("changed_token"), judgement.first_difference->row + 1);
  for (auto* fields : {&judgement.returned, &judgement.expected}) {
    for (grader::Field& field : *fields) {
      auto* output = std::get_if<Matrix>(&field.value);
      if (field.name != "output" || output == nullptr || output->rows <= past) continue;
      output->rows = past;
      output->entries.resize(static_cast<std::size_t>(past * output->columns));
    }
  }
}

void name_what_failed(Check& check) {
  check.judge = [judge = std::move(check.judge), id = check.id](const Case& test_case,
                                                                Implementation& implementation) {
    LastCalled called(implementation);
    Judgement judgement = judge(test_case, called);
    if (judgement.verdict != Judgement::Verdict::violated) return judgement;
    if (judgement.function.empty()) judgement.function = called.name();
    name_sides(id, judgement);
    if (id == "mask.past_invariance") keep_past_rows(test_case, judgement);
    return judgement;
  };
}

}  // namespace

void present(std::vector<Check>& checks) {
  for (Check& check : checks) {
    check.input_rules = input_rules();
    if (check.id == "softmax.values" || check.id == "softmax.stability") {
      add_rules_for_matrices(check.input_rules);
    }
    name_what_failed(check);
  }
}

}  // namespace attention_assignment
