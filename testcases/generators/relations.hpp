// Changes of the inputs that leave the output as it is.
#pragma once

#include "grader/engine/check.hpp"
#include "testcases/checks/attention_types.hpp"

namespace attention_assignment {

enum class Relation : std::uint8_t {
  none,
  shifted_keys,       ///< K + one vector for all: every logit of a row moves by the same
  repeated_features,  ///< [Q,Q,Q,Q]/2, [K,K,K,K] when scaled; /4 when not
  permuted_tokens,    ///< K and V in another order, together; without a mask only
};

/// attention_inputs(), the integer `relation`, and the row `shift` (d_k) that is added to keys.
grader::Case draw_related_inputs(grader::Random& random, const grader::Schedule& schedule);
bool admits_related_inputs(const grader::Case& test_case);
grader::Case with_relation(grader::Case test_case, Relation relation);

[[nodiscard]] Relation relation_of(const grader::Case& test_case);
/// The changed inputs; `inputs` are those of the case.
[[nodiscard]] AttentionInputs related_inputs(const grader::Case& test_case,
                                             const AttentionInputs& inputs);

}  // namespace attention_assignment
