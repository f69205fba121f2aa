// Options that are not honoured.
#include <utility>

#include "testcases/misconceptions/misconceptions.hpp"

namespace attention_assignment::misconceptions {
namespace {

Problem with_options(const Problem& problem, Options options) {
  return {problem.Q, problem.K, problem.V, options};
}

Matrix always_mask(const Problem& problem, Matrix scores) {
  return mask_future(with_options(problem, {true, problem.options.scaled}), std::move(scores));
}

Matrix never_mask(const Problem& /*problem*/, Matrix scores) { return scores; }

Matrix always_scale(const Problem& problem, Matrix products) {
  return divide_by_root_of_features(with_options(problem, {problem.options.causal, true}),
                                    std::move(products));
}

AttentionResult options_swapped(const AttentionModel& model, const Problem& problem) {
  return stage_after_stage(model,
                           with_options(problem, {problem.options.scaled, problem.options.causal}));
}

Matrix mask_when_not_causal(const Problem& problem, Matrix scores) {
  return mask_future(with_options(problem, {!problem.options.causal, problem.options.scaled}),
                     std::move(scores));
}

Matrix scale_when_causal_only(const Problem& problem, Matrix products) {
  if (!problem.options.causal) return products;
  return divide_by_root_of_features(problem, std::move(products));
}

}  // namespace

std::vector<Misconception> option_misconceptions() {
  return {
      {"O01", "masks although `causal` is off", {kMask}, {.mask = always_mask}},
      {"O02", "scales although `scaled` is off", {kScaling}, {.scale = always_scale}},
      {"O03", "`causal` and `scaled` swapped", {kMask, kScaling}, {.attention = options_swapped}},
      {"O04", "`causal` inverted", {kMask}, {.mask = mask_when_not_causal}},
      {"O05", "scales only when `causal` is on", {kScaling}, {.scale = scale_when_causal_only}},
      {"O06",
       "never masks, never scales",
       {kMask, kScaling},
       {.scale = never_mask, .mask = never_mask}},
  };
}

}  // namespace attention_assignment::misconceptions
