// Implementations that do no work. What they may still score is small, because every check needs a
// witness: results that could have been wrong.
#include <cmath>
#include <limits>
#include <utility>

#include "testcases/contract.hpp"
#include "testcases/misconceptions/models.hpp"

namespace attention_assignment::misconceptions {
namespace {

using grader::Arguments;
using grader::Ending;
using grader::FunctionId;
using grader::Implementation;
using grader::Model;
using grader::Outcome;

/// Answers every call with `answer(function)`.
class FixedAnswer final : public Implementation {
 public:
  explicit FixedAnswer(std::function<Outcome(FunctionId)> answer) : answer_(std::move(answer)) {}
  Outcome call(FunctionId function, const Arguments& /*arguments*/) override {
    ++calls_;
    return answer_(function);
  }
  [[nodiscard]] std::uint64_t calls_made() const override { return calls_; }

 private:
  std::function<Outcome(FunctionId)> answer_;
  std::uint64_t calls_ = 0;
};

Outcome ended(Ending ending, std::string message) {
  Outcome outcome;
  outcome.ending = ending;
  outcome.message = std::move(message);
  return outcome;
}

Outcome not_implemented(FunctionId function) {
  return ended(Ending::threw, contract()[function].name + ": not implemented yet");
}

bool is_assertion(FunctionId function) { return function >= kOutputShapesMatch; }

/// The empty value of a type: no rows, zero numbers, false.
grader::Value empty_value(const grader::Type& type) {
  switch (type.kind) {
    case grader::Kind::boolean: return false;
    case grader::Kind::integer: return std::int64_t{0};
    case grader::Kind::number: return 0.0;
    case grader::Kind::row_vector: return RowVector{};
    case grader::Kind::matrix: return Matrix();
    case grader::Kind::record: break;
  }
  grader::Record record;
  for (const auto& member : type.fields) {
    record.fields.push_back({member.name, empty_value(member.type)});
  }
  return record;
}

Outcome empty(FunctionId function) {
  Outcome outcome;
  outcome.value = empty_value(contract()[function].result);
  return outcome;
}

Outcome hang(FunctionId /*function*/) { return ended(Ending::timed_out, ""); }

/// The five assertions answer `answer`, everything else is not implemented.
std::function<Outcome(FunctionId)> constant(bool answer) {
  return [answer](FunctionId function) {
    if (!is_assertion(function)) return not_implemented(function);
    Outcome outcome;
    outcome.value = answer;
    return outcome;
  };
}

/// Right shapes, with every number equal to `number`; the assertions and the ledger say nothing.
AttentionModel filled_with(double number) {
  AttentionModel model;
  model.softmax = [number](RowVector row) {
    for (double& entry : row.entries) entry = number;
    return row;
  };
  model.attention = [number](const AttentionModel&, const Problem& problem) {
    return AttentionResult{Matrix(problem.n(), problem.n(), number),
                           Matrix(problem.n(), problem.n(), number),
                           Matrix(problem.n(), problem.d_v(), number)};
  };
  model.entropy = [number](const RowVector&) { return number; };
  model.shape_ledger = [](std::int64_t, std::int64_t, std::int64_t) { return ShapeLedger{}; };
  model.output_shapes_match = [](const AttentionResult&, const Matrix&, const Matrix&,
                                 const Matrix&) { return false; };
  model.rows_sum_to_one = [](const Matrix&) { return false; };
  model.future_weights_are_zero = [](const Matrix&) { return false; };
  model.past_outputs_unchanged = [](const Matrix&, const Matrix&, std::int64_t) { return false; };
  model.scaling_raises_entropy = [](const AttentionModel&, const Matrix&, const Matrix&) {
    return false;
  };
  return model;
}

/// filled_with(0), but the weights are those of `weight(i, j, n)` and V is mixed with them.
template <typename Weight>
AttentionModel fixed_weights(Weight weight) {
  AttentionModel model = filled_with(0);
  model.attention = [weight](const AttentionModel&, const Problem& problem) {
    AttentionResult result;
    result.logits = Matrix(problem.n(), problem.n());
    result.weights = with_entries(
        Matrix(problem.n(), problem.n()),
        [&](std::int64_t i, std::int64_t j, double) { return weight(i, j, problem.n()); });
    result.output = weighted_sum(problem, result.weights);
    return result;
  };
  return model;
}

AttentionModel uniform() {
  AttentionModel model = fixed_weights(
      [](std::int64_t, std::int64_t, std::int64_t n) { return 1.0 / static_cast<double>(n); });
  model.softmax = [](RowVector row) {
    for (double& entry : row.entries) entry = 1.0 / static_cast<double>(row.entries.size());
    return row;
  };
  model.entropy = [](const RowVector& row) { return std::log(static_cast<double>(row.size())); };
  return model;
}

AttentionModel identity() {
  AttentionModel model = fixed_weights(
      [](std::int64_t i, std::int64_t j, std::int64_t) { return i == j ? 1.0 : 0.0; });
  model.softmax = [](RowVector row) { return row; };
  return model;
}

AttentionModel echo_values() {
  AttentionModel model = filled_with(0);
  model.attention = [](const AttentionModel&, const Problem& problem) {
    return AttentionResult{Matrix(problem.n(), problem.n()), Matrix(problem.n(), problem.n()),
                           problem.V};
  };
  model.softmax = [](RowVector row) { return row; };
  return model;
}

Model null_model(std::string id, std::string title, double ceiling,
                 std::function<std::unique_ptr<Implementation>()> make) {
  return Model{
      std::move(id),  Model::Role::null_implementation, "null", std::move(title), {}, ceiling,
      std::move(make)};
}

Model null_answer(std::string id, std::string title, std::function<Outcome(FunctionId)> answer) {
  return null_model(std::move(id), std::move(title), 0,
                    [answer = std::move(answer)] { return std::make_unique<FixedAnswer>(answer); });
}

Model null_of(std::string id, std::string title, double ceiling, AttentionModel model) {
  return null_model(std::move(id), std::move(title), ceiling,
                    [model = std::move(model)] { return implement(model); });
}

}  // namespace

/// Ceilings are what is honestly true of such work: right shapes (7 points); for fixed weights also
/// that rows sum to one, that the output is their weighted sum, that attention_row and
/// self_attention agree with attention, and that a call can be repeated; and for the identity that
/// nothing of the future is seen.
std::vector<grader::Model> null_implementations() {
  return {
      null_answer("throw", "every function throws", not_implemented),
      null_answer("empty", "every function returns nothing", empty),
      null_answer("hang", "no function returns", hang),
      null_answer("constant_true", "assertions always true, the rest throws", constant(true)),
      null_answer("constant_false", "assertions always false, the rest throws", constant(false)),
      null_of("zeros", "right shapes, all zero", 7, filled_with(0)),
      null_of("nan", "right shapes, all NaN", 7,
              filled_with(std::numeric_limits<double>::quiet_NaN())),
      null_of("uniform", "weights 1/n, output their mean", 30, uniform()),
      null_of("identity", "weights are the identity, output is V", 40, identity()),
      null_of("echo", "output is V, logits and weights zero", 12, echo_values()),
  };
}

}  // namespace attention_assignment::misconceptions
