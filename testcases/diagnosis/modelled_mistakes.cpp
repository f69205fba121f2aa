#include "testcases/diagnosis/modelled_mistakes.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "testcases/contract.hpp"
#include "testcases/diagnosis/diagnostic_inputs.hpp"
#include "testcases/misconceptions/misconceptions.hpp"
#include "testcases/misconceptions/parts.hpp"

namespace attention_assignment {
namespace {

using misconceptions::AttentionModel;
using misconceptions::Misconception;
using misconceptions::Part;

// Where the bits of parts go that are told apart by place.
constexpr unsigned kSoftmaxShift = 32;
constexpr unsigned kLedgerShift = 48;

constexpr std::uint64_t bit(std::size_t stage) { return std::uint64_t{1} << stage; }

/// Where a part of a model shows.
std::uint64_t stages_of_part(Part part) {
  using namespace misconceptions;
  switch (part) {
    case kOptionsPart: return bit(kLogitsStage) | bit(kWeightsStage) | bit(kOutputStage);
    case kInputsPart: return bit(kLogitsStage) | bit(kOutputStage);
    case kProductPart:
    case kScalePart:
    case kMaskPart:
    case kReportedLogitsPart: return bit(kLogitsStage);
    case kSoftmaxInputPart:
    case kWeightsPart:
    case kReportedWeightsPart: return bit(kWeightsStage);
    case kShiftPart:
    case kPowerPart:
    case kNormalisePart: return bit(kWeightsStage) | bit(kSoftmaxStage);
    case kOutputPart: return bit(kOutputStage);
    case kCompositionPart: return bit(kStateStage);
    case kAttentionRowPart: return bit(kRowsStage);
    case kSelfAttentionPart: return bit(kProjectionsStage);
    case kShapeLedgerPart: return 0;  // by entry, below
    case kEntropyPart: return bit(kEntropyStage);
    case kOutputShapesPart: return bit(kAssertionStages);
    case kRowSumsPart: return bit(kAssertionStages + 1);
    case kFutureWeightsPart: return bit(kAssertionStages + 2);
    case kPastOutputsPart: return bit(kAssertionStages + 3);
    case kRaisesEntropyPart: return bit(kAssertionStages + 4);
  }
  return 0;
}

/// The ledger's entries that a model gets wrong.
std::uint64_t ledger_stages(const AttentionModel& model) {
  std::uint64_t stages = 0;
  for (const auto& [n, d_k, d_v] : diagnostic_sizes()) {
    const ShapeLedger own = model.shape_ledger(n, d_k, d_v);
    const ShapeLedger right = misconceptions::right_ledger(n, d_k, d_v);
    for (std::size_t entry = 0; entry < own.size(); ++entry) {
      if (own[entry] != right[entry]) stages |= bit(kLedgerStages + entry);
    }
  }
  return stages;
}

/// On inputs whose sizes all differ, with more values than features or fewer: where sizes do not
/// fit anywhere, they do not fit there.
bool throws_somewhere(const AttentionModel& model) {
  static const std::vector<AttentionInputs> inputs = [] {
    std::vector<AttentionInputs> uneven = diagnostic_attention_inputs();
    std::erase_if(uneven, [](const AttentionInputs& each) {
      const bool differ =
          each.n() != each.d_k() && each.n() != each.d_v() && each.d_k() != each.d_v();
      return !differ || each.d_k() > 5 || !each.options.causal || !each.options.scaled;
    });
    uneven.resize(std::min<std::size_t>(uneven.size(), 3));
    return uneven;
  }();
  return std::ranges::any_of(inputs, [&](const AttentionInputs& each) {
    try {
      static_cast<void>(model.attention(model, each));
      return false;
    } catch (const std::exception&) {
      return true;
    }
  });
}

class Mistakes {
 public:
  std::vector<ModelledMistake> all() {
    for (const auto& [stage, misconceptions] : misconceptions::misconceptions_by_stage()) {
      for (const Misconception& mistake : misconceptions) {
        add(stage, mistake.id, mistake.model);
        for (const AttentionModel& variation : mistake.variations) {
          add(stage, mistake.id, variation);
        }
      }
    }
    all_.insert(all_.end(), repeated_.begin(), repeated_.end());
    return std::move(all_);
  }

