#include "testcases/checks/assertion_family.hpp"

#include <algorithm>
#include <utility>

namespace attention_assignment {

using grader::Input;
using grader::Matrix;
using grader::Random;
using grader::RowVector;

RowVector random_weights(Random& random, std::int64_t visible, std::int64_t n) {
  // Cuts the 256 units at `visible - 1` different places.
  std::vector<std::int64_t> cuts = {0, kUnits};
  while (static_cast<std::int64_t>(cuts.size()) <= visible) {
    const std::int64_t cut = random.integer(1, kUnits - 1);
    if (std::find(cuts.begin(), cuts.end(), cut) == cuts.end()) cuts.push_back(cut);
  }
  std::sort(cuts.begin(), cuts.end());
  RowVector row{std::vector<double>(static_cast<std::size_t>(n), 0.0)};
  for (std::size_t j = 0; j + 1 < cuts.size(); ++j) {
    row.entries[j] = static_cast<double>(cuts[j + 1] - cuts[j]) / static_cast<double>(kUnits);
  }
  return row;
}

void set_row(Matrix& matrix, std::int64_t row, const RowVector& entries) {
  std::copy(entries.entries.begin(), entries.entries.end(),
            matrix.entries.begin() + row * matrix.columns);
}

Matrix causal_weights(Random& random, std::int64_t n) {
  Matrix weights(n, n);
  for (std::int64_t i = 0; i < n; ++i) set_row(weights, i, random_weights(random, i + 1, n));
  return weights;
}

Matrix unmasked_weights(Random& random, std::int64_t n) {
  Matrix weights(n, n);
  for (std::int64_t i = 0; i < n; ++i) set_row(weights, i, random_weights(random, n, n));
  return weights;
}

Matrix saturated_weights(Random& random, std::int64_t n) {
  Matrix weights(n, n);
  for (std::int64_t i = 0; i < n; ++i) weights(i, random.integer(0, i)) = 1;
  return weights;
}

RowVector divided_row(Random& random, std::int64_t visible, std::int64_t n) {
  RowVector row{std::vector<double>(static_cast<std::size_t>(n), 0.0)};
  double sum = 0;
  for (std::int64_t j = 0; j < visible; ++j) {
    row(j) = static_cast<double>(random.integer(1, 3 * kUnits));
    sum += row(j);
  }
  for (std::int64_t j = 0; j < visible; ++j) row(j) /= sum;
  return row;
}

Matrix even_weights(Random& /*random*/, std::int64_t n) {
  Matrix weights(n, n);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) weights(i, j) = 1 / static_cast<double>(i + 1);
  }
  return weights;
}

Matrix nearly_saturated_weights(Random& random, std::int64_t n) {
  constexpr double kNextToNothing = 1e-18;  // 1 - 1e-18 rounds to 1
  Matrix weights = saturated_weights(random, n);
  for (std::int64_t i = 1; i < n; ++i) {
    std::int64_t j = random.integer(0, i);
    while (weights(i, j) == 1) j = random.integer(0, i);
    weights(i, j) = kNextToNothing;
  }
  return weights;
}

AssertionFamily weights_family(std::string label, bool valid, std::int64_t smallest_n,
                               std::function<Matrix(Random&, std::int64_t n)> make) {
  return {std::move(label), valid, smallest_n,
          [make = std::move(make)](Random& random, std::int64_t n) {
            return std::vector<Input>{fixed_input("weights", make(random, n))};
          }};
}

Input fixed_input(std::string name, grader::Value value) {
  return Input{std::move(name), std::move(value), {}, true};
}

}  // namespace attention_assignment
