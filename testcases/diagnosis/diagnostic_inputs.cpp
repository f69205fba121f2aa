#include "testcases/diagnosis/diagnostic_inputs.hpp"

#include <cmath>
#include <limits>

#include "testcases/generators/attention_inputs.hpp"
#include "testcases/generators/fixed_random.hpp"

namespace attention_assignment {
namespace {

using grader::Matrix;
using grader::RowVector;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Options kBoth{true, true};
constexpr Options kCausal{true, false};
constexpr Options kScaled{false, true};
constexpr Options kNeither{false, false};

Matrix normal_matrix(FixedRandom& random, std::int64_t rows, std::int64_t columns,
                     double deviation = 1) {
  Matrix matrix(rows, columns);
  for (double& entry : matrix.entries) entry = deviation * random.normal();
  return matrix;
}

Matrix whole_numbers(FixedRandom& random, std::int64_t rows, std::int64_t columns,
                     std::int64_t limit) {
  Matrix matrix(rows, columns);
  for (double& entry : matrix.entries) entry = static_cast<double>(random.integer(-limit, limit));
  return matrix;
}

AttentionInputs normal_inputs(FixedRandom& random, std::int64_t n, std::int64_t d_k,
                              std::int64_t d_v, double deviation = 1) {
  return {normal_matrix(random, n, d_k, deviation), normal_matrix(random, n, d_k, deviation),
          normal_matrix(random, n, d_v), kBoth};
}

/// Six tokens whose logits are those of normal queries and keys plus `offset(i, j)`, which must be
/// a product of one number a row and one a column: the first feature carries it.
template <class Query, class Key>
AttentionInputs carried(std::uint64_t seed, double size, Query query, Key key) {
  FixedRandom random(seed);
  AttentionInputs inputs = normal_inputs(random, 6, 3, 4);
  const double carrier = std::sqrt(std::abs(size) * std::sqrt(3.0));
  for (std::int64_t i = 0; i < inputs.n(); ++i) {
    inputs.Q(i, 0) = carrier * query(i);
    // Next to nothing where there is no offset, but not the same for every key.
    inputs.K(i, 0) = carrier * key(i) + random.normal() / carrier;
  }
  return inputs;
}

/// Inputs on which shortcuts of the softmax break, each in rows of its own.
void add_extreme(std::vector<AttentionInputs>& all) {
  const auto every = [](std::int64_t) { return 1.0; };
  const auto only = [](std::int64_t row) {
    return [row](std::int64_t i) { return i == row ? 1.0 : 0.0; };
  };
  const auto minus = [](std::int64_t row) {
    return [row](std::int64_t i) { return i == row ? -1.0 : 0.0; };
  };
  const auto negative = [](std::int64_t) { return -1.0; };
  all.push_back(carried(101, 2000, every, only(5)));     // a future key towers over the past
  all.push_back(carried(102, 2000, only(5), every));     // a late row of large logits
  all.push_back(carried(103, 2000, only(1), every));     // an early one
  all.push_back(carried(104, 900, every, every));        // all logits large
  all.push_back(carried(105, 900, every, negative));     // all far below zero
  all.push_back(carried(106, 30'000, every, negative));  // below finite masks and starts
  all.push_back(carried(107, 3e9, every, negative));
  all.push_back(carried(108, 900, every, minus(0)));   // one key far below the others
  all.push_back(carried(109, 4800, every, minus(0)));  // so far that means overflow too
  FixedRandom random(110);
  all.push_back(normal_inputs(random, 6, 3, 4, 6));  // logits of dozens
}

AttentionInputs with_options(AttentionInputs inputs, const Options& options) {
  inputs.options = options;
  return inputs;
}

}  // namespace

std::vector<AttentionInputs> diagnostic_attention_inputs() {
  FixedRandom random(11);
  std::vector<AttentionInputs> all;
  const auto add = [&](const AttentionInputs& inputs, std::initializer_list<Options> options) {
    for (const Options& each : options) all.push_back(with_options(inputs, each));
  };
  add(normal_inputs(random, 6, 3, 4), {kBoth, kCausal, kScaled, kNeither});
  add(normal_inputs(random, 7, 5, 2), {kBoth, kScaled});
  add(normal_inputs(random, 9, 2, 3), {kBoth});
  add(normal_inputs(random, 5, 5, 5), {kBoth, kNeither});
  add(normal_inputs(random, 4, 6, 6), {kBoth});
  add(normal_inputs(random, 5, 16, 3), {kBoth});
  add(normal_inputs(random, 4, 64, 2), {kBoth});
  add(normal_inputs(random, 2, 1, 1), {kBoth});
  add(lesson_inputs(kBoth), {kBoth});
  const AttentionInputs whole{whole_numbers(random, 6, 3, 1), whole_numbers(random, 6, 3, 1),
                              whole_numbers(random, 6, 4, 9), kBoth};
  add(whole, {kBoth, kScaled});
  add_extreme(all);
  return all;
}

std::vector<AttentionInputs> diagnostic_row_inputs() {
  FixedRandom random(14);
  const AttentionInputs first = normal_inputs(random, 5, 3, 4);
  const AttentionInputs second = normal_inputs(random, 4, 4, 4);
  return {first, with_options(first, kNeither), second, with_options(second, kCausal)};
}

std::vector<AttentionInputs> diagnostic_sequence() {
  FixedRandom random(15);
  const AttentionInputs first = normal_inputs(random, 5, 3, 4);
  const AttentionInputs alike = normal_inputs(random, 5, 3, 4);
  const AttentionInputs other = normal_inputs(random, 4, 2, 3);
  return {first, first, alike, other, first, with_options(alike, kScaled)};
}

std::vector<RowVector> diagnostic_logits() {
  FixedRandom random(12);
  const auto row = [&](std::size_t size, double deviation, double offset) {
    RowVector logits{std::vector<double>(size)};
    for (double& logit : logits.entries) logit = offset + deviation * random.normal();
    return logits;
  };
  std::vector<RowVector> rows = {row(5, 1, 0), row(7, 2, 0), row(4, 6, 0), row(1, 1, 0)};
  RowVector masked = row(6, 1, 0);
  masked.entries[4] = masked.entries[5] = -kInfinity;
  rows.push_back(masked);
  rows.push_back({{-1.5, -0.25, 0.5, 1.75, 2.5}});
  rows.push_back({{2, 0, 0, 1}});
  rows.push_back(row(5, 1, 900));
  rows.push_back(row(5, 1, -900));
  rows.push_back(row(5, 1, -30'000));
  rows.push_back(row(5, 1, -3e9));
  for (const double low : {-900.0, -4800.0}) {
    rows.push_back(row(5, 1, 0));
    rows.back().entries[0] = low;
  }
  rows.push_back(row(6, 40, 0));
  return rows;
}

std::vector<RowVector> diagnostic_weights() {
  return {{{0.5, 0.25, 0.125, 0.125}},
          {{0.7, 0.2, 0.1}},
          {{0.125, 0.25, 0.625, 0, 0}},
          {{1, 0, 0}},
          {{1}},
          {{0.2, 0.2, 0.2, 0.2, 0.2}},
          {{0.9375, 0.0625 - 0x1p-30, 0x1p-30}}};
}

std::vector<std::array<std::int64_t, 3>> diagnostic_sizes() {
  return {{4, 3, 2}, {5, 2, 7}, {1, 4, 3}, {6, 1, 2}};
}

std::vector<SelfAttentionInputs> diagnostic_self_attention_inputs() {
  FixedRandom random(13);
  std::vector<SelfAttentionInputs> all;
  const auto add = [&](std::int64_t n, std::int64_t d_model, std::int64_t d_k, std::int64_t d_v,
                       std::initializer_list<Options> options) {
    SelfAttentionInputs inputs{
        whole_numbers(random, n, d_model, 2),
        {whole_numbers(random, d_model, d_k, 2), whole_numbers(random, d_model, d_k, 2),
         whole_numbers(random, d_model, d_v, 2)},
        {}};
    // Halved, so that the logits stay small.
    for (double& entry : inputs.X.entries) entry /= 4;
    for (const Options& each : options) {
      inputs.options = each;
      all.push_back(inputs);
    }
  };
  add(5, 3, 2, 4, {kBoth, kScaled, kCausal});
  add(4, 4, 4, 4, {kBoth, kNeither});
  return all;
}

}  // namespace attention_assignment
