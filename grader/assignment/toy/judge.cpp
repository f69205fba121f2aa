// The judge of the toy assignment: the mean of a row. It exists to prove that the machine knows
// nothing of attention, and is the smallest complete example of an assignment.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "grader/assignment/assignment.hpp"

namespace {

using grader::Case;
using grader::Check;
using grader::Implementation;
using grader::Judgement;
using grader::Outcome;
using grader::Random;
using grader::RowVector;
using grader::Schedule;

constexpr grader::FunctionId kMean = 0;

double call_mean(Implementation& implementation, const RowVector& values) {
  const Outcome outcome = implementation.call(kMean, {values});
  if (outcome.ending != grader::Ending::returned) throw grader::CallFault{"mean", outcome};
  return std::get<double>(outcome.value);
}

double mean(const RowVector& values) {
  long double sum = 0;
  for (const double value : values.entries) sum += value;
  return static_cast<double>(sum / static_cast<long double>(values.size()));
}

/// What rounding can do to a sum of these values, twice over.
double tolerance(const RowVector& values) {
  double magnitude = 0;
  for (const double value : values.entries) magnitude += std::fabs(value);
  return 2 * (static_cast<double>(values.size()) + 2) * 0x1.0p-53 * magnitude;
}

Judgement compare(const RowVector& values, double returned, double expected,
                  const char* complaint) {
  Judgement judgement;
  judgement.returned = {{"mean", returned}};
  judgement.expected = {{"mean", expected}};
  if (std::fabs(returned - expected) <= tolerance(values)) return judgement;
  judgement.verdict = Judgement::Verdict::violated;
  judgement.message = complaint;
  judgement.first_difference = {"mean", 0, 0};
  return judgement;
}

Case row_case(RowVector values, std::string label, std::string name = "") {
  return {{{"values", std::move(values), {"n"}}}, std::move(label), std::move(name)};
}

Case draw_row(Random& random, const Schedule& schedule) {
  RowVector values;
  const std::int64_t size = 1 + schedule.index % 9;
  const bool integers = schedule.index % 2 == 0;
  for (std::int64_t index = 0; index < size; ++index) {
    values.entries.push_back(integers ? static_cast<double>(random.integer(-20, 20))
                                      : random.normal());
  }
  return row_case(std::move(values), integers ? "integers" : "normal");
}

bool is_finite_row(const Case& test_case) {
  const RowVector& values = test_case.row("values");
  return values.size() > 0 &&
         std::ranges::all_of(values.entries, [](double value) { return std::isfinite(value); });
}

Check value_check() {
  Check check;
  check.id = "mean.value";
  check.generator = "rows";
  check.generate = draw_row;
  check.fixed_cases = {row_case({{1, 2, 6}}, "", "one, two, six")};
  check.quotas = {{"integers", 0.4}, {"normal", 0.4}};
  check.admits = is_finite_row;
  check.judge = [](const Case& test_case, Implementation& implementation) {
    const RowVector& values = test_case.row("values");
    return compare(values, call_mean(implementation, values), mean(values),
                   "The mean is the sum of all values divided by how many there are.");
  };
  return check;
}

Check order_check() {
  Check check;
  check.id = "mean.order";
  check.generator = "rows";
  check.generate = draw_row;
  check.judge = [](const Case& test_case, Implementation& implementation) {
    const RowVector& values = test_case.row("values");
    RowVector reversed = values;
    std::ranges::reverse(reversed.entries);
    const double forwards = call_mean(implementation, values);
    Judgement judgement = compare(values, call_mean(implementation, reversed), forwards,
                                  "The mean changes when the values are reversed.");
    judgement.witnessed = forwards != 0 || values.size() == 1;
    return judgement;
  };
  return check;
}

/// An implementation made of one function.
class Model final : public Implementation {
 public:
  explicit Model(double (*function)(const RowVector&)) : function_(function) {}
  Outcome call(grader::FunctionId /*function*/, const grader::Arguments& arguments) override {
    return {grader::Ending::returned, function_(std::get<RowVector>(arguments[0])), {}, 0};
  }

 private:
  double (*function_)(const RowVector&);
};

std::function<std::unique_ptr<Implementation>()> model_of(double (*function)(const RowVector&)) {
  return [function] { return std::make_unique<Model>(function); };
}

double incremental_mean(const RowVector& values) {
  double result = 0;
  double count = 0;
  for (const double value : values.entries) result += (value - result) / ++count;
  return result;
}

double without_last(const RowVector& values) {
  const double sum = std::accumulate(values.entries.begin(), values.entries.end() - 1, 0.0);
  return sum / static_cast<double>(values.size());
}

double nothing(const RowVector& /*values*/) { return 0; }

std::vector<grader::Model> models() {
  using Role = grader::Model::Role;
  return {
      {"incremental",
       Role::correct_style,
       "",
       "updates the mean value by value",
       {},
       0,
       model_of(incremental_mean)},
      {"T01",
       Role::misconception,
       "sum",
       "forgets the last value",
       {"value", "symmetry"},
       0,
       model_of(without_last)},
      {"zero", Role::null_implementation, "", "returns zero", {}, 0, model_of(nothing)},
  };
}

/// Three rows tell whether the mean is right, or leaves out the last value.
grader::Evidence observe(Implementation& implementation) {
  grader::ObservedStage stage;
  stage.name = "mean";
  const std::vector<RowVector> rows = {{{1, 2, 6}}, {{-1, 4}}, {{5}}};
  std::vector<double> own;
  for (const RowVector& row : rows) own.push_back(call_mean(implementation, row));
  stage.cases = rows.size();
  stage.reproduces = [rows, own](const grader::Combination& mistakes, std::size_t index) {
    const RowVector& row = rows[index];
    const double predicted = mistakes.empty() ? mean(row) : without_last(row);
    return std::fabs(own[index] - predicted) <= tolerance(row);
  };
  return {{{"T01", 1, 1, ""}}, {stage}};
}

}  // namespace

extern "C" __attribute__((visibility("default"))) std::uint32_t attention_grader_judge_version() {
  return grader::kJudgeVersion;
}

extern "C" __attribute__((visibility("default"))) const grader::Judge* attention_grader_judge() {
  static const grader::Judge judge = {
      .contract = {{"mean",
                    {{"values", {grader::Kind::row_vector, {}}}},
                    {grader::Kind::number, {}}}},
      .checks = {value_check(), order_check()},
      .end_to_end = {},
      .state_check = "",
      .make_reference = model_of(mean),
      .models = models(),
      .observe = observe,
  };
  return &judge;
}
