#include "grader/examples/examples.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/examples/learn.hpp"

namespace grader {
namespace {

/// size(values: row, factors: row) -> integer, by a function of the values.
class Sizes final : public Implementation {
 public:
  using Answer = std::int64_t (*)(const RowVector&);
  explicit Sizes(Answer answer) : answer_(answer) {}
  Outcome call(FunctionId /*function*/, const Arguments& arguments) override {
    return {Ending::returned, answer_(std::get<RowVector>(arguments.at(0))), {}, 0};
  }

 private:
  Answer answer_;
};

std::int64_t right_size(const RowVector& values) { return values.size(); }
/// Right for everybody who does not ask for 13.
std::int64_t size_without_13(const RowVector& values) {
  return values.entries.front() == 13 ? 0 : values.size();
}

Case case_of(std::vector<double> values, std::vector<double> factors) {
  Case result;
  result.inputs = {{"values", RowVector{std::move(values)}, {"n"}},
                   {"factors", RowVector{std::move(factors)}, {"n"}, true}};
  return result;
}

Check check_of(std::string id) {
  Check check;
  check.id = std::move(id);
  check.generate = [](Random& random, const Schedule& /*schedule*/) {
    return case_of({random.unit(), 1}, {1, 1});
  };
  check.fixed_cases = {case_of({1}, {1})};
  check.admits = [](const Case& test_case) {
    return test_case.row("values").size() > 0 && test_case.row("values")(0) < 100;
  };
  check.judge = [](const Case& test_case, Implementation& implementation) {
    const Outcome outcome =
        implementation.call(0, {test_case.row("values"), test_case.row("factors")});
    Judgement judgement;
    if (std::get<std::int64_t>(outcome.value) != test_case.row("values").size() ||
        test_case.row("values")(0) == -1) {  // the judge itself is wrong about −1
      judgement.verdict = Judgement::Verdict::violated;
    }
    return judgement;
  };
  return check;
}

Judge judge_of_sizes() {
  Judge judge;
  const Type row{Kind::row_vector, {}};
  judge.contract = {{"size", {{"values", row}, {"factors", row}}, {Kind::integer, {}}}};
  judge.checks = {check_of("size.right"), check_of("size.statistics"), check_of("size.assertion")};
  judge.checks[1].shrinks = false;
  judge.checks[2].assertion = "size";
  judge.make_reference = [] { return std::make_unique<Sizes>(right_size); };
  judge.models = {Model{"style", Model::Role::correct_style, "", "a style of its own", {}, 0, [] {
                          return std::make_unique<Sizes>(size_without_13);
                        }}};
  return judge;
}

std::string defect_of(const Example& example) {
  const Judge judge = judge_of_sizes();
  Sizes reference(right_size);
  return checked_example(example, judge, reference).defect;
}

Scorecard scorecard_with(const std::string& id, Case failing, CheckStatus status) {
  Scorecard scorecard;
  ScoredCheck& check = scorecard.checks.emplace_back();
  check.result.id = id;
  check.result.status = status;
  check.result.minimal = Counterexample{std::move(failing), {}};
  return scorecard;
}

void expect_refused(const std::string& document, const std::string& part) {
  try {
    static_cast<void>(examples_from_json(document, "sizes", "examples.json"));
    FAIL() << document;
  } catch (const UsageFault& fault) {
    EXPECT_NE(std::string(fault.what()).find(part), std::string::npos) << fault.what();
    EXPECT_FALSE(fault.hint().empty());
  }
}

TEST(ExamplesTest, ComeBackFromTheFileBitForBit) {
  const std::vector<Example> examples = {{"size.right", case_of({0.1, -0.0}, {5e-324, 1e300})},
                                         {"other", case_of({}, {})}};
  const std::vector<Example> read =
      examples_from_json(examples_to_json(examples, "sizes"), "sizes", "examples.json");
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].check, "size.right");
  EXPECT_TRUE(identical(read[0].test_case, examples[0].test_case));
  EXPECT_TRUE(identical(read[1].test_case, examples[1].test_case));
}

TEST(ExamplesTest, DamagedFileIsRefusedWithItsPlace) {
  expect_refused("", "is not JSON");
  expect_refused("[]", "is not a JSON object");
  expect_refused(R"({"version": 2, "assignment": "sizes", "examples": []})", "version 2");
  expect_refused(R"({"version": 1, "assignment": "other", "examples": []})", "assignment other");
  expect_refused(R"({"version": 1, "assignment": "sizes"})", "no usable \"examples\"");
  expect_refused(R"({"version": 1, "assignment": "sizes", "examples": [7]})", "examples[0]");
  expect_refused(R"({"version": 1, "assignment": "sizes", "examples": [{"check": "a",
                    "inputs": [{"name": "x", "kind": "row_vector", "value": ["one"]}]}]})",
                 "examples[0].x");
}

