// State that survives a call. In a fresh process the first answer is right.
#include <cstdint>

#include "testcases/misconceptions/misconceptions.hpp"

namespace attention_assignment::misconceptions {
namespace {

using Index = std::int64_t;

bool same_size(const Matrix& left, const Matrix& right) {
  return left.rows == right.rows && left.columns == right.columns;
}

/// A static output matrix that is added to and never cleared.
AttentionModel accumulating_output() {
  AttentionModel model;
  model.output = [kept = Matrix()](const Problem& problem, const Matrix& weights) mutable {
    const Matrix output = weighted_sum(problem, weights);
    if (!same_size(kept, output)) kept = Matrix(output.rows, output.columns);
    for (std::size_t e = 0; e < output.entries.size(); ++e) kept.entries[e] += output.entries[e];
    return kept;
  };
  return model;
}

/// Keys cached by size: the next call of the same size attends to the old ones.
AttentionModel caching_keys() {
  AttentionModel model;
  model.product = [kept = Matrix()](const Problem& problem) mutable {
    if (!same_size(kept, problem.K)) kept = problem.K;
    return dot_products(Problem{problem.Q, kept, problem.V, problem.options});
  };
  return model;
}

/// Every tenth weight is dropped, the others grow: dropout as in training.
AttentionModel dropping_weights() {
  AttentionModel model;
  model.weights = [state = std::uint64_t{1}](const AttentionModel& self, const Problem& problem,
                                             const Matrix& logits) mutable {
    return with_entries(softmax_of_rows(self, problem, logits), [&](Index, Index, double weight) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      return (state >> 33) % 10 == 0 ? 0.0 : weight / 0.9;
    });
  };
  return model;
}

/// The result of the first call of a size is returned ever after.
AttentionModel remembering_first_result() {
  AttentionModel model;
  model.attention = [kept = AttentionResult()](const AttentionModel& self,
                                               const Problem& problem) mutable {
    if (!same_size(kept.output, problem.V) || kept.logits.rows != problem.n()) {
      kept = stage_after_stage(self, problem);
    }
    return kept;
  };
  return model;
}

/// A counter that makes every later call a little larger.
AttentionModel drifting() {
  AttentionModel model;
  model.output = [calls = 0](const Problem& problem, const Matrix& weights) mutable {
    const double drift = 1.0 + 1e-3 * calls++;
    return with_entries(weighted_sum(problem, weights),
                        [&](Index, Index, double entry) { return entry * drift; });
  };
  return model;
}

}  // namespace

std::vector<Misconception> state_misconceptions() {
  return {
      {"P24",
       "dropout left on",
       {kWhole, kSoftmaxObjective},
       dropping_weights(),
       "Weights are dropped at random, as in training. Attention as asked for here drops nothing: "
       "the same call gives the same answer."},
      {"P25",
       "static output that is never cleared",
       {kWhole},
       accumulating_output(),
       "The output is added to what an earlier call left behind. Set it to zero at the start of "
       "each call, or make it a local variable."},
      {"C07",
       "keys of an earlier call still attended",
       {kWhole},
       caching_keys(),
       "Keys of an earlier call are kept and used again. Nothing may be kept between calls: use "
       "the K that was passed in."},
      {"C21",
       "first result of each size returned again",
       {kWhole},
       remembering_first_result(),
       "The first result of each size is kept and returned again. Nothing may be kept between "
       "calls."},
      {"C22",
       "output drifts with the number of calls",
       {kWhole},
       drifting(),
       "Something that is counted or added up between calls changes the output. Nothing may be "
       "kept between calls."},
  };
}

}  // namespace attention_assignment::misconceptions
