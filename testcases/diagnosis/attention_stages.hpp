// attention() seen stage by stage: logits given the inputs, weights given the submission's own
// logits, output given its own weights.
#pragma once

#include <optional>
#include <vector>

#include "testcases/checks/attention_types.hpp"
#include "testcases/misconceptions/model.hpp"

namespace attention_assignment {

/// One diagnostic call and what the submission answered.
struct ObservedAttention {
  AttentionInputs inputs;
  std::optional<AttentionResult> own;
  /// Its own logits for the same inputs without a mask; absent when it has none of the right size.
  std::optional<grader::Matrix> own_scores;
};

/// How exactly answers must agree.
enum class Rounding : std::uint8_t {
  exact,             ///< what double precision allows to a correct program
  double_precision,  ///< the same for a program whose steps are not known one by one
  single_precision,
};

/// Counts in which direction answers are off: rounding goes both ways, most mistakes one.
struct Deviations {
  std::int64_t above = 0;
  std::int64_t below = 0;
};

class AttentionStages {
 public:
  explicit AttentionStages(std::vector<ObservedAttention> calls);

  [[nodiscard]] std::size_t size() const { return calls_.size(); }
  /// Indices of the calls that returned.
  [[nodiscard]] const std::vector<std::size_t>& returned() const { return returned_; }
  [[nodiscard]] const ObservedAttention& call(std::size_t index) const {
    return calls_[index].call;
  }

  // Would `model` have done as the submission did? With Rounding::exact the model is correct.
  // `deviations`, when given, collects the directions of what is beyond double precision.
  [[nodiscard]] bool returns_alike(const misconceptions::AttentionModel& model,
                                   std::size_t index) const;
  [[nodiscard]] bool same_logits(const misconceptions::AttentionModel& model, std::size_t index,
                                 Rounding rounding, Deviations* deviations = nullptr) const;
  [[nodiscard]] bool same_weights(const misconceptions::AttentionModel& model, std::size_t index,
                                  Rounding rounding, Deviations* deviations = nullptr) const;
  [[nodiscard]] bool same_output(const misconceptions::AttentionModel& model, std::size_t index,
                                 Rounding rounding, Deviations* deviations = nullptr) const;

 private:
  /// A call with what its stages are judged by.
  struct Prepared {
    ObservedAttention call;
    double size = 0;               ///< bounds what any logit is added up from
    grader::Matrix logits;         ///< the own ones; the right ones where they have no usable size
    grader::Matrix scores;         ///< the own ones without a mask, as far as known
    grader::Matrix weights;        ///< the own ones, or the right ones on `logits`
    grader::Matrix right_weights;  ///< the softmax of `logits`
    std::vector<double> relative_errors;   ///< of row i of the weights
    std::vector<bool> is_all_masked;       ///< no weights of row i can be right
    std::vector<bool> has_usable_logits;   ///< row i can be judged from its logits on
    std::vector<bool> has_usable_weights;  ///< row i can be judged from its weights on
  };
  static Prepared prepared(ObservedAttention call);

  std::vector<Prepared> calls_;
  std::vector<std::size_t> returned_;
};

}  // namespace attention_assignment
