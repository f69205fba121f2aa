// Trusted numbers that are computed once: several checks ask about the same inputs.
#pragma once

#include <cstddef>
#include <unordered_map>

#include "reference/trusted.hpp"

namespace reference {

/// The reference's numbers, where the answers of attention(), the dearest of them, are remembered
/// by all bits of the inputs. When they take more than `byte_limit` all are forgotten. For one
/// thread at a time: one may fill it and hand it on to another.
class RememberingTrusted final : public ReferenceTrusted {
 public:
  explicit RememberingTrusted(std::size_t byte_limit = std::size_t{16} << 20)
      : byte_limit_(byte_limit) {}

  [[nodiscard]] attention_assignment::ExpectedAttention attention(
      const attention_assignment::AttentionInputs& inputs) const override;

  /// How often attention() had to be computed.
  [[nodiscard]] std::size_t computed() const { return computed_; }

 private:
  struct Answer {
    attention_assignment::AttentionInputs inputs;
    attention_assignment::ExpectedAttention expected;
  };

  std::size_t byte_limit_;
  mutable std::size_t computed_ = 0;
  mutable std::size_t bytes_ = 0;
  mutable std::unordered_multimap<std::size_t, Answer> answers_;  // by hash
};

}  // namespace reference
