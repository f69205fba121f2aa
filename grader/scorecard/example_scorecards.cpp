#include "grader/scorecard/example_scorecards.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "grader/scorecard/scoring.hpp"

namespace grader::examples {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Policy policy() {
  Policy policy;
  policy.objectives = {{"shapes", "shapes", 12},
                       {"scaling", "scaling", 18},
                       {"mask", "mask", 18},
                       {"stable_softmax", "stable softmax", 18},
                       {"assertions", "assertions", 4}};
  policy.checks = {
      {"shapes.ledger", "shapes", "shape ledger", 5, "Write the ledger first.",
       "Every product fixes a shape: write the shapes before the operations."},
      {"shapes.results", "shapes", "result shapes", 7, "", ""},
      {"scaling.logits", "scaling", "scaled logits", 18, "Divide by the square root of d_k.",
       "Dividing by √d_k keeps the standard deviation of the logits near one."},
      {"mask.future_logits", "mask", "the mask acts on the logits", 10,
       "Set the logits of future tokens to −∞ before the softmax.",
       "A future logit becomes −∞ before the softmax, so that its weight is exactly zero."},
      {"mask.future_weights", "mask", "zero future weights", 8, "", ""},
      {"softmax.row_sums", "stable_softmax", "row sums", 9,
       "Do not clear weights after the softmax.",
       "Softmax turns each row of logits into weights that sum to one."},
      {"softmax.values", "stable_softmax", "softmax values", 9, "", ""},
      {"assertions.rows_sum_to_one", "assertions", "rows_sum_to_one", 4, "",
       "An assertion accepts every valid result and rejects every broken one."}};
  return policy;
}

Matrix matrix(std::int64_t rows, std::int64_t columns, std::vector<double> entries) {
  Matrix made(rows, columns);
  made.entries = std::move(entries);
  return made;
}

CheckResult result_of(const std::string& id, CheckStatus status) {
  CheckResult result;
  result.id = id;
  result.status = status;
  result.cases = 500;
  result.examples = 3;
  result.searched = 40;
  result.witnessed = 500;
  result.coverage = {{"equal rows", 60}, {"normal", 250}};
  return result;
}

std::vector<CheckResult> all_passed() {
  std::vector<CheckResult> results;
  for (const CheckPolicy& check : policy().checks) {
    results.push_back(result_of(check.id, CheckStatus::passed));
  }
  return results;
}

Counterexample two_tokens() {
  Counterexample found;
  found.test_case.inputs = {{"Q", matrix(2, 1, {0, 0}), {"n", "d_k"}, false},
                            {"K", matrix(2, 1, {0, -0.0}), {"n", "d_k"}, false},
                            {"V", matrix(2, 1, {0, 0}), {"n", "d_v"}, true}};
  found.test_case.label = "normal";
  found.judgement.verdict = Judgement::Verdict::violated;
  found.judgement.message = "Row 0 of the weights sums to 0.5 instead of 1.";
  found.judgement.returned = {{"weights", matrix(2, 2, {0.5, 0, 0.5, 0.5})}};
  found.judgement.expected = {{"weights", matrix(2, 2, {1, 0, 0.5, 0.5})}};
  found.judgement.first_difference = Difference{"weights", 0, 0};
  return found;
}

Counterexample future_logits() {
  Counterexample found;
  found.test_case.name = "the lesson's four tokens";
  found.test_case.label = "fixed";
  const Matrix tokens = matrix(4, 2, {1, 0, 0, 1, 1, 1, 0.5, -1.25});
  Record options;
  options.fields = {{"causal", true}, {"scaled", true}};
  found.test_case.inputs = {{"Q", tokens, {"n", "d_k"}, false},
                            {"K", tokens, {"n", "d_k"}, false},
                            {"changed_token", std::int64_t{3}, {"n"}, false},
                            {"options", options, {}, false},
                            {"tolerance", 1e-9, {}, true}};
  found.judgement.verdict = Judgement::Verdict::violated;
  found.judgement.message = "Logit (0, 1) is 0.70710678 but must be −∞.";
  Matrix yours(4, 4, 0.1);
  Matrix masked(4, 4, 0.1);
  for (std::int64_t row = 0; row < 4; ++row) {
    for (std::int64_t column = row + 1; column < 4; ++column) masked(row, column) = -kInfinity;
  }
  yours(0, 1) = 1 / std::sqrt(2.0);
  yours(2, 3) = std::numeric_limits<double>::quiet_NaN();
  found.judgement.returned = {{"logits", yours}};
  found.judgement.expected = {{"logits", masked}};
  found.judgement.first_difference = Difference{"logits", 0, 1};
  return found;
}

Scorecard graded(std::vector<CheckResult> results) {
  Scorecard scorecard;
  scorecard.status = ScorecardStatus::graded;
  scorecard.assignment_id = "causal-attention";
  scorecard.assignment_title = "Causal scaled dot-product attention";
  scorecard.assignment_digest = std::string(64, 'a');
  scorecard.submission_id = "attention";
  scorecard.submission_digest = std::string(64, 'b');
  scorecard.files = {{"attention.cpp", 1234, std::string(64, 'c')}};
  scorecard.grader_version = "1.0.0";
  scorecard.configuration = std::string(64, 'd');
  scorecard.seed = 2026;
  scorecard.cases = 500;
  scorecard.toolchain = "g++ 12.2.0, Eigen 3.4.0";
  scorecard.isolation = {"L4", {}};
  scorecard.build.status = BuildStatus::built;
  scorecard.timing = {{"build", 0.75}, {"checks", 0.25}, {"total", 1.125}};
  enter_scoring(scorecard, score_results(policy(), std::move(results)));
  for (ScoredCheck& check : scorecard.checks) {
    if (check.result.id.starts_with("assertions.")) check.assertion = check.title;
    if (!check.result.minimal && check.result.calls.empty()) continue;
    check.replay = "attention-grader replay scorecard.json " + check.result.id;
  }
  return scorecard;
}

void fail(CheckResult& result, Counterexample minimal) {
  result.status = CheckStatus::failed;
  result.message = minimal.judgement.message;
  result.original = minimal;
  result.minimal = std::move(minimal);
  result.shrinks = 7;
}

Scorecard without_results(ScorecardStatus status) {
  Scorecard scorecard = graded({});
  scorecard.status = status;
  scorecard.build = {};
  scorecard.timing = {{"total", 0.5}};
  return scorecard;
}

}  // namespace

