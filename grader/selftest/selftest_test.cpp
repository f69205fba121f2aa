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
  EXPECT_EQ(kinds(matrix), std::vector{Complaint::Kind::misconception_unseen});
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
