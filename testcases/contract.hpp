// The contract of student_template/include/attention/attention.hpp as numbered, typed functions.
#pragma once

#include "grader/contract/implementation.hpp"
#include "grader/contract/value.hpp"

namespace attention_assignment {

/// Index of each function in contract(); dispatch.cpp lists them in the same order.
enum FunctionNumber : grader::FunctionId {
  kShapeLedger,
  kSoftmax,
  kAttentionRow,
  kAttention,
  kSelfAttention,
  kEntropy,
  kOutputShapesMatch,
  kRowsSumToOne,
  kFutureWeightsAreZero,
  kPastOutputsUnchanged,
  kScalingRaisesEntropy,
};

const grader::Contract& contract();

}  // namespace attention_assignment
