#include "testcases/diagnosis/function_stages.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "testcases/checks/judging.hpp"
#include "testcases/checks/tolerance.hpp"
#include "testcases/contract.hpp"
#include "testcases/diagnosis/diagnostic_inputs.hpp"
#include "testcases/diagnosis/modelled_mistakes.hpp"

namespace attention_assignment {
namespace {

using grader::Combination;
using grader::Matrix;
using grader::ObservedStage;
using grader::RowVector;
using misconceptions::AttentionModel;

/// Single precision is 2^29 times coarser than double precision.
constexpr double kSingleOverDouble = 0x1p29;
constexpr double kSingleEntropyTolerance = 1e-5;

template <class Question, class Answer>
struct Answered {
  Question question;
  std::optional<Answer> own;
};

/// One case of an assertion check.
struct AssertionData {
  grader::Case data;
  /// False for data beside the check's own, which tells mistakes from each other and accuses
  /// nobody.
  bool is_judged = true;
};

template <class Question>
bool is_judged(const Question& /*question*/) {
  return true;
}
bool is_judged(const AssertionData& data) { return data.is_judged; }

/// A stage of answers that are compared by same(model, answered, is_single_precision).
template <class Question, class Answer, class Same>
ObservedStage stage_of(std::string name, std::vector<Answered<Question, Answer>> all, Same same) {
  ObservedStage stage;
  stage.name = std::move(name);
  // What did not return is told by the checks.
  std::erase_if(all, [](const auto& answered) { return !answered.own; });
  stage.cases = all.size();
  const auto shared =
      std::make_shared<const std::vector<Answered<Question, Answer>>>(std::move(all));
  stage.reproduces = [shared, same](const Combination& mistakes, std::size_t index) {
    if (mistakes.empty() && !is_judged((*shared)[index].question)) return true;
    return same(model_of(mistakes), (*shared)[index], false);
  };
  stage.reproduces_in_single_precision = [shared, same](const Combination& mistakes) {
    const AttentionModel model = model_of(mistakes);
    return std::ranges::all_of(*shared,
                               [&](const auto& answered) { return same(model, answered, true); });
  };
  return stage;
}

double largest_finite(const RowVector& row) {
  double largest = 0;
  for (const double entry : row.entries) {
    if (std::isfinite(entry)) largest = std::max(largest, std::abs(entry));
  }
  return largest;
}

bool all_finite(const RowVector& row) {
  return std::ranges::all_of(row.entries, [](double entry) { return std::isfinite(entry); });
}

bool same_row(const RowVector& own, const RowVector& predicted, double error) {
  if (own.size() != predicted.size()) return false;
  const double tolerance = weight_tolerance(error, std::max(largest_finite(predicted), kTiny));
  for (std::size_t j = 0; j < own.entries.size(); ++j) {
    if (!same_answer(own.entries[j], predicted.entries[j], tolerance)) return false;
  }
  return true;
}

bool same_softmax(const AttentionModel& model, const Answered<RowVector, RowVector>& answered,
                  bool is_single) {
  const RowVector& logits = answered.question;
  double error = softmax_relative_error(logits.size(), largest_finite(logits));
  if (is_single) error *= kSingleOverDouble;
  if (is_single && error > kLargestRelativeError) return true;
  const RowVector predicted = misconceptions::softmax_of(model, logits);
  if (all_finite(predicted)) return same_row(*answered.own, predicted, error);
  // It overflows or underflows here: what is left depends on the exp(), that it is wrong does not.
  return !same_row(*answered.own, misconceptions::stable_softmax(logits), error);
}

bool same_entropy(const AttentionModel& model, const Answered<RowVector, double>& answered,
                  bool is_single) {
  return same_answer(*answered.own, model.entropy(answered.question),
                     is_single ? kSingleEntropyTolerance : kEntropyTolerance);
}

using Asserted = Answered<AssertionData, bool>;

AttentionResult result_of(const grader::Record& record) {
  const auto matrix = [&](std::string_view name) {
    return std::get<Matrix>(*grader::member(record, name));
  };
  return {matrix("logits"), matrix("weights"), matrix("output")};
}

bool asserted_by(const AttentionModel& model, grader::FunctionId function,
                 const grader::Case& data) {
  const auto matrix = [&](std::size_t index) -> const Matrix& {
    return std::get<Matrix>(data.inputs.at(index).value);
  };
  switch (function) {
    case kOutputShapesMatch:
      return model.output_shapes_match(result_of(std::get<grader::Record>(data.inputs.at(0).value)),
                                       matrix(1), matrix(2), matrix(3));
    case kRowsSumToOne: return model.rows_sum_to_one(matrix(0));
    case kFutureWeightsAreZero: return model.future_weights_are_zero(matrix(0));
    case kPastOutputsUnchanged:
      return model.past_outputs_unchanged(matrix(0), matrix(1),
                                          std::get<std::int64_t>(data.inputs.at(2).value));
    default: return model.scaling_raises_entropy(model, matrix(0), matrix(1));
  }
}

/// Weights of the past alone: tells whoever refuses the diagonal from whoever refuses everything.
grader::Case past_weights() {
  Matrix weights(3, 3);
  weights(1, 0) = 1;
  weights(2, 0) = weights(2, 1) = 0.5;
  return {{{"weights", weights, {}, false}}, "", ""};
}

/// Outputs of which only a row after the changed token differs: tells whoever compares the changed
/// row from whoever compares all.
grader::Case changed_after_the_token() {
  Matrix before(4, 2, 0.5);
  Matrix after = before;
  after(3, 0) = 2;
  return {{{"before", before, {}, false},
           {"after", after, {}, false},
           {"changed_token", std::int64_t{2}, {}, false}},
          "",
          ""};
}

/// The submission's own entropies of the rows that its assertion was shown.
using OwnEntropies = std::vector<std::pair<RowVector, double>>;

std::function<double(const RowVector&)> entropy_from(std::shared_ptr<const OwnEntropies> known) {
  return [known = std::move(known)](const RowVector& row) {
    for (const auto& [weights, entropy] : *known) {
      if (weights.entries == row.entries) return entropy;
    }
    return misconceptions::entropy_in_nats(row);
  };
}

OwnEntropies own_entropies(OwnAnswers& own, const std::vector<Asserted>& all) {
  OwnEntropies known;
  for (const Asserted& asserted : all) {
    for (const std::size_t input : {0U, 1U}) {
      const auto& weights = std::get<Matrix>(asserted.question.data.inputs.at(input).value);
      for (std::int64_t i = 0; i < weights.rows; ++i) {
        const RowVector row = misconceptions::row_of(weights, i);
        if (const auto entropy = own.entropy(row)) known.emplace_back(row, *entropy);
      }
    }
  }
  return known;
}

bool has_finite_entropies(const grader::Case& data,
                          const std::function<double(const RowVector&)>& entropy) {
  for (const std::size_t input : {0U, 1U}) {
    const auto& weights = std::get<Matrix>(data.inputs.at(input).value);
    for (std::int64_t i = 0; i < weights.rows; ++i) {
      if (!std::isfinite(entropy(misconceptions::row_of(weights, i)))) return false;
    }
  }
  return true;
}

}  // namespace

ObservedStage ledger_stage(OwnAnswers& own, std::size_t entry) {
  using Sizes = std::array<std::int64_t, 3>;
  std::vector<Answered<Sizes, MatrixShape>> all;
  for (const Sizes& sizes : diagnostic_sizes()) {
    const auto ledger = own.shape_ledger(sizes[0], sizes[1], sizes[2]);
    all.push_back({sizes, ledger ? std::optional((*ledger)[entry]) : std::nullopt});
  }
  ObservedStage stage = stage_of(
      "shape of the " + std::string(kLedgerNames[entry]) + " in the ledger", std::move(all),
      [entry](const AttentionModel& model, const Answered<Sizes, MatrixShape>& answered, bool) {
        const auto [n, d_k, d_v] = answered.question;
        return model.shape_ledger(n, d_k, d_v)[entry] == *answered.own;
      });
  return stage;
}

ObservedStage softmax_stage(OwnAnswers& own, std::size_t single_precision) {
  std::vector<Answered<RowVector, RowVector>> all;
  for (const RowVector& logits : diagnostic_logits()) all.push_back({logits, own.softmax(logits)});
  ObservedStage stage = stage_of("softmax()", std::move(all), same_softmax);
  stage.single_precision = single_precision;
  return stage;
}

ObservedStage entropy_stage(OwnAnswers& own, std::size_t single_precision) {
  std::vector<Answered<RowVector, double>> all;
  for (const RowVector& weights : diagnostic_weights()) {
    all.push_back({weights, own.entropy(weights)});
  }
  ObservedStage stage = stage_of("entropy()", std::move(all), same_entropy);
  stage.single_precision = single_precision;
  return stage;
}

ObservedStage assertion_stage(OwnAnswers& own, const grader::Check& check) {
  const auto signature = std::ranges::find(contract(), check.assertion, &grader::Function::name);
  const auto function = static_cast<grader::FunctionId>(signature - contract().begin());
  std::vector<Asserted> all;
  for (const grader::Case& data : check.fixed_cases) all.push_back({{data, true}, {}});
  if (function == kFutureWeightsAreZero) all.push_back({{past_weights(), false}, {}});
  if (function == kPastOutputsUnchanged) all.push_back({{changed_after_the_token(), false}, {}});
  for (Asserted& asserted : all) {
    grader::Arguments arguments;
    for (std::size_t i = 0; i < signature->parameters.size(); ++i) {
      arguments.push_back(asserted.question.data.inputs.at(i).value);
    }
    asserted.own = own.assertion(function, arguments);
  }
  std::function<double(const RowVector&)> entropy = misconceptions::entropy_in_nats;
  const bool is_right = std::ranges::all_of(all, [&](const Asserted& asserted) {
    return !asserted.own ||
           asserted_by(AttentionModel{}, function, asserted.question.data) == *asserted.own;
  });
  if (function == kScalingRaisesEntropy && !is_right) {
    entropy = entropy_from(std::make_shared<const OwnEntropies>(own_entropies(own, all)));
    // What a comparison makes of an entropy that is NaN is no mistake of its own.
    std::erase_if(all, [&](const Asserted& asserted) {
      return !has_finite_entropies(asserted.question.data, entropy);
    });
  }
  ObservedStage stage =
      stage_of(check.assertion + "()", std::move(all),
               [function, entropy](AttentionModel model, const Asserted& asserted, bool) {
                 const grader::Case& data = asserted.question.data;
                 if (asserted_by(model, function, data) == *asserted.own) return true;
                 model.entropy = entropy;
                 return asserted_by(model, function, data) == *asserted.own;
               });
  stage.reproduces_in_single_precision = {};
  return stage;
}

}  // namespace attention_assignment
