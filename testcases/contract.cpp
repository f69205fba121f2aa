#include "testcases/contract.hpp"

#include <utility>

namespace attention_assignment {
namespace {

using grader::Kind;
using grader::Type;

Type simple(Kind kind) { return Type{kind, {}}; }
Type record(std::vector<Type::Member> members) { return Type{Kind::record, std::move(members)}; }

}  // namespace

const grader::Contract& contract() {
  static const grader::Contract functions = [] {
    const Type boolean = simple(Kind::boolean);
    const Type integer = simple(Kind::integer);
    const Type number = simple(Kind::number);
    const Type row = simple(Kind::row_vector);
    const Type matrix = simple(Kind::matrix);
    const Type options = record({{"causal", boolean}, {"scaled", boolean}});
    const Type shape = record({{"rows", integer}, {"cols", integer}});
    const Type ledger = record({{"queries", shape},
                                {"keys", shape},
                                {"values", shape},
                                {"logits", shape},
                                {"weights", shape},
                                {"output", shape}});
    const Type attention_row = record({{"logits", row}, {"weights", row}, {"output", row}});
    const Type attention = record({{"logits", matrix}, {"weights", matrix}, {"output", matrix}});
    const Type projections = record({{"W_q", matrix}, {"W_k", matrix}, {"W_v", matrix}});
    return grader::Contract{
        {"shape_ledger", {{"n", integer}, {"d_k", integer}, {"d_v", integer}}, ledger},
        {"softmax", {{"logits", row}}, row},
        {"attention_row",
         {{"i", integer}, {"Q", matrix}, {"K", matrix}, {"V", matrix}, {"options", options}},
         attention_row},
        {"attention",
         {{"Q", matrix}, {"K", matrix}, {"V", matrix}, {"options", options}},
         attention},
        {"self_attention",
         {{"X", matrix}, {"projections", projections}, {"options", options}},
         attention},
        {"entropy", {{"weights", row}}, number},
        {"output_shapes_match",
         {{"result", attention}, {"Q", matrix}, {"K", matrix}, {"V", matrix}},
         boolean},
        {"rows_sum_to_one", {{"weights", matrix}}, boolean},
        {"future_weights_are_zero", {{"weights", matrix}}, boolean},
        {"past_outputs_unchanged",
         {{"before", matrix}, {"after", matrix}, {"changed_token", integer}},
         boolean},
        {"scaling_raises_entropy",
         {{"scaled_weights", matrix}, {"unscaled_weights", matrix}},
         boolean},
    };
  }();
  return functions;
}

}  // namespace attention_assignment
