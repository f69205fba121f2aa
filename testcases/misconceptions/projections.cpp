// Mistakes in self_attention(): what is projected with which matrix.
#include "testcases/misconceptions/misconceptions.hpp"

namespace attention_assignment::misconceptions {
namespace {

using P = ProjectionMatrices;

/// self_attention with Q, K, V made by `project(X, projections)`.
template <typename Project>
AttentionModel projecting(Project project) {
  AttentionModel model;
  model.self_attention = [project](const AttentionModel& self, const Matrix& tokens,
                                   const P& projections, const Options& options) {
    Problem problem = project(tokens, projections);
    problem.options = options;
    return self.attention(self, problem);
  };
  return model;
}

Problem keys_with_query_matrix(const Matrix& tokens, const P& p) {
  return {multiply(tokens, p.W_q), multiply(tokens, p.W_q), multiply(tokens, p.W_v), {}};
}

Problem queries_with_key_matrix(const Matrix& tokens, const P& p) {
  return {multiply(tokens, p.W_k), multiply(tokens, p.W_k), multiply(tokens, p.W_v), {}};
}

Problem queries_and_keys_swapped(const Matrix& tokens, const P& p) {
  return {multiply(tokens, p.W_k), multiply(tokens, p.W_q), multiply(tokens, p.W_v), {}};
}

Problem values_with_key_matrix(const Matrix& tokens, const P& p) {
  return {multiply(tokens, p.W_q), multiply(tokens, p.W_k), multiply(tokens, p.W_k), {}};
}

Problem values_not_projected(const Matrix& tokens, const P& p) {
  return {multiply(tokens, p.W_q), multiply(tokens, p.W_k), tokens, {}};
}

Problem nothing_projected(const Matrix& tokens, const P& /*p*/) {
  return {tokens, tokens, tokens, {}};
}

Problem matrices_on_the_left(const Matrix& tokens, const P& p) {
  return {multiply(p.W_q, tokens), multiply(p.W_k, tokens), multiply(p.W_v, tokens), {}};
}

AttentionResult options_not_passed_on(const AttentionModel& model, const Matrix& tokens,
                                      const P& projections, const Options& /*options*/) {
  return project_then_attend(model, tokens, projections, Options{});
}

}  // namespace

std::vector<Misconception> projection_misconceptions() {
  return {
      {"J01",
       "keys projected with W_q",
       {kValues},
       projecting(keys_with_query_matrix),
       "The keys were projected with W_q. Each role has its own matrix: Q = X·W_q, K = X·W_k, V = "
       "X·W_v."},
      {"J02",
       "values not projected",
       {kValues, kShapes},
       projecting(values_not_projected),
       "The values were not projected. Each role has its own matrix: V = X·W_v."},
      {"J03",
       "self_attention ignores its options",
       {kValues},
       {.self_attention = options_not_passed_on},
       "self_attention computes with the default options instead of those it is given. Pass "
       "`options` on."},
      {"J04",
       "values projected with W_k",
       {kValues, kShapes},
       projecting(values_with_key_matrix),
       "The values were projected with W_k. Each role has its own matrix: V = X·W_v."},
      {"J05",
       "W·X instead of X·W",
       {kValues, kShapes},
       projecting(matrices_on_the_left),
       "The order is wrong: tokens are rows of X, so the projection is X·W, not W·X."},
      {"J06",
       "queries projected with W_k",
       {kValues},
       projecting(queries_with_key_matrix),
       "The queries were projected with W_k. Each role has its own matrix: Q = X·W_q."},
      {"J07",
       "W_q and W_k swapped",
       {kValues},
       projecting(queries_and_keys_swapped),
       "W_q and W_k changed places. The queries are X·W_q and the keys X·W_k."},
      {"J08",
       "nothing projected",
       {kValues, kShapes},
       projecting(nothing_projected),
       "X itself was used for queries, keys and values. Project it first: X·W_q, X·W_k, X·W_v."},
  };
}

}  // namespace attention_assignment::misconceptions
