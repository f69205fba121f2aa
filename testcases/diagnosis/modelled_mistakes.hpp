// The known misconceptions as hypotheses of the diagnosis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "grader/diagnosis/evidence.hpp"
#include "testcases/misconceptions/model.hpp"

namespace attention_assignment {

inline constexpr std::size_t kAssertionCount = 5;

/// The stages of grader::Evidence, in the order of the lesson.
enum ObservedStageIndex : std::size_t {
  kLedgerStages,  ///< one for each entry of the ledger
  kReturnsStage = kLedgerStages + std::tuple_size_v<ShapeLedger>,
  kLogitsStage,
  kWeightsStage,
  kSoftmaxStage,
  kOutputStage,
  kRowsStage,
  kProjectionsStage,
  kEntropyStage,
  kAssertionStages,  ///< one for each assertion function, in the order of the contract
  kStateStage = kAssertionStages + kAssertionCount,
  kStageCount,
};

/// Where in a submission a mistake is supposed.
enum class Use : std::uint8_t {
  as_it_is,
  in_attention_row,   ///< attention() is right, and attention_row() does not use it
  in_self_attention,  ///< likewise
};

struct ModelledMistake {
  grader::KnownMistake known;
  misconceptions::AttentionModel model;
  std::uint64_t replaced = 0;  ///< misconceptions::replaced_parts() of the model
  Use use = Use::as_it_is;
};

/// All of them, with their variations. A mistake in the softmax of one row comes three times: made
/// in softmax() and in attention(), in one of them, in the other. Mistakes of attention() come once
/// more for functions that repeat its work.
const std::vector<ModelledMistake>& modelled_mistakes();

/// The model that makes all mistakes of the combination.
misconceptions::AttentionModel model_of(const grader::Combination& mistakes);

}  // namespace attention_assignment
