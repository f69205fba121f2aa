#include "testcases/diagnosis/view_stages.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "testcases/checks/same_answers.hpp"
#include "testcases/diagnosis/diagnostic_inputs.hpp"
#include "testcases/diagnosis/modelled_mistakes.hpp"

namespace attention_assignment {
namespace {

using grader::Combination;
using grader::Matrix;
using grader::ObservedStage;
using grader::RowVector;
using misconceptions::AttentionModel;

/// Between answers of the same code whose sizes are not the right ones.
constexpr double kOwnRounding = 1e-12;

bool have_same_size(const Matrix& left, const Matrix& right) {
  return left.rows == right.rows && left.columns == right.columns;
}

bool are_equal(const Matrix& left, const Matrix& right) {
  for (std::size_t e = 0; e < left.entries.size(); ++e) {
    const double size = std::max(1.0, std::abs(left.entries[e]));
    if (!same_answer(left.entries[e], right.entries[e], size * kOwnRounding)) return false;
  }
  return true;
}

bool are_alike(const AttentionInputs& inputs, const AttentionResult& left,
               const AttentionResult& right) {
  if (!have_same_size(left.logits, right.logits) || !have_same_size(left.weights, right.weights) ||
      !have_same_size(left.output, right.output)) {
    return false;
  }
  if (has_right_shapes(left, inputs)) return !first_disagreement(inputs, left, right);
  // The bounds are for right shapes; these answers are of the same code for the same inputs.
  return are_equal(left.logits, right.logits) && are_equal(left.weights, right.weights) &&
         are_equal(left.output, right.output);
}

/// The submission's own attention(), each question asked once.
class OwnAttention {
 public:
  explicit OwnAttention(OwnAnswers& own) : own_(own) {}

  std::optional<AttentionResult> operator()(const AttentionInputs& inputs) {
    for (const auto& [asked, answer] : known_) {
      if (is_same(asked, inputs)) return answer;
    }
    known_.emplace_back(inputs, own_.attention(inputs));
    return known_.back().second;
  }

  /// A model that calls it.
  AttentionModel model() {
    AttentionModel model;
    model.attention = [this](const AttentionModel&, const AttentionInputs& inputs) {
      auto answer = (*this)(inputs);
      if (!answer) throw std::runtime_error("attention() did not return");
      return *std::move(answer);
    };
    return model;
  }

 private:
  static bool is_same(const AttentionInputs& left, const AttentionInputs& right) {
    return left.options.causal == right.options.causal &&
           left.options.scaled == right.options.scaled && identical(left.Q, right.Q) &&
           identical(left.K, right.K) && identical(left.V, right.V);
  }
  static bool identical(const Matrix& left, const Matrix& right) {
    return grader::identical(grader::Value(left), grader::Value(right));
  }