Scorecard all_right() { return graded(all_passed()); }

Scorecard masked_too_late() {
  std::vector<CheckResult> results = all_passed();
  Counterexample shape;
  shape.test_case.inputs = {{"n", std::int64_t{1}, {}, false},
                            {"d_k", std::int64_t{2}, {}, false},
                            {"d_v", std::int64_t{3}, {}, false}};
  Record wrong;
  wrong.fields = {{"rows", std::int64_t{2}}, {"cols", std::int64_t{1}}};
  Record right;
  right.fields = {{"rows", std::int64_t{1}}, {"cols", std::int64_t{1}}};
  shape.judgement.returned = {{"weights", wrong}};
  shape.judgement.expected = {{"weights", right}};
  shape.judgement.first_difference = Difference{"weights", 0, 0};
  shape.judgement.message = "The shape of weights is 2×1 instead of 1×1.";
  fail(results[0], shape);
  fail(results[3], future_logits());
  fail(results[5], two_tokens());
  fail(results[6], two_tokens());
  results[4].status = CheckStatus::not_run;
  results[4].blocked_by = "softmax.row_sums";
  results[4].cases = 0;
  results[4].discards = 500;
  results[4].witnessed = 0;
  results[4].message = "Could not be judged: the weights are not finite.";
  results[7].status = CheckStatus::failed;
  results[7].message = "rows_sum_to_one accepted weights that it must reject.";
  results[7].accepted_wrongly = {"weights whose last row sums to 0.5", "NaN in the weights"};
  results[7].refused_wrongly = {"rows that sum to 1 − 1e-15"};
  Scorecard scorecard = graded(std::move(results));
  scorecard.diagnosis = {
      {"M02",
       "mask",
       "future weights cleared after the softmax, rows not renormalised",
       "Set the logits of future tokens to −∞ before the softmax, so that the visible ones "
       "renormalise by themselves.",
       {42, 42},
       {}},
      {"S01", "scale", "no scaling", "Divide by √d_k.", {1, 1}, {"S09", "S16"}},
      {kUnknownMistake,
       "entropy()",
       "no known misconception matches your entropy()",
       "It differs from what is right on 5 of 7 diagnostic inputs.",
       {0, 5},
       {}}};
  return scorecard;
}

Scorecard faulty() {
  std::vector<CheckResult> results = all_passed();
  Counterexample empty_input;
  empty_input.test_case.inputs = {{"logits", RowVector{{0, -kInfinity, 1e300, 0.1}}, {"n"}, false}};
  results[5].status = CheckStatus::crashed;
  results[5].fault = Fault{"SIGSEGV", "softmax", "", "attention.cpp", 42, "read of 8 bytes"};
  results[5].message = "softmax() crashed with SIGSEGV: it used memory that is not its own.";
  results[5].minimal = empty_input;
  results[5].shrinking_cut = true;
  results[6].status = CheckStatus::timed_out;
  results[6].fault = Fault{"time limit", "attention", "", "", 0, ""};
  results[6].message = "attention() did not return within 2 seconds.";
  results[6].minimal = two_tokens();
  results[6].minimal->judgement = {};
  results[0].status = CheckStatus::failed;
  results[0].fault =
      Fault{"exception", "shape_ledger", "shape_ledger: not implemented yet", "", 0, ""};
  results[0].message = "shape_ledger() threw an exception: shape_ledger: not implemented yet";
  results[2].status = CheckStatus::failed;
  results[2].message = "The same call gave another answer after an earlier call.";
  results[2].calls = {{"entropy", {RowVector{{1, 0}}}}, {"entropy", {RowVector{{0.5, 0.5}}}}};
  Scorecard scorecard = graded(std::move(results));
  scorecard.notices = {"Your own main() is not called."};
  scorecard.printed = "debug: n = 3\n";
  return scorecard;
}

