#include "testcases/misconceptions/parts.hpp"

namespace attention_assignment::misconceptions {
namespace {

const AttentionModel& correct() {
  static const AttentionModel model;
  return model;
}

/// Calls visit(part, member of left, member of right) for every member but `softmax`, which takes
/// three parts at once.
template <class Left, class Right, class Visit>
void for_each_part(Left& left, Right& right, Visit visit) {
  visit(kOptionsPart, left.options, right.options);
  visit(kInputsPart, left.inputs, right.inputs);
  visit(kProductPart, left.product, right.product);
  visit(kScalePart, left.scale, right.scale);
  visit(kMaskPart, left.mask, right.mask);
  visit(kSoftmaxInputPart, left.softmax_input, right.softmax_input);
  visit(kShiftPart, left.shift, right.shift);
  visit(kPowerPart, left.power, right.power);
  visit(kNormalisePart, left.normalise, right.normalise);
  visit(kWeightsPart, left.weights, right.weights);
  visit(kOutputPart, left.output, right.output);
  visit(kReportedLogitsPart, left.reported_logits, right.reported_logits);
  visit(kReportedWeightsPart, left.reported_weights, right.reported_weights);
  visit(kCompositionPart, left.attention, right.attention);
  visit(kAttentionRowPart, left.attention_row, right.attention_row);
  visit(kSelfAttentionPart, left.self_attention, right.self_attention);
  visit(kShapeLedgerPart, left.shape_ledger, right.shape_ledger);
  visit(kEntropyPart, left.entropy, right.entropy);
  visit(kOutputShapesPart, left.output_shapes_match, right.output_shapes_match);
  visit(kRowSumsPart, left.rows_sum_to_one, right.rows_sum_to_one);
  visit(kFutureWeightsPart, left.future_weights_are_zero, right.future_weights_are_zero);
  visit(kPastOutputsPart, left.past_outputs_unchanged, right.past_outputs_unchanged);
  visit(kRaisesEntropyPart, left.scaling_raises_entropy, right.scaling_raises_entropy);
}

/// True when both hold the same plain function. The correct members all do.
template <class Result, class... Arguments>
bool are_same(const std::function<Result(Arguments...)>& left,
              const std::function<Result(Arguments...)>& right) {
  using Plain = Result (*)(Arguments...);
  const auto* one = left.template target<Plain>();
  const auto* other = right.template target<Plain>();
  return one != nullptr && other != nullptr && *one == *other;
}

}  // namespace

std::uint64_t replaced_parts(const AttentionModel& model) {
  std::uint64_t parts = model.softmax ? kSoftmaxParts : 0;
  for_each_part(model, correct(), [&](Part part, const auto& own, const auto& right) {
    if (!are_same(own, right)) parts |= part;
  });
  return parts;
}

AttentionModel combined(const std::vector<Replacement>& replacements) {
  AttentionModel all;
  for (const auto& [model, parts] : replacements) {
    if (model->softmax) all.softmax = model->softmax;
    for_each_part(all, *model, [parts = parts](Part part, auto& member, const auto& own) {
      if ((parts & part) != 0) member = own;
    });
  }
  return all;
}

}  // namespace attention_assignment::misconceptions