  OwnAnswers& own_;
  std::vector<std::pair<AttentionInputs, std::optional<AttentionResult>>> known_;
};

/// Of every model that replaces this view, and of the correct one (key: no mistake), whether it
/// does what the submission does on each case.
using Alike = std::map<Combination, std::vector<bool>>;

template <class DoesTheSame>
Alike compare_models(std::size_t stage, std::size_t cases, DoesTheSame does_the_same) {
  Alike alike;
  const auto enter = [&](const Combination& mistakes) {
    const AttentionModel model = model_of(mistakes);
    std::vector<bool>& all = alike[mistakes];
    for (std::size_t index = 0; index < cases; ++index) {
      try {
        all.push_back(does_the_same(model, index));
      } catch (const std::exception&) {
        all.push_back(false);
      }
    }
  };
  enter({});
  if (std::ranges::all_of(alike.at({}), [](bool same) { return same; })) return alike;
  for (std::size_t m = 0; m < modelled_mistakes().size(); ++m) {
    const ModelledMistake& mistake = modelled_mistakes()[m];
    if (mistake.use == Use::as_it_is && (mistake.known.stages >> stage & 1U) != 0) enter({m});
  }
  return alike;
}

/// A stage that is right when it agrees with the own attention(), or by itself. Mistakes of
/// attention() made in this function alone are looked for in `by_itself`.
ObservedStage view_stage(std::string name, Alike alike, std::vector<ObservedAttention> answers) {
  ObservedStage stage;
  stage.name = std::move(name);
  stage.cases = answers.size();
  const auto by_itself = std::make_shared<const AttentionStages>(std::move(answers));
  const auto is_by_itself = [by_itself](const Combination& mistakes, std::size_t index) {
    const AttentionModel model = model_of(mistakes);
    const Rounding rounding = mistakes.empty() ? Rounding::exact : Rounding::double_precision;
    return by_itself->same_logits(model, index, rounding) &&
           by_itself->same_weights(model, index, rounding) &&
           by_itself->same_output(model, index, rounding);
  };
  stage.reproduces = [alike = std::move(alike), is_by_itself, by_itself](
                         const Combination& mistakes, std::size_t index) {
    const auto known = alike.find(mistakes);
    if (known != alike.end() && known->second[index]) return true;
    if (mistakes.size() == 1 && modelled_mistakes()[mistakes.front()].use == Use::as_it_is) {
      return false;
    }
    if (!by_itself->call(index).own) return false;
    try {
      return is_by_itself(mistakes, index);
    } catch (const std::exception&) {
      return false;
    }
  };
  return stage;
}

struct RowsAnswer {
  AttentionInputs inputs;
  std::vector<AttentionRowResult> rows;
};

/// Rows of right sizes as one result.
std::optional<AttentionResult> stacked(const RowsAnswer& answer) {
  const std::int64_t n = answer.inputs.n();
  AttentionResult result{Matrix(n, n), Matrix(n, n), Matrix(n, answer.inputs.d_v())};
  for (std::int64_t i = 0; i < n; ++i) {
    const AttentionRowResult& row = answer.rows[static_cast<std::size_t>(i)];
    if (row.logits.size() != n || row.weights.size() != n ||
        row.output.size() != answer.inputs.d_v()) {
      return std::nullopt;
    }
    misconceptions::set_row(result.logits, i, row.logits);
    misconceptions::set_row(result.weights, i, row.weights);
    misconceptions::set_row(result.output, i, row.output);
  }
  return result;
}

RowsAnswer rows_of(const AttentionModel& model, const AttentionInputs& inputs) {
  RowsAnswer answer{inputs, {}};
  for (std::int64_t i = 0; i < inputs.n(); ++i) {
    answer.rows.push_back(model.attention_row(model, i, inputs));
  }
  return answer;
}

bool same_rows(const RowsAnswer& left, const RowsAnswer& right) {
  const auto one = stacked(left);
  const auto other = stacked(right);
  if (one.has_value() != other.has_value()) return false;
  if (one) return are_alike(left.inputs, *one, *other);
  // Rows of other sizes come from right ones that were cut.
  const auto same = [](const RowVector& mine, const RowVector& yours) {
    if (mine.size() != yours.size()) return false;
    for (std::size_t j = 0; j < mine.entries.size(); ++j) {
      if (!same_answer(mine.entries[j], yours.entries[j], kOwnRounding)) return false;
    }
    return true;
  };
  return std::ranges::equal(left.rows, right.rows, [&](const auto& mine, const auto& yours) {
    return same(mine.logits, yours.logits) && same(mine.weights, yours.weights) &&
           same(mine.output, yours.output);
  });
}

/// The submission's rows, or nothing when one of the calls did not return.
std::optional<RowsAnswer> asked_rows(OwnAnswers& own, const AttentionInputs& inputs) {
  RowsAnswer answer{inputs, {}};
  for (std::int64_t i = 0; i < inputs.n(); ++i) {
    auto row = own.attention_row(i, inputs);
    if (!row) return std::nullopt;
    answer.rows.push_back(*std::move(row));
  }
  return answer;
}

}  // namespace

ObservedStage rows_stage(OwnAnswers& own) {
  const std::vector<AttentionInputs> inputs = diagnostic_row_inputs();
  std::vector<RowsAnswer> answers;
  std::vector<ObservedAttention> by_itself;
  for (const AttentionInputs& each : inputs) {
    auto answer = asked_rows(own, each);
    if (!answer) continue;
    by_itself.push_back({each, stacked(*answer), {}});
    answers.push_back(*std::move(answer));
  }
  OwnAttention attention(own);
  const Alike alike = compare_models(
      kRowsStage, answers.size(), [&](const AttentionModel& model, std::size_t index) {
        AttentionModel calling = attention.model();
        calling.attention_row = model.attention_row;
        return same_rows(answers[index], rows_of(calling, answers[index].inputs));
      });
  return view_stage("attention_row()", alike, std::move(by_itself));
}

ObservedStage projections_stage(OwnAnswers& own) {
  std::vector<SelfAttentionInputs> inputs;
  std::vector<ObservedAttention> by_itself;
  for (const SelfAttentionInputs& each : diagnostic_self_attention_inputs()) {
    auto answer = own.self_attention(each.X, each.projections, each.options);
    if (!answer) continue;
    inputs.push_back(each);
    by_itself.push_back({{misconceptions::multiply(each.X, each.projections.W_q),
                          misconceptions::multiply(each.X, each.projections.W_k),
                          misconceptions::multiply(each.X, each.projections.W_v), each.options},
                         std::move(answer),
                         {}});
  }
  OwnAttention attention(own);
  const Alike alike = compare_models(
      kProjectionsStage, inputs.size(), [&](const AttentionModel& model, std::size_t index) {
        const auto& [X, projections, options] = inputs[index];
        const AttentionResult predicted =
            model.self_attention(attention.model(), X, projections, options);
        return are_alike(by_itself[index].inputs, *by_itself[index].own, predicted);
      });
  return view_stage("self_attention()", alike, std::move(by_itself));
}

ObservedStage state_stage(OwnAnswers& own) {
  const std::vector<AttentionInputs> sequence = diagnostic_sequence();
  std::vector<std::optional<AttentionResult>> alone;
  for (const AttentionInputs& inputs : sequence) alone.push_back(own.attention(inputs));
  const auto in_sequence = own.sequence(sequence);
  ObservedStage stage;
  stage.name = "answers to repeated calls";
  stage.cases = sequence.size();
  stage.reproduces = [sequence, alone, in_sequence](const Combination& mistakes,
                                                    std::size_t index) {
    if (!in_sequence[index] || !alone[index]) {
      return in_sequence[index].has_value() == alone[index].has_value();
    }
    if (mistakes.empty()) return are_alike(sequence[index], *in_sequence[index], *alone[index]);
    const AttentionModel model = model_of(mistakes);  // a copy, which remembers nothing
    AttentionResult answer;
    for (std::size_t i = 0; i <= index; ++i) answer = model.attention(model, sequence[i]);
    return are_alike(sequence[index], *in_sequence[index], answer);
  };
  bool is_right = true;
  for (std::size_t index = 0; index < stage.cases; ++index) {
    is_right = is_right && stage.reproduces({}, index);
  }
  if (is_right) own.trust_state();
  return stage;
}

}  // namespace attention_assignment