 private:
  void add(const std::string& stage, const std::string& id, const AttentionModel& model) {
    if (stage == "state") {
      add_state(id, model);
      return;
    }
    const std::uint64_t replaced = misconceptions::replaced_parts(model);
    std::uint64_t parts = replaced;
    std::uint64_t stages = ledger_stages(model);
    for (std::uint64_t part = 1; part <= misconceptions::kRaisesEntropyPart; part <<= 1U) {
      if ((parts & part) != 0) stages |= stages_of_part(static_cast<Part>(part));
    }
    if ((parts & misconceptions::kShapeLedgerPart) != 0) {
      // Each entry of the ledger is a part of its own.
      parts = (parts & ~std::uint64_t{misconceptions::kShapeLedgerPart}) | stages << kLedgerShift;
    }
    if (throws_somewhere(model)) stages |= bit(kReturnsStage);
    all_.push_back({{id, stages, parts, ""}, model, replaced});
    add_single_assertions(id, stages, parts, model);
    if ((stages & bit(kSoftmaxStage)) != 0) {
      // In softmax() alone it excludes nothing of attention().
      all_.push_back({{id, bit(kSoftmaxStage), parts << kSoftmaxShift, "in softmax() alone"},
                      model,
                      replaced});
      all_.push_back(
          {{id, stages & ~bit(kSoftmaxStage), parts, "in attention() alone"}, model, replaced});
    }
    if ((stages & (bit(kLogitsStage) | bit(kWeightsStage) | bit(kOutputStage))) == 0) return;
    repeated_.push_back(
        {{id, bit(kRowsStage), misconceptions::kAttentionRowPart, "in attention_row() alone"},
         model,
         replaced,
         Use::in_attention_row});
    repeated_.push_back({{id, bit(kProjectionsStage), misconceptions::kSelfAttentionPart,
                          "in self_attention() alone"},
                         model,
                         replaced,
                         Use::in_self_attention});
  }

  /// A mistake that is made in all assertions may be made in one.
  void add_single_assertions(const std::string& id, std::uint64_t stages, std::uint64_t parts,
                             const AttentionModel& model) {
    for (std::size_t a = 0; a < kAssertionCount; ++a) {
      const std::uint64_t alone = bit(kAssertionStages + a);
      if ((stages & alone) == 0 || stages == alone) continue;
      const std::uint64_t part = std::uint64_t{misconceptions::kOutputShapesPart} << a;
      all_.push_back({{id, alone, parts & part, "in " + contract()[kOutputShapesMatch + a].name},
                      model,
                      misconceptions::replaced_parts(model)});
    }
  }

  /// What a submission keeps shows in sequences of calls; every fresh answer is right, unless it
  /// comes by chance.
  void add_state(const std::string& id, const AttentionModel& model) {
    const AttentionInputs inputs = diagnostic_sequence().front();
    const AttentionModel fresh = model;
    const bool starts_right =
        fresh.attention(fresh, inputs).weights.entries ==
        misconceptions::stage_after_stage(AttentionModel{}, inputs).weights.entries;
    const std::uint64_t stages = bit(kStateStage) | (starts_right ? 0 : bit(kWeightsStage));
    const std::uint64_t replaced = misconceptions::replaced_parts(model);
    all_.push_back({{id, stages, replaced, ""}, model, replaced});
  }

  std::vector<ModelledMistake> all_;
  std::vector<ModelledMistake> repeated_;
};

}  // namespace

const std::vector<ModelledMistake>& modelled_mistakes() {
  static const std::vector<ModelledMistake> all = Mistakes().all();
  return all;
}

AttentionModel model_of(const grader::Combination& mistakes) {
  if (mistakes.size() == 1) return modelled_mistakes()[mistakes.front()].model;
  std::vector<misconceptions::Replacement> replacements;
  for (const std::size_t mistake : mistakes) {
    const ModelledMistake& each = modelled_mistakes()[mistake];
    replacements.push_back({&each.model, each.replaced});
  }
  return misconceptions::combined(replacements);
}

}  // namespace attention_assignment
