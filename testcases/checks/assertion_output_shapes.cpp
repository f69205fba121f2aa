// Results of right and wrong sizes, for output_shapes_match.
#include <utility>

#include "testcases/checks/assertion_family.hpp"

namespace attention_assignment {
namespace {

using grader::Field;
using grader::Input;
using grader::Matrix;
using grader::Random;
using grader::Record;

struct Sizes {
  std::int64_t n = 0;
  std::int64_t d_k = 0;
  std::int64_t d_v = 0;
};

struct Size {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

/// The sizes of the three matrices of a result.
struct ResultSizes {
  Size logits;
  Size weights;
  Size output;
};

ResultSizes right_sizes(const Sizes& sizes) {
  return {{sizes.n, sizes.n}, {sizes.n, sizes.n}, {sizes.n, sizes.d_v}};
}

/// Numbers have no part in this: any finite ones do.
Matrix random_matrix(Random& random, const Size& size) {
  Matrix matrix(size.rows, size.columns);
  for (double& entry : matrix.entries) {
    entry = static_cast<double>(random.integer(0, kUnits)) / kUnits;
  }
  return matrix;
}

/// n, d_k > 1 and d_v > 1, pairwise different.
Sizes different_sizes(Random& random, std::int64_t n) {
  const auto other_than = [&](std::int64_t first, std::int64_t second) {
    std::int64_t size = random.integer(2, 7);
    while (size == first || size == second) size = random.integer(2, 7);
    return size;
  };
  const std::int64_t d_k = other_than(n, n);
  return {n, d_k, other_than(n, d_k)};
}

/// A family of results with the sizes that `change` makes of the right ones.
template <typename Pick, typename Change>
AssertionFamily shape_family(std::string label, bool valid, std::int64_t smallest_n, Pick pick,
                             Change change) {
  return {
      std::move(label), valid, smallest_n, [pick, change](Random& random, std::int64_t n) {
        const Sizes sizes = pick(random, n);
        ResultSizes result = right_sizes(sizes);
        change(result, sizes);
        return std::vector<Input>{
            fixed_input("result", Record{{Field{"logits", random_matrix(random, result.logits)},
                                          Field{"weights", random_matrix(random, result.weights)},
                                          Field{"output", random_matrix(random, result.output)}}}),
            fixed_input("Q", random_matrix(random, {n, sizes.d_k})),
            fixed_input("K", random_matrix(random, {n, sizes.d_k})),
            fixed_input("V", random_matrix(random, {n, sizes.d_v}))};
      }};
}

}  // namespace

std::vector<AssertionFamily> output_shape_families() {
  const auto same_features = [](Random& random, std::int64_t n) {
    const std::int64_t d = random.integer(1, 5);
    return Sizes{n, d, d};
  };
  const auto all_same = [](Random&, std::int64_t n) { return Sizes{n, n, n}; };
  const auto one_feature = [](Random&, std::int64_t n) { return Sizes{n, 1, 3}; };
  const auto one_value = [](Random&, std::int64_t n) { return Sizes{n, 4, 1}; };
  const auto values_as_tokens = [](Random&, std::int64_t n) { return Sizes{n, n + 1, n}; };
  const auto more_of_all = [](Random&, std::int64_t n) { return Sizes{n, 2 * n, 3 * n + 1}; };
  const auto right = [](ResultSizes&, const Sizes&) {};
  const auto wrong = [](std::string label, std::int64_t smallest_n, auto change) {
    return shape_family(std::move(label), false, smallest_n, different_sizes, change);
  };
  return {
      shape_family("a result of the right shapes", true, 1, different_sizes, right),
      shape_family("a result of the right shapes with d_v = d_k", true, 1, same_features, right),
      shape_family("a result of the right shapes with n = d_k = d_v", true, 1, all_same, right),
      shape_family("a result of the right shapes with d_k = 1", true, 1, one_feature, right),
      shape_family("a result of the right shapes with d_v = 1", true, 1, one_value, right),
      shape_family("a result of the right shapes with d_v = n", true, 1, values_as_tokens, right),
      shape_family("a result of the right shapes with more features than tokens", true, 1,
                   more_of_all, right),
      wrong("logits of shape n × d_k", 1,
            [](ResultSizes& r, const Sizes& s) {
              r.logits = {s.n, s.d_k};
            }),
      wrong("logits of shape d_k × d_k", 1,
            [](ResultSizes& r, const Sizes& s) {
              r.logits = {s.d_k, s.d_k};
            }),
      wrong("logits without their last row", 2,
            [](ResultSizes& r, const Sizes&) { --r.logits.rows; }),
      wrong("logits without their last column", 2,
            [](ResultSizes& r, const Sizes&) { --r.logits.columns; }),
      wrong("weights of shape n × d_v", 1,
            [](ResultSizes& r, const Sizes& s) {
              r.weights = {s.n, s.d_v};
            }),
      wrong("weights without their last column", 2,
            [](ResultSizes& r, const Sizes&) { --r.weights.columns; }),
      wrong("weights without their last row", 2,
            [](ResultSizes& r, const Sizes&) { --r.weights.rows; }),
      wrong("an output with one column too many", 1,
            [](ResultSizes& r, const Sizes&) { ++r.output.columns; }),
      wrong("an output as wide as the keys", 1,
            [](ResultSizes& r, const Sizes& s) {
              r.output = {s.n, s.d_k};
            }),
      wrong("a transposed output", 1,
            [](ResultSizes& r, const Sizes& s) {
              r.output = {s.d_v, s.n};
            }),
      wrong("an output of shape n × n", 1,
            [](ResultSizes& r, const Sizes& s) {
              r.output = {s.n, s.n};
            }),
      wrong("an output of one column", 1,
            [](ResultSizes& r, const Sizes&) { r.output.columns = 1; }),
      wrong("an output without its last row", 2,
            [](ResultSizes& r, const Sizes&) { --r.output.rows; }),
  };
}

}  // namespace attention_assignment
