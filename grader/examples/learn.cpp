#include "grader/examples/learn.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "grader/engine/verdict.hpp"

namespace grader {
namespace {

bool failed(const CheckResult& result) {
  return result.status == CheckStatus::failed || result.status == CheckStatus::crashed ||
         result.status == CheckStatus::timed_out;
}

/// The implementations that every example must leave alone.
class RightImplementations {
 public:
  explicit RightImplementations(const Judge& judge)
      : judge_(judge), reference_(judge.make_reference()) {
    for (const Model& model : judge.models) {
      if (model.role == Model::Role::correct_style) styles_.push_back({&model, model.make()});
    }
  }

  /// `example` as it may be tried, or why it may not.
  CheckedExample checked(const Example& example) {
    CheckedExample checked = checked_example(example, judge_, *reference_);
    if (!checked.defect.empty()) return checked;
    const auto check = std::ranges::find(judge_.checks, example.check, &Check::id);
    for (const Style& style : styles_) {
      style.implementation->start_fresh();
      const CaseVerdict verdict = judge_case(*check, checked.test_case, *style.implementation);
      if (verdict.fails()) {
        return {{}, "a right implementation fails on it (" + style.model->title + ")"};
      }
    }
    return checked;
  }

 private:
  struct Style {
    const Model* model;
    std::unique_ptr<Implementation> implementation;
  };
  const Judge& judge_;
  std::unique_ptr<Implementation> reference_;
  std::vector<Style> styles_;
};

bool is_among(const std::vector<Example>& examples, const Example& example) {
  return std::ranges::any_of(examples, [&](const Example& other) {
    return other.check == example.check && identical(other.test_case, example.test_case);
  });
}

/// The check tries it anyway.
bool is_fixed_case(const Judge& judge, const Example& example) {
  const auto check = std::ranges::find(judge.checks, example.check, &Check::id);
  return check != judge.checks.end() &&
         std::ranges::any_of(check->fixed_cases, [&](const Case& fixed) {
           return identical(fixed, example.test_case);
         });
}

void add_once(std::vector<std::string>& sentences, std::string sentence) {
  if (std::ranges::find(sentences, sentence) == sentences.end()) {
    sentences.push_back(std::move(sentence));
  }
}

}  // namespace

Learned learn_examples(std::vector<Example> known, const std::vector<Scorecard>& scorecards,
                       const Judge& judge) {
  Learned learned{std::move(known), 0, {}};
  RightImplementations right(judge);
  for (const Scorecard& scorecard : scorecards) {
    for (const ScoredCheck& check : scorecard.checks) {
      const CheckResult& result = check.result;
      if (!failed(result)) continue;
      if (!result.minimal || result.minimal->test_case.inputs.empty()) {
        if (scorecard.hint_level != HintLevel::full) {
          add_once(learned.not_kept,
                   "Scorecards with less than all hints hold no inputs to learn from.");
        }
        continue;
      }
      Example example{result.id, result.minimal->test_case};
      if (is_among(learned.examples, example) || is_fixed_case(judge, example)) continue;
      const auto full = static_cast<std::size_t>(
          std::ranges::count(learned.examples, example.check, &Example::check));
      CheckedExample checked = right.checked(example);
      if (checked.defect.empty() && full >= kExamplesOfCheck) {
        checked.defect = "it has " + std::to_string(kExamplesOfCheck) +
                         " examples already, which is all it keeps";
      }
      if (!checked.defect.empty()) {
        add_once(learned.not_kept,
                 "An input of " + example.check + " was not kept: " + checked.defect + ".");
        continue;
      }
      learned.examples.push_back({example.check, std::move(checked.test_case)});
      ++learned.added;
    }
  }
  return learned;
}

}  // namespace grader
