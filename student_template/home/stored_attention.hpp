// What is stored about one triple Q, K, V: the right answer for all four combinations of the
// options, so that a student whose mask or scale is missing can still be judged on the stages that
// follow. Packed into one list of doubles; this file alone knows the order.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grader/contract/value.hpp"
#include "home/numbers.hpp"
#include "testcases/checks/attention_types.hpp"
#include "testcases/checks/trusted.hpp"

namespace attention_home {

using attention_assignment::AttentionInputs;
using attention_assignment::ExpectedAttention;
using attention_assignment::Options;
using attention_assignment::Trusted;

class StoredAttention {
 public:
  [[nodiscard]] static Key key(const AttentionInputs& inputs);

  /// All four answers of `trusted`, ready for Numbers::add.
  [[nodiscard]] static std::vector<double> pack(const Trusted& trusted,
                                                const AttentionInputs& inputs);

  /// The answers for `inputs`, or nothing when they were not recorded.
  [[nodiscard]] static std::optional<StoredAttention> find(const Numbers& numbers,
                                                           const AttentionInputs& inputs);

  /// The answer under `options`, which need not be those of the inputs.
  [[nodiscard]] const ExpectedAttention& under(const Options& options) const;

 private:
  std::vector<ExpectedAttention> answers_;
};

}  // namespace attention_home