TEST(ExamplesTest, OnlyWhatFitsItsCheckIsTried) {
  EXPECT_EQ(defect_of({"size.right", case_of({3, 4}, {1, 1})}), "");
  EXPECT_EQ(defect_of({"size.gone", case_of({3}, {1})}), "there is no such check");
  EXPECT_EQ(defect_of({"size.statistics", case_of({3}, {1})}),
            "this check keeps to its own inputs");
  EXPECT_EQ(defect_of({"size.assertion", case_of({3}, {1})}), "this check keeps to its own inputs");
  EXPECT_EQ(defect_of({"size.right", {}}), "its inputs are not those of the check");
  Case renamed = case_of({3}, {1});
  renamed.inputs[0].name = "numbers";
  EXPECT_EQ(defect_of({"size.right", renamed}), "its inputs are not those of the check");
  Case of_other_kind = case_of({3}, {1});
  of_other_kind.inputs[0].value = 3.0;
  EXPECT_EQ(defect_of({"size.right", of_other_kind}), "its inputs are not those of the check");
  EXPECT_EQ(defect_of({"size.right", case_of({3, 4}, {1})}), "its sizes do not fit together");
  EXPECT_EQ(defect_of({"size.right", case_of({100}, {1})}),
            "it lies outside of what the check asks for");
  EXPECT_EQ(defect_of({"size.right", case_of({}, {})}),
            "it lies outside of what the check asks for");
  const std::vector<double> many(kNumbersOfExample, 1.0);
  EXPECT_EQ(defect_of({"size.right", case_of(many, many)}), "it is too large");
}

TEST(ExamplesTest, WhatTheReferenceFailsOnAccusesNobody) {
  EXPECT_EQ(defect_of({"size.right", case_of({-1}, {1})}), "the reference does not pass on it");
}

TEST(ExamplesTest, TakeTheirFormFromTheCheckAndNotFromTheFile) {
  const Judge judge = judge_of_sizes();
  Example example{"size.right", case_of({3, 4}, {1, 1})};
  example.test_case.name = "forged";
  example.test_case.label = "forged";
  example.test_case.inputs[0].dimensions = {"x"};
  example.test_case.inputs[1].frozen = false;
  const UsableExamples usable = usable_examples({example}, judge);
  const Case& tried = usable.by_check.at("size.right").front();
  EXPECT_EQ(tried.name, kExampleName);
  EXPECT_EQ(tried.label, "");
  EXPECT_EQ(tried.inputs[0].dimensions, std::vector<std::string>{"n"});
  EXPECT_TRUE(tried.inputs[1].frozen);
}

TEST(ExamplesTest, OthersAreLeftOutWithASentenceAndBeyondTheLimitToo) {
  const Judge judge = judge_of_sizes();
  std::vector<Example> examples(kExamplesOfCheck + 1, {"size.right", case_of({3}, {1})});
  examples.push_back({"size.gone", case_of({3}, {1})});
  const UsableExamples usable = usable_examples(examples, judge);
  EXPECT_EQ(usable.by_check.size(), 1U);
  EXPECT_EQ(usable.by_check.at("size.right").size(), kExamplesOfCheck);
  ASSERT_EQ(usable.left_out.size(), 2U);
  EXPECT_EQ(usable.left_out[1],
            "A stored example of size.gone was not tried: there is no such check.");
}

TEST(LearnTest, KeepsEveryFailingInputOnce) {
  const Judge judge = judge_of_sizes();
  const std::vector<Scorecard> scorecards = {
      scorecard_with("size.right", case_of({3, 4}, {1, 1}), CheckStatus::failed),
      scorecard_with("size.right", case_of({3, 4}, {1, 1}), CheckStatus::failed),
      scorecard_with("size.right", case_of({5}, {1}), CheckStatus::crashed),
      scorecard_with("size.right", case_of({6}, {1}), CheckStatus::passed)};
  const Learned learned = learn_examples({}, scorecards, judge);
  EXPECT_EQ(learned.added, 2U);
  ASSERT_EQ(learned.examples.size(), 2U);
  EXPECT_EQ(learned.examples[1].test_case.row("values")(0), 5);
  EXPECT_TRUE(learned.not_kept.empty());
  EXPECT_EQ(learn_examples(learned.examples, scorecards, judge).added, 0U);
}

TEST(LearnTest, FixedCasesAreTriedAnyway) {
  const Learned learned = learn_examples(
      {}, {scorecard_with("size.right", case_of({1}, {1}), CheckStatus::failed)}, judge_of_sizes());
  EXPECT_TRUE(learned.examples.empty());
  EXPECT_TRUE(learned.not_kept.empty());
}

TEST(LearnTest, WhatACorrectStyleFailsOnIsNotKept) {
  const Learned learned =
      learn_examples({}, {scorecard_with("size.right", case_of({13}, {1}), CheckStatus::failed)},
                     judge_of_sizes());
  EXPECT_TRUE(learned.examples.empty());
  ASSERT_EQ(learned.not_kept.size(), 1U);
  EXPECT_NE(learned.not_kept[0].find("a style of its own"), std::string::npos);
}

TEST(LearnTest, SaysThatAScorecardHoldsNoInputs) {
  Scorecard scorecard = scorecard_with("size.right", case_of({3}, {1}), CheckStatus::failed);
  scorecard.checks[0].result.minimal.reset();
  EXPECT_TRUE(learn_examples({}, {scorecard}, judge_of_sizes()).not_kept.empty());
  scorecard.hint_level = HintLevel::hints;
  EXPECT_EQ(learn_examples({}, {scorecard}, judge_of_sizes()).not_kept.size(), 1U);
}

TEST(LearnTest, StopsAtTheLimitOfACheck) {
  std::vector<Scorecard> scorecards;
  for (std::size_t index = 0; index <= kExamplesOfCheck; ++index) {
    scorecards.push_back(scorecard_with(
        "size.right", case_of({20 + static_cast<double>(index)}, {1}), CheckStatus::failed));
  }
  const Learned learned = learn_examples({}, scorecards, judge_of_sizes());
  EXPECT_EQ(learned.examples.size(), kExamplesOfCheck);
  EXPECT_EQ(learned.not_kept.size(), 1U);
}

}  // namespace
}  // namespace grader