Scorecard with_figures() {
  Scorecard scorecard = masked_too_late();
  Figure ledger;
  ledger.title = "Shape ledger";
  ledger.caption = "Sizes for n = 4, d_k = 3, d_v = 2.";
  ledger.columns = {"", "yours", "expected"};
  ledger.rows = {{"queries", "4×3", "4×3"}, {"weights", "4×3", "4×4"}};
  Figure variance;
  variance.kind = Figure::Kind::lines;
  variance.title = "Variance of the logits";
  variance.x_title = "d_k";
  variance.y_title = "variance";
  variance.x_is_logarithmic = true;
  variance.y_is_logarithmic = true;
  variance.series = {{"scaled (yours)", {1, 4, 16, 64}, {0.9, 1.1, 1.02, 0.98}, false},
                     {"scaled (right)", {1, 64}, {1, 1}, true},
                     {"unscaled (yours)", {1, 4, 16, 64}, {0.9, 4.4, 16.3, std::nan("")}, false},
                     {"unscaled (right)", {1, 64}, {1, 64}, true}};
  Figure weights;
  weights.kind = Figure::Kind::heatmap;
  weights.title = "Weights of the lesson's four tokens";
  weights.panels = {{"yours", matrix(2, 2, {0.5, 0.5, 0.5, 0.5})},
                    {"expected", matrix(2, 2, {1, 0, 0.5, 0.5})}};
  scorecard.figures = {ledger, variance, weights};
  return scorecard;
}

Scorecard not_built() {
  Scorecard scorecard = without_results(ScorecardStatus::not_built);
  scorecard.build.status = BuildStatus::failed;
  scorecard.build.problem = "The submission does not compile.";
  scorecard.build.diagnostics =
      "attention.cpp: In function 'attention::RowVector attention::softmax(const RowVector&)':\n"
      "attention.cpp:12:31: error: expected ';' before 'return'\n"
      "   12 |   RowVector weights = logits\n"
      "      |                             ^\n"
      "      |                             ;\n"
      "   13 |   return weights;\n"
      "      |   ~~~~~~\n";
  scorecard.build.hint = "A semicolon is missing at the end of line 12.";
  return scorecard;
}

Scorecard refused() {
  Scorecard scorecard = without_results(ScorecardStatus::refused);
  scorecard.submission_digest.clear();
  scorecard.files.clear();
  scorecard.error = "attention.cpp is empty: hand in the file with your work.";
  return scorecard;
}

Scorecard environment_error() {
  Scorecard scorecard = without_results(ScorecardStatus::environment_error);
  scorecard.error = "No C++ compiler was found.";
  scorecard.error_hint = "Install g++ (apt-get install g++).";
  return scorecard;
}

Scorecard unfinished() {
  Scorecard scorecard = masked_too_late();
  scorecard.status = ScorecardStatus::environment_error;
  scorecard.is_unfinished = true;
  scorecard.error =
      "Grading did not end: it was stopped, or took too long, while checking softmax.values (7 of "
      "8).";
  scorecard.error_hint = "Submit again, or tell the course staff.";
  scorecard.diagnosis.clear();
  const std::size_t last_run = scorecard.checks.size() - 2;
  for (std::size_t index = last_run; index < scorecard.checks.size(); ++index) {
    ScoredCheck& check = scorecard.checks[index];
    check.result = CheckResult{};
    check.result.id = policy().checks[index].id;
    check.result.message = "Not run: grading did not get to it.";
    check.replay.clear();
    check.points = 0;
  }
  return scorecard;
}

Scorecard hostile() {
  std::vector<CheckResult> results = all_passed();
  const std::string bytes = std::string("\xff\xfe\x1b[31mred\x1b[0m \u202e \"quoted\" \\ ") +
                            std::string(1, '\0') + "\r</script><b>";
  Counterexample big;
  big.test_case.inputs = {
      {"z",
       RowVector{{-0.0, 5e-324, 1.7976931348623157e308, 0.1, 1.0 / 3, 9007199254740993.0, -1e22,
                  std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity}},
       {"n"},
       false},
      {"none", Matrix(0, 3), {}, false}};
  big.judgement.message = bytes;
  big.judgement.returned = {{"weights", Matrix(1000, 1000, 0.125)},
                            {"row", RowVector{std::vector<double>(20'000, 0.5)}},
                            {"columns", Matrix(3, 0)}};
  fail(results[1], big);
  Scorecard scorecard = graded(std::move(results));
  scorecard.submission_id = bytes;
  scorecard.printed = std::string(200'000, 'x') + bytes;
  scorecard.notices = {bytes, std::string(5'000, '\xc3')};
  scorecard.files = {{bytes, 1, std::string(64, 'c')}};
  return scorecard;
}

}  // namespace grader::examples
