#include "testcases/generators/neighbours.hpp"

#include <cmath>
#include <string_view>
#include <variant>

#include "grader/base/fault.hpp"
#include "testcases/generators/domain.hpp"

namespace attention_assignment {
namespace {

using grader::Case;
using grader::Matrix;
using grader::Random;

template <class T>
T& input_of(Case& test_case, std::string_view name) {
  for (grader::Input& input : test_case.inputs) {
    if (input.name == name) return std::get<T>(input.value);
  }
  throw grader::InternalFault("the case has no input called " + std::string(name));
}

/// Mostly a little above one, seldom up to `most`: near the edge of the domain small steps are the
/// ones that stay inside.
double factor(Random& random, double most) {
  const double step = random.unit();
  return std::pow(most, step * step);
}

std::int64_t any_row(Random& random, const Matrix& matrix) {
  return random.integer(0, matrix.rows - 1);
}

void multiply_row(Matrix& matrix, std::int64_t row, double by) {
  for (std::int64_t column = 0; column < matrix.columns; ++column) matrix(row, column) *= by;
}

/// Turns key j towards query i (or away from it) and keeps its length, so that the products change
/// while the case stays in the domain.
void turn_key(Matrix& K, std::int64_t j, const Matrix& Q, std::int64_t i, double by) {
  const double length = row_norm(K, j);
  for (std::int64_t column = 0; column < K.columns; ++column) K(j, column) += by * Q(i, column);
  const double turned = row_norm(K, j);
  if (turned > 0) multiply_row(K, j, length / turned);
}

/// As much of query i as is a tenth to three times as long as the keys.
double turn(Random& random, const Matrix& K, const Matrix& Q, std::int64_t i) {
  const double length = row_norm(Q, i);
  if (!(length > 0)) return 0;
  const double by = random.uniform(0.1, 3) * row_norm(K, any_row(random, K)) / length;
  return random.chance(1, 2) ? by : -by;
}

}  // namespace

Case with_other_products(Random& random, const Case& from) {
  Case next = from;
  auto& Q = input_of<Matrix>(next, "Q");
  auto& K = input_of<Matrix>(next, "K");
  auto& scaled = input_of<bool>(next, "scaled");
  constexpr double kMostTimes = 8;
  if (scaled && random.chance(1, 6)) {
    scaled = false;
    return next;
  }
  switch (random.integer(0, 6)) {
    case 0:
    case 1: {
      const double by = factor(random, kMostTimes);
      for (double& entry : Q.entries) entry *= by;
      break;
    }
    case 2: multiply_row(Q, any_row(random, Q), factor(random, kMostTimes)); break;
    case 3: multiply_row(K, any_row(random, K), factor(random, kMostTimes)); break;
    case 4:
      for (double& entry : K.entries) entry = -entry;
      break;
    case 5: {
      const std::int64_t i = any_row(random, Q);
      const double by = turn(random, K, Q, i);
      for (std::int64_t j = 0; j < K.rows; ++j) turn_key(K, j, Q, i, by);
      break;
    }
    default: {
      const std::int64_t i = any_row(random, Q);
      turn_key(K, any_row(random, K), Q, i, turn(random, K, Q, i));
    }
  }
  return next;
}

Case with_other_row(Random& random, const Case& from) {
  Case next = from;
  auto& z = input_of<grader::RowVector>(next, "z");
  constexpr double kMostTimes = 64;
  if (random.chance(3, 4)) {
    const double by = factor(random, kMostTimes);
    for (double& logit : z.entries) logit *= by;
  } else {
    z(random.integer(0, z.size() - 1)) += random.uniform(-2, 2);
  }
  return next;
}

}  // namespace attention_assignment
