// Pairs of weights whose order of entropy is known by construction, for scaling_raises_entropy.
//
// Moving weight from the largest entry of a row to smaller ones, without making them larger than
// it, raises the row's entropy. Here every row has one large entry; a flatter row is made by such
// moves of at least 1/64, which raises the entropy by more than 1e-3 nats.
#include <utility>

#include "testcases/checks/assertion_family.hpp"

namespace attention_assignment {
namespace {

using grader::Input;
using grader::Matrix;
using grader::Random;
using grader::RowVector;

constexpr std::int64_t kGrains = 64;

double grains(std::int64_t count) {
  return static_cast<double>(count) / static_cast<double>(kGrains);
}

/// How flat a row is.
enum class Flatness : std::uint8_t {
  one_hot,  ///< everything on one token
  peaked,   ///< 1/64 on every visible token but one
  flatter,  ///< 2/64 on every visible token but one
  even,     ///< the same on every visible token, but for what does not divide
};

/// A row of `n` weights over the first `visible` tokens, whose largest entry is at `peak`.
RowVector row_of_flatness(Flatness flatness, std::int64_t visible, std::int64_t peak,
                          std::int64_t n) {
  std::int64_t other = 1;
  if (flatness == Flatness::one_hot) other = 0;
  if (flatness == Flatness::flatter) other = 2;
  if (flatness == Flatness::even) other = kGrains / visible;
  RowVector row{std::vector<double>(static_cast<std::size_t>(n), 0.0)};
  for (std::int64_t j = 0; j < visible; ++j) row(j) = grains(other);
  row(peak) = grains(kGrains - other * (visible - 1));
  return row;
}

/// The flatness of row i of the scaled and of the unscaled weights.
using Flatnesses = std::pair<Flatness, Flatness>;

/// A family whose rows have the flatness that `choose(i, n)` says.
template <typename Choose>
AssertionFamily pair_family(std::string label, bool valid, std::int64_t smallest_n, bool causal,
                            Choose choose) {
  return {std::move(label), valid, smallest_n, [causal, choose](Random& random, std::int64_t n) {
            Matrix scaled(n, n);
            Matrix unscaled(n, n);
            for (std::int64_t i = 0; i < n; ++i) {
              const std::int64_t visible = causal ? i + 1 : n;
              const std::int64_t peak = random.integer(0, visible - 1);
              const auto [scaled_flatness, unscaled_flatness] = choose(i, n);
              set_row(scaled, i, row_of_flatness(scaled_flatness, visible, peak, n));
              set_row(unscaled, i, row_of_flatness(unscaled_flatness, visible, peak, n));
            }
            return std::vector<Input>{fixed_input("scaled_weights", std::move(scaled)),
                                      fixed_input("unscaled_weights", std::move(unscaled))};
          }};
}

constexpr Flatnesses kGains = {Flatness::flatter, Flatness::peaked};
constexpr Flatnesses kGainsMuch = {Flatness::even, Flatness::peaked};
constexpr Flatnesses kEqual = {Flatness::flatter, Flatness::flatter};
constexpr Flatnesses kStaysOneHot = {Flatness::one_hot, Flatness::one_hot};
constexpr Flatnesses kGainsFromNothing = {Flatness::flatter, Flatness::one_hot};
constexpr Flatnesses kLosesAll = {Flatness::one_hot, Flatness::flatter};
constexpr Flatnesses kLoses = {Flatness::peaked, Flatness::flatter};
constexpr Flatnesses kLosesMuch = {Flatness::peaked, Flatness::even};

}  // namespace

std::vector<AssertionFamily> entropy_families() {
  const auto all = [](Flatnesses flatnesses) {
    return [flatnesses](std::int64_t, std::int64_t) { return flatnesses; };
  };
  const auto last_gains = [](std::int64_t i, std::int64_t n) {
    return i == n - 1 ? kGainsMuch : kEqual;
  };
  const auto last_loses = [](std::int64_t i, std::int64_t n) {
    return i == n - 1 ? kLoses : kGainsMuch;
  };
  const auto second_loses = [](std::int64_t i, std::int64_t) {
    return i == 1 ? kLoses : kGainsMuch;
  };
  const auto first_loses = [](std::int64_t i, std::int64_t) {
    return i == 0 ? kLoses : kGainsMuch;
  };
  const auto middle_loses = [](std::int64_t i, std::int64_t n) {
    return i == n / 2 ? kLosesAll : kGains;
  };
  const auto all_but_last_lose = [](std::int64_t i, std::int64_t n) {
    return i == n - 1 ? kGainsMuch : kLoses;
  };
  const auto last_loses_rest_equal = [](std::int64_t i, std::int64_t n) {
    return i == n - 1 ? kLoses : kEqual;
  };
  return {
      pair_family("causal weights that all gain entropy, but the first row's", true, 1, true,
                  all(kGains)),
      pair_family("equal weights", true, 1, true, all(kEqual)),
      pair_family("weights of which only the last row gains entropy", true, 2, true, last_gains),
      pair_family("weights without a mask that all gain entropy", true, 2, false, all(kGainsMuch)),
      pair_family("equal weights without a mask", true, 2, false, all(kEqual)),
      pair_family("saturated weights (a single 1 in each row), scaled or not", true, 1, true,
                  all(kStaysOneHot)),
      pair_family("weights that are saturated without scaling alone", true, 2, true,
                  all(kGainsFromNothing)),
      pair_family("weights that are saturated with scaling alone", false, 2, true, all(kLosesAll)),
      pair_family("weights without a mask of which one row in the middle loses all its entropy",
                  false, 3, false, middle_loses),
      pair_family("weights without a mask of which all rows lose entropy but the last", false, 2,
                  false, all_but_last_lose),
      pair_family("weights that all lose entropy", false, 2, true, all(kLoses)),
      pair_family("weights that lose nearly all their entropy", false, 2, true, all(kLosesMuch)),
      pair_family("weights without a mask that all lose entropy", false, 2, false, all(kLoses)),
      pair_family("weights of which only the last row loses entropy, the others gaining more",
                  false, 3, true, last_loses),
      pair_family("weights of which only the second row loses entropy", false, 3, true,
                  second_loses),
      pair_family("weights without a mask of which only the first row loses entropy", false, 2,
                  false, first_loses),
      pair_family("weights of which only the last row loses entropy, the others being equal", false,
                  2, true, last_loses_rest_equal),
  };
}

}  // namespace attention_assignment
