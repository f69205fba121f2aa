// Which parts of the work a model replaces, and models put together from several.
#pragma once

#include <cstdint>
#include <vector>

#include "testcases/misconceptions/model.hpp"

namespace attention_assignment::misconceptions {

/// One bit for every member of AttentionModel.
enum Part : std::uint64_t {
  kOptionsPart = 1U << 0,
  kInputsPart = 1U << 1,
  kProductPart = 1U << 2,
  kScalePart = 1U << 3,
  kMaskPart = 1U << 4,
  kSoftmaxInputPart = 1U << 5,
  kShiftPart = 1U << 6,
  kPowerPart = 1U << 7,
  kNormalisePart = 1U << 8,
  kWeightsPart = 1U << 9,
  kOutputPart = 1U << 10,
  kReportedLogitsPart = 1U << 11,
  kReportedWeightsPart = 1U << 12,
  kCompositionPart = 1U << 13,
  kAttentionRowPart = 1U << 14,
  kSelfAttentionPart = 1U << 15,
  kShapeLedgerPart = 1U << 16,
  kEntropyPart = 1U << 17,
  kOutputShapesPart = 1U << 18,
  kRowSumsPart = 1U << 19,
  kFutureWeightsPart = 1U << 20,
  kPastOutputsPart = 1U << 21,
  kRaisesEntropyPart = 1U << 22,
};

inline constexpr std::uint64_t kSoftmaxParts = kShiftPart | kPowerPart | kNormalisePart;

/// The parts in which `model` differs from the correct one. A softmax written another way counts as
/// its three parts.
std::uint64_t replaced_parts(const AttentionModel& model);

/// A model and the parts in which it differs from the correct one.
struct Replacement {
  const AttentionModel* model = nullptr;
  std::uint64_t parts = 0;
};

/// One model with all that is replaced; where two replace the same part, the later one wins.
AttentionModel combined(const std::vector<Replacement>& replacements);

}  // namespace attention_assignment::misconceptions
