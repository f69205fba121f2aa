#include "grader/selftest/selftest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "grader/base/fault.hpp"

namespace grader {
namespace {

/// An assignment of two functions on one number: "double" and "square".
enum : FunctionId { kDouble, kSquare };

class Numbers final : public Implementation {
 public:
  Numbers(double factor, double exponent_is_two) : factor_(factor), square_(exponent_is_two) {}
  Outcome call(FunctionId function, const Arguments& arguments) override {
    const double x = std::get<double>(arguments.at(0));
    Outcome outcome;
    outcome.value = function == kDouble ? factor_ * x : square_ * x * x;
    return outcome;
  }

 private:
  double factor_;
  double square_;
};

Check check_of(const std::string& id, FunctionId function, double (*expected)(double)) {
  Check check;
  check.id = id;
  check.generate = [](Random& random, const Schedule&) {
    return Case{{Input{"x", random.uniform(1, 2), {}}}, "normal", ""};
  };
  check.judge = [function, expected](const Case& test_case, Implementation& implementation) {
    const double x = test_case.number("x");
    const Outcome outcome = implementation.call(function, {x});
    Judgement judgement;
    if (outcome.ending != Ending::returned || std::get<double>(outcome.value) != expected(x)) {
      judgement.verdict = Judgement::Verdict::violated;
      judgement.message = "wrong number";
    }
    return judgement;
  };
  return check;
}

Model model_of(std::string id, Model::Role role, std::vector<std::string> objectives, double factor,
               double square, double ceiling = 0) {
  return Model{std::move(id), role, "numbers", "a model", std::move(objectives), ceiling, [=] {
                 return std::make_unique<Numbers>(factor, square);
               }};
}

Judge judge_with(std::vector<Model> models) {
  Judge judge;
  const Type number{Kind::number, {}};
  judge.contract = {{"double", {{"x", number}}, number}, {"square", {{"x", number}}, number}};
  judge.checks = {check_of("double.value", kDouble, [](double x) { return 2 * x; }),
                  check_of("square.value", kSquare, [](double x) { return x * x; })};
  judge.models = std::move(models);
  return judge;
}

Policy policy() {
  Policy policy;
  policy.id = "numbers";
  policy.max_score = 10;
  policy.objectives = {{"doubling", "doubling", 4}, {"squaring", "squaring", 6}};
  policy.checks = {{"double.value", "doubling", "", 4, "", ""},
                   {"square.value", "squaring", "", 6, "", ""}};
  return policy;
}

constexpr auto kStyle = Model::Role::correct_style;
constexpr auto kMistake = Model::Role::misconception;
constexpr auto kNull = Model::Role::null_implementation;

KillMatrix matrix_of(std::vector<Model> models, const std::string& filter = "") {
  SelfTestOptions options;
  options.cases = 10;
  options.filter = filter;
  return run_selftest(judge_with(std::move(models)), policy(), options);
}

std::vector<Complaint::Kind> kinds(const KillMatrix& matrix) {
  std::vector<Complaint::Kind> kinds;
  for (const Complaint& complaint : matrix.complaints) kinds.push_back(complaint.kind);
  return kinds;
}

TEST(SelfTestTest, HoldsWhenEveryModelIsJudgedAsItShould) {
  const KillMatrix matrix =
      matrix_of({model_of("right", kStyle, {}, 2, 1), model_of("D1", kMistake, {"doubling"}, 3, 1),
                 model_of("zeros", kNull, {}, 0, 0, 0)});
  EXPECT_TRUE(matrix.holds()) << selftest_text(matrix);
  ASSERT_EQ(matrix.rows.size(), 3U);
  EXPECT_EQ(matrix.rows[0].score, 10);
  EXPECT_EQ(matrix.rows[1].score, 6);
  EXPECT_EQ(matrix.rows[1].cells[0].status, CheckStatus::failed);
  EXPECT_EQ(matrix.rows[1].cells[1].status, CheckStatus::passed);
}

TEST(SelfTestTest, FailsWhenACorrectStyleLosesPoints) {
  const KillMatrix matrix = matrix_of({model_of("right", kStyle, {}, 2, 1.5)});
  EXPECT_EQ(kinds(matrix), std::vector{Complaint::Kind::correct_style_loses});
  EXPECT_EQ(matrix.complaints[0].check, "square.value");
}

TEST(SelfTestTest, FailsWhenAMisconceptionKeepsFullMarks) {
  const KillMatrix matrix = matrix_of({model_of("D1", kMistake, {"doubling"}, 2, 1)});
  EXPECT_EQ(kinds(matrix), (std::vector{Complaint::Kind::misconception_unseen,
                                        Complaint::Kind::inputs_not_small}));
}

TEST(SelfTestTest, FailsWhenAMisconceptionIsChargedElsewhere) {
  const KillMatrix matrix = matrix_of({model_of("D1", kMistake, {"doubling"}, 3, 2)});
  EXPECT_EQ(kinds(matrix), std::vector{Complaint::Kind::charged_elsewhere});
  EXPECT_EQ(matrix.complaints[0].check, "square.value");
}

TEST(SelfTestTest, FailsWhenAMisconceptionKeepsItsOwnObjective) {
  const KillMatrix matrix = matrix_of({model_of("D1", kMistake, {"doubling", "squaring"}, 2, 2)});
  EXPECT_EQ(kinds(matrix), std::vector{Complaint::Kind::own_objective_kept});
}

TEST(SelfTestTest, AllowsChargesByChecksThatAreEndToEnd) {
  Judge judge = judge_with({model_of("D1", kMistake, {"doubling"}, 3, 2)});
  judge.end_to_end = {"square.value"};
  SelfTestOptions options;
  options.cases = 10;
  EXPECT_TRUE(run_selftest(judge, policy(), options).holds());
}

TEST(SelfTestTest, FailsWhenANullImplementationExceedsItsCeiling) {
  EXPECT_TRUE(matrix_of({model_of("null", kNull, {}, 2, 0, 4)}).holds());
  const KillMatrix matrix = matrix_of({model_of("null", kNull, {}, 2, 0, 3.5)});
  EXPECT_EQ(kinds(matrix), std::vector{Complaint::Kind::null_above_ceiling});
}

TEST(SelfTestTest, FailsWhenWhatBlocksACheckWasNotLost) {
  KillMatrix matrix = matrix_of({model_of("D1", kMistake, {"doubling"}, 3, 1)});
  const std::vector<Model> models = {model_of("D1", kMistake, {"doubling"}, 3, 1)};
  matrix.rows[0].cells[1].status = CheckStatus::not_run;
  matrix.rows[0].cells[1].blocked_by = "double.value";
  EXPECT_TRUE(complaints_about(matrix, models).empty());
  matrix.rows[0].cells[1].blocked_by = "no.such_check";
  ASSERT_EQ(complaints_about(matrix, models).size(), 1U);
  EXPECT_EQ(complaints_about(matrix, models)[0].kind, Complaint::Kind::blocked_without_reason);
}

/// A judge that observes the factor of "double": three times is the mistake D1.
Judge observing_judge(std::vector<Model> models, bool sees) {
  Judge judge = judge_with(std::move(models));
  judge.observe = [sees](Implementation& implementation) {
    const double twice = std::get<double>(implementation.call(kDouble, {1.0}).value);
    ObservedStage stage;
    stage.name = "double";
    stage.cases = 1;
    stage.reproduces = [twice, sees](const Combination& mistakes, std::size_t) {
      return twice == (mistakes.empty() || !sees ? 2 : 3);
    };
    return Evidence{{{"D1", 1, 1, ""}}, {stage}};
  };
  return judge;
}

TEST(SelfTestTest, FailsWhenTheDiagnosisNamesSomethingElse) {
  const std::vector<Model> models = {model_of("right", kStyle, {}, 2, 1),
                                     model_of("D1", kMistake, {"doubling"}, 3, 1)};
  SelfTestOptions options;
  options.cases = 10;
  EXPECT_TRUE(run_selftest(observing_judge(models, true), policy(), options).holds());
  const KillMatrix matrix = run_selftest(observing_judge(models, false), policy(), options);
  EXPECT_EQ(kinds(matrix), std::vector{Complaint::Kind::misconception_unnamed});
}

TEST(SelfTestTest, FailsWhenTheDiagnosisAccusesACorrectStyle) {
  KillMatrix matrix = matrix_of({model_of("right", kStyle, {}, 2, 1)});
  matrix.rows[0].diagnosis = {{"D1", "numbers", "a model", "", {1, 1}, {}}};
  const std::vector<Model> models = {model_of("right", kStyle, {}, 2, 1)};
  ASSERT_EQ(complaints_about(matrix, models).size(), 1U);
  EXPECT_EQ(complaints_about(matrix, models)[0].kind, Complaint::Kind::correct_style_accused);
}

TEST(SelfTestTest, ShowsEachMistakeOnTheSmallestInputOfItsOwnObjective) {
  const KillMatrix matrix = matrix_of({model_of("D1", kMistake, {"squaring"}, 3, 2)});
  ASSERT_TRUE(matrix.rows[0].minimal_input.has_value());
  EXPECT_EQ(matrix.rows[0].minimal_input->check, "square.value");
  EXPECT_EQ(matrix.rows[0].minimal_input->extent, 0);  // a number has no rows
}

/// Right but for numbers that come rarely.
class RarelyWrong final : public Implementation {
 public:
  Outcome call(FunctionId function, const Arguments& arguments) override {
    const double x = std::get<double>(arguments.at(0));
    Outcome outcome;
    outcome.value = function == kSquare ? x * x : x > 1.99 ? 0 : 2 * x;
    return outcome;
  }
};

TEST(SelfTestTest, FailsWhenACorrectStyleLosesWithALaterSeed) {
  Model rare{
      "rare", kStyle, "numbers", "a style", {}, 0, [] { return std::make_unique<RarelyWrong>(); },
      {}};
  SelfTestOptions options;
  options.cases = 10;
  const Judge judge = judge_with({rare});
  EXPECT_TRUE(run_selftest(judge, policy(), options).holds());
  options.seeds = 30;
  const KillMatrix matrix = run_selftest(judge, policy(), options);
  EXPECT_EQ(matrix.rows[0].score, 10);  // with the first seed
  ASSERT_FALSE(matrix.holds());
  EXPECT_EQ(matrix.complaints[0].kind, Complaint::Kind::correct_style_loses);
  EXPECT_NE(matrix.complaints[0].text.find("With the seed 20"), std::string::npos);
  const auto losses = static_cast<double>(matrix.rows[0].later_losses.size());
  EXPECT_EQ(figures_of(matrix).points_lost_by_correct_styles, 4 * losses);
}

TEST(SelfTestTest, FailsWhenTheOwnObjectiveCouldOnlyNotBeJudged) {
  const std::vector<Model> models = {model_of("D1", kMistake, {"squaring", "doubling"}, 3, 1)};
  KillMatrix matrix = matrix_of(models);
  matrix.rows[0].cells[1].status = CheckStatus::not_run;
  matrix.rows[0].cells[1].blocked_by = "double.value";
  ASSERT_EQ(complaints_about(matrix, models).size(), 1U);
  EXPECT_EQ(complaints_about(matrix, models)[0].kind, Complaint::Kind::own_objective_kept);
}

TEST(SelfTestTest, FailsWhenTooFewMistakesAreShownOnASmallInput) {
  std::vector<Model> models;
  for (const char* id : {"D1", "D2", "D3", "D4", "D5"}) {
    models.push_back(model_of(id, kMistake, {"doubling"}, 3, 1));
  }
  KillMatrix matrix = matrix_of(models);
  matrix.rows[0].minimal_input->extent = kSmallExtent + 1;
  EXPECT_TRUE(complaints_about(matrix, models).empty());  // four of five
  matrix.rows[3].minimal_input.reset();
  ASSERT_EQ(complaints_about(matrix, models).size(), 1U);
  EXPECT_EQ(complaints_about(matrix, models)[0].kind, Complaint::Kind::inputs_not_small);
  EXPECT_NE(complaints_about(matrix, models)[0].text.find("not D1, D4."), std::string::npos);
  matrix.rows.pop_back();  // a part of the models says nothing about the share
  EXPECT_TRUE(complaints_about(matrix, models).empty());
}

TEST(SelfTestTest, FailsWhenInputsThatShowMistakesDoNotGetSmall) {
  Judge judge = judge_with({model_of("D1", kMistake, {"doubling"}, 3, 1)});
  for (Check& check : judge.checks) {
    check.generate = [](Random& random, const Schedule&) {
      const RowVector beside{std::vector<double>(5, 1.0)};
      return Case{
          {Input{"x", random.uniform(1, 2), {}}, Input{"beside", beside, {}, true}}, "normal", ""};
    };
  }
  SelfTestOptions options;
  options.cases = 10;
  EXPECT_EQ(kinds(run_selftest(judge, policy(), options)),
            std::vector{Complaint::Kind::inputs_not_small});
}

TEST(SelfTestTest, MarksTheChecksThatAloneSeeAMistake) {
  const KillMatrix matrix =
      matrix_of({model_of("D1", kMistake, {"doubling"}, 3, 1),
                 model_of("D2", kMistake, {"doubling", "squaring"}, 3, 2),
                 model_of("D3", kMistake, {"doubling"}, 4, 1), model_of("zeros", kNull, {}, 0, 1)});
  EXPECT_EQ(seen_only_by(matrix, 0), (std::vector<std::string>{"D1", "D3"}));
  EXPECT_TRUE(seen_only_by(matrix, 1).empty());
  const std::string text = selftest_text(matrix);
  EXPECT_NE(text.find("* alone sees D1 D3\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  *.  a model"), std::string::npos) << text;
  EXPECT_NE(text.find("  FF  a model"), std::string::npos) << text;
  const auto document = nlohmann::json::parse(selftest_json(matrix));
  EXPECT_EQ(document["checks"][0]["only_killer_of"], (nlohmann::json{"D1", "D3"}));
}

TEST(SelfTestTest, FiguresCountWhatIsPromised) {
  const KillMatrix matrix = matrix_of(
      {model_of("right", kStyle, {}, 2, 1.5), model_of("D1", kMistake, {"doubling"}, 3, 1),
       model_of("D2", kMistake, {"doubling"}, 3, 2), model_of("D3", kMistake, {"doubling"}, 2, 1)});
  const SelfTestFigures figures = figures_of(matrix);
  EXPECT_EQ(figures.misconceptions, 3);
  EXPECT_EQ(figures.seen_by_own_objective, 2);  // not D3
  EXPECT_EQ(figures.charged_to_own_alone, 2);   // not D2
  EXPECT_EQ(figures.shown_on_small_inputs, 2);
  EXPECT_EQ(figures.points_lost_by_correct_styles, 6);
  const std::string text = selftest_text(matrix);
  EXPECT_NE(text.find("2 of 3  misconceptions seen"), std::string::npos) << text;
  EXPECT_NE(text.find("6  points lost by the correct styles (1) over 1 seed"), std::string::npos)
      << text;
}

TEST(SelfTestTest, FilterChoosesByIdOrStageAndRefusesUnknownOnes) {
  const std::vector<Model> models = {model_of("D1", kMistake, {"doubling"}, 3, 1),
                                     model_of("D2", kMistake, {"doubling"}, 4, 1)};
  EXPECT_EQ(matrix_of(models, "D2").rows.size(), 1U);
  EXPECT_EQ(matrix_of(models, "numbers").rows.size(), 2U);
  EXPECT_THROW(matrix_of(models, "D3"), UsageFault);
}

TEST(SelfTestTest, TextNamesEveryModelAndComplaint) {
  const KillMatrix matrix = matrix_of({model_of("right", kStyle, {}, 2, 1.5)});
  const std::string text = selftest_text(matrix);
  EXPECT_NE(text.find("right"), std::string::npos);
  EXPECT_NE(text.find("double.value"), std::string::npos);
  EXPECT_NE(text.find("The correct style right loses square.value"), std::string::npos);
  EXPECT_NE(text.find("the kill matrix does not hold (1 complaint"), std::string::npos);
}

TEST(SelfTestTest, JsonCarriesStatusAndComplaints) {
  const KillMatrix matrix = matrix_of({model_of("D1", kMistake, {"squaring"}, 3, 1)});
  const auto document = nlohmann::json::parse(selftest_json(matrix));
  EXPECT_FALSE(document["holds"]);
  EXPECT_EQ(document["models"][0]["checks"]["double.value"]["status"], "failed");
  EXPECT_EQ(document["complaints"][0]["kind"], "charged_elsewhere");
  EXPECT_EQ(document["complaints"][1]["kind"], "own_objective_kept");
}

}  // namespace
}  // namespace grader
