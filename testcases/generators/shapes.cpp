#include "testcases/generators/shapes.hpp"

namespace attention_assignment {
namespace {

constexpr std::int64_t kSmallPeriod = 16;
constexpr std::int64_t kLargePeriod = 125;
constexpr std::int64_t kFewTokensPeriod = 8;

/// The `number`th shape in {1,2,3}³.
CaseShape small_shape(std::int64_t number) {
  return {1 + number % 3, 1 + number / 3 % 3, 1 + number / 9 % 3};
}

bool is_square(std::int64_t number) {
  for (std::int64_t root = 1; root * root <= number; ++root) {
    if (root * root == number) return true;
  }
  return false;
}

}  // namespace

CaseShape draw_shape(grader::Random& random, const grader::Schedule& schedule) {
  const std::int64_t index = schedule.index;
  if (index % kSmallPeriod == 7) return small_shape(index / kSmallPeriod % 27);
  if (index % kLargePeriod == 60) {
    // Apart by construction. Once many tokens, else many features: tiles and buffers of 64, 100 or
    // 128 are too small for the one or the other.
    if (index / kLargePeriod % 4 == 1) {
      return {random.integer(129, 136), random.integer(17, 32), random.integer(3, 12)};
    }
    // d_k > 64 >= n, and d_v is shifted past n.
    CaseShape large{random.integer(33, 64), random.integer(65, 128), random.integer(16, 63)};
    if (large.d_v >= large.n) ++large.d_v;
    return large;
  }
  CaseShape shape;
  shape.n = index % kFewTokensPeriod == 3 ? random.integer(2, 5) : random.integer(6, 12);
  const bool want_not_square = random.chance(1, 2);
  do {
    shape.d_k = random.integer(1, 12);
  } while (shape.d_k == shape.n || (want_not_square && is_square(shape.d_k)));
  do {
    shape.d_v = random.integer(1, 12);
  } while (shape.d_v == shape.n || shape.d_v == shape.d_k);
  return shape;
}

}  // namespace attention_assignment
