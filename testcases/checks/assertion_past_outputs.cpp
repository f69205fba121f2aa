// Outputs before and after a change, for past_outputs_unchanged.
#include <algorithm>
#include <utility>

#include "testcases/checks/assertion_family.hpp"

namespace attention_assignment {
namespace {

using grader::Input;
using grader::Matrix;
using grader::Random;

/// Outputs in steps of 1/256 between -2 and 2.
Matrix random_outputs(Random& random, std::int64_t n, std::int64_t d_v) {
  Matrix outputs(n, d_v);
  for (double& entry : outputs.entries) {
    entry = static_cast<double>(random.integer(-2 * kUnits, 2 * kUnits)) / kUnits;
  }
  return outputs;
}

/// Adds a quarter or more, up or down, to every entry of a row.
void change_row(Random& random, Matrix& outputs, std::int64_t row) {
  for (std::int64_t c = 0; c < outputs.columns; ++c) {
    const double change = static_cast<double>(random.integer(kUnits / 4, kUnits)) / kUnits;
    outputs(row, c) += random.chance(1, 2) ? change : -change;
  }
}

void change_rows(Random& random, Matrix& outputs, std::int64_t first, std::int64_t end) {
  for (std::int64_t i = first; i < end; ++i) change_row(random, outputs, i);
}

/// The outputs `before`, and after `change(random, after, changed_token)`.
template <typename Change>
std::vector<Input> changed_outputs(Random& random, const Matrix& before, std::int64_t changed_token,
                                   Change change) {
  Matrix after = before;
  change(random, after, changed_token);
  return {fixed_input("before", before), fixed_input("after", after),
          fixed_input("changed_token", changed_token)};
}

/// A family in which `change(random, after, token)` turns the outputs before into those after.
template <typename Token, typename Change>
AssertionFamily outputs_family(std::string label, bool valid, std::int64_t smallest_n, Token token,
                               Change change) {
  return {std::move(label), valid, smallest_n, [token, change](Random& random, std::int64_t n) {
            const Matrix before = random_outputs(random, n, random.integer(2, 4));
            return changed_outputs(random, before, token(random, n), change);
          }};
}

std::int64_t any_token(Random& random, std::int64_t n) { return random.integer(0, n - 1); }
std::int64_t first_token(Random& /*random*/, std::int64_t /*n*/) { return 0; }
std::int64_t last_token(Random& /*random*/, std::int64_t n) { return n - 1; }
std::int64_t from_second(Random& random, std::int64_t n) { return random.integer(1, n - 1); }
std::int64_t from_third(Random& random, std::int64_t n) { return random.integer(2, n - 1); }

void change_nothing(Random& /*random*/, Matrix& /*after*/, std::int64_t /*token*/) {}
void change_its_row(Random& random, Matrix& after, std::int64_t token) {
  change_row(random, after, token);
}
void change_from_it_on(Random& random, Matrix& after, std::int64_t token) {
  change_rows(random, after, token, after.rows);
}
/// The changed token and those after it differ by a million.
void change_much(Random& /*random*/, Matrix& after, std::int64_t token) {
  for (std::int64_t i = token; i < after.rows; ++i) {
    for (std::int64_t c = 0; c < after.columns; ++c) after(i, c) += 1e6;
  }
}
void change_first(Random& random, Matrix& after, std::int64_t /*token*/) {
  change_row(random, after, 0);
}
void change_previous(Random& random, Matrix& after, std::int64_t token) {
  change_row(random, after, token - 1);
}
void change_all(Random& random, Matrix& after, std::int64_t /*token*/) {
  change_rows(random, after, 0, after.rows);
}
void change_all_before(Random& random, Matrix& after, std::int64_t token) {
  change_rows(random, after, 0, token);
}

/// Adds `change` to one entry of a past row, in the last feature.
auto change_one_entry(double change) {
  return [change](Random& random, Matrix& after, std::int64_t token) {
    after(random.integer(0, token - 1), after.columns - 1) += change;
    change_rows(random, after, token, after.rows);
  };
}

void change_without_sum(Random& random, Matrix& after, std::int64_t token) {
  const std::int64_t row = random.integer(0, token - 1);
  after(row, 0) += 0.5;
  after(row, after.columns - 1) -= 0.5;
}

}  // namespace

std::vector<AssertionFamily> past_output_families() {
  const AssertionFamily one_value = {
      "outputs of a single value that differ from the changed token on", true, 1,
      [](Random& random, std::int64_t n) {
        const Matrix before = random_outputs(random, n, 1);
        return changed_outputs(random, before, any_token(random, n), change_from_it_on);
      }};
  return {
      outputs_family("outputs of which only the changed token's differs", true, 1, any_token,
                     change_its_row),
      outputs_family("outputs that all differ from the changed token on", true, 2, from_second,
                     change_from_it_on),
      outputs_family("outputs that all differ after the first token (0) changed", true, 1,
                     first_token, change_all),
      outputs_family("outputs of which the last differs after the last token changed", true, 2,
                     last_token, change_its_row),
      outputs_family("outputs that do not differ at all", true, 1, any_token, change_nothing),
      outputs_family("outputs that differ by a million from the changed token on", true, 1,
                     any_token, change_much),
      one_value,
      outputs_family("outputs of which only the first differs, before the changed token", false, 2,
                     from_second, change_first),
      outputs_family("outputs of which the one just before the changed token differs", false, 3,
                     from_third, change_previous),
      outputs_family("outputs that all differ, those before the changed token too", false, 2,
                     from_second, change_all),
      outputs_family("outputs that differ before the changed token only", false, 2, from_second,
                     change_all_before),
      outputs_family("a past output that is larger by 1/512 in its last feature", false, 2,
                     from_second, change_one_entry(1.0 / 512)),
      outputs_family("a past output that is smaller by 1 in its last feature", false, 2,
                     from_second, change_one_entry(-1.0)),
      outputs_family("a past output that changed without changing its sum", false, 2, from_second,
                     change_without_sum),
  };
}

}  // namespace attention_assignment
