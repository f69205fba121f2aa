// Options that are not honoured.
#include "testcases/misconceptions/misconceptions.hpp"

namespace attention_assignment::misconceptions {
namespace {

/// Works with `change(options)` instead of the options it was given.
template <typename Change>
AttentionModel taking(Change change) {
  AttentionModel model;
  model.options = change;
  return model;
}

}  // namespace

std::vector<Misconception> option_misconceptions() {
  return {
      {"O01",
       "masks although `causal` is off",
       {kMask},
       taking([](const Options& given) {
         return Options{true, given.scaled};
       }),
       "The mask acts although options.causal is off. An option that is off is off: then every "
       "token sees every token."},
      {"O02",
       "scales although `scaled` is off",
       {kScaling},
       taking([](const Options& given) {
         return Options{given.causal, true};
       }),
       "The logits are scaled although options.scaled is off. Then they are QKᵀ as it is."},
      {"O03",
       "`causal` and `scaled` swapped",
       {kMask, kScaling},
       taking([](const Options& given) {
         return Options{given.scaled, given.causal};
       }),
       "The two options are mixed up: `causal` decides about the mask, `scaled` about the division "
       "by √d_k."},
      {"O04",
       "`causal` inverted",
       {kMask},
       taking([](const Options& given) {
         return Options{!given.causal, given.scaled};
       }),
       "The condition is the wrong way round: the mask acts when `causal` is on."},
      {"O05",
       "scales only when `causal` is on",
       {kScaling},
       taking([](const Options& given) {
         return Options{given.causal, given.scaled && given.causal};
       }),
       "The scale depends on `causal` as well. The two options are independent: `scaled` alone "
       "decides about the division."},
      {"O06",
       "never masks, never scales",
       {kMask, kScaling},
       taking([](const Options&) {
         return Options{false, false};
       }),
       "Neither mask nor scale is ever applied. Look at options.causal and options.scaled; both "
       "are on by default."},
      {"O07",
       "masks and scales whatever the options say",
       {kMask, kScaling},
       taking([](const Options&) {
         return Options{true, true};
       }),
       "The options are ignored: mask and scale are applied always. Look at options.causal and "
       "options.scaled."},
  };
}

}  // namespace attention_assignment::misconceptions
