// The contract's typed values on one side, a model's functions on the other.
#include <exception>
#include <string>
#include <utility>

#include "grader/base/fault.hpp"
#include "testcases/contract.hpp"
#include "testcases/misconceptions/model.hpp"

namespace attention_assignment::misconceptions {
namespace {

using grader::Arguments;
using grader::Field;
using grader::Outcome;
using grader::Record;
using grader::Value;

const Matrix& matrix_of(const Value& value) { return std::get<Matrix>(value); }
std::int64_t integer_of(const Value& value) { return std::get<std::int64_t>(value); }

template <typename Member>
const Member& member_of(const Value& record, std::string_view name) {
  const Value* found = grader::member(std::get<Record>(record), name);
  if (found == nullptr) throw grader::InternalFault("model: no member " + std::string(name));
  return std::get<Member>(*found);
}

Options options_of(const Value& value) {
  return {member_of<bool>(value, "causal"), member_of<bool>(value, "scaled")};
}

template <typename Result>
Value record_of(Result result) {
  return Record{{Field{"logits", std::move(result.logits)},
                 Field{"weights", std::move(result.weights)},
                 Field{"output", std::move(result.output)}}};
}

Value record_of_ledger(const ShapeLedger& ledger) {
  Record record;
  for (std::size_t i = 0; i < ledger.size(); ++i) {
    record.fields.push_back(
        Field{std::string(kLedgerNames[i]),
              Record{{Field{"rows", ledger[i].rows}, Field{"cols", ledger[i].cols}}}});
  }
  return record;
}

class ModelImplementation final : public grader::Implementation {
 public:
  explicit ModelImplementation(AttentionModel model)
      : pristine_(std::move(model)), model_(pristine_) {}

  Outcome call(grader::FunctionId function, const Arguments& arguments) override {
    ++calls_;
    Outcome outcome;
    try {
      outcome.value = answer(function, arguments);
    } catch (const grader::InternalFault&) {
      throw;
    } catch (const std::exception& error) {
      outcome.ending = grader::Ending::threw;
      outcome.message = error.what();
    }
    return outcome;
  }

  void start_fresh() override { model_ = pristine_; }

  [[nodiscard]] std::uint64_t calls_made() const override { return calls_; }

 private:
  [[nodiscard]] Value answer(grader::FunctionId function, const Arguments& arguments) const {
    switch (function) {
      case kShapeLedger:
        return record_of_ledger(model_.shape_ledger(
            integer_of(arguments.at(0)), integer_of(arguments.at(1)), integer_of(arguments.at(2))));
      case kSoftmax: return softmax_of(model_, std::get<RowVector>(arguments.at(0)));
      case kAttentionRow:
        return record_of(
            model_.attention_row(model_, integer_of(arguments.at(0)), problem_of(arguments, 1)));
      case kAttention: return record_of(model_.attention(model_, problem_of(arguments, 0)));
      case kSelfAttention:
        return record_of(model_.self_attention(
            model_, matrix_of(arguments.at(0)),
            {member_of<Matrix>(arguments.at(1), "W_q"), member_of<Matrix>(arguments.at(1), "W_k"),
             member_of<Matrix>(arguments.at(1), "W_v")},
            options_of(arguments.at(2))));
      case kEntropy: return model_.entropy(std::get<RowVector>(arguments.at(0)));
      default: return assertion(function, arguments);
    }
  }

  [[nodiscard]] Value assertion(grader::FunctionId function, const Arguments& arguments) const {
    switch (function) {
      case kOutputShapesMatch:
        return model_.output_shapes_match({member_of<Matrix>(arguments.at(0), "logits"),
                                           member_of<Matrix>(arguments.at(0), "weights"),
                                           member_of<Matrix>(arguments.at(0), "output")},
                                          matrix_of(arguments.at(1)), matrix_of(arguments.at(2)),
                                          matrix_of(arguments.at(3)));
      case kRowsSumToOne: return model_.rows_sum_to_one(matrix_of(arguments.at(0)));
      case kFutureWeightsAreZero: return model_.future_weights_are_zero(matrix_of(arguments.at(0)));
      case kPastOutputsUnchanged:
        return model_.past_outputs_unchanged(matrix_of(arguments.at(0)), matrix_of(arguments.at(1)),
                                             integer_of(arguments.at(2)));
      case kScalingRaisesEntropy:
        return model_.scaling_raises_entropy(model_, matrix_of(arguments.at(0)),
                                             matrix_of(arguments.at(1)));
      default: throw grader::InternalFault("model: unknown function of the contract");
    }
  }

  static Problem problem_of(const Arguments& arguments, std::size_t first) {
    return {matrix_of(arguments.at(first)), matrix_of(arguments.at(first + 1)),
            matrix_of(arguments.at(first + 2)), options_of(arguments.at(first + 3))};
  }

  const AttentionModel pristine_;  ///< never called, so that its stages remember nothing
  AttentionModel model_;
  std::uint64_t calls_ = 0;
};

}  // namespace

std::unique_ptr<grader::Implementation> implement(AttentionModel model) {
  return std::make_unique<ModelImplementation>(std::move(model));
}

}  // namespace attention_assignment::misconceptions
