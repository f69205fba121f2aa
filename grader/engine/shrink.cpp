#include "grader/engine/shrink.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "grader/engine/simplicity.hpp"

namespace grader {
namespace {

enum Phase : std::size_t { kCorner, kDimension, kDiscrete, kWhole, kRow, kNumber, kPhases };

constexpr std::int64_t kCorners = 3;              // all dimensions at most 1, 2, 3
constexpr std::size_t kCuts = 4;                  // first index, first two, either half
constexpr std::size_t kDiscreteCandidates = 4;    // 0, 1, half, one less
constexpr std::size_t kWholeCandidatesOfAll = 2;  // round, signs, of all inputs at once
constexpr std::size_t kWholeCandidatesOfOne = 4;  // zeros, ones, signs, round
constexpr std::size_t kNumberCandidates = 13;

/// The nearest integer; never -0.0, which is harder to read than 0.
double rounded(double number) { return std::isfinite(number) ? std::round(number) + 0.0 : number; }

double sign_of(double number) { return number > 0 ? 1 : number < 0 ? -1 : 0; }

/// The largest power of ten that is not above the size of `number`; 0 for small numbers and those
/// too large to write out.
double power_of_ten_below(double number) {
  const double size = std::fabs(number);
  if (!(size > 16 && size < 1e15)) return 0;
  double power = 10;
  while (power * 10 <= size) power *= 10;
  return power;
}

/// 1734 → 1000, or 2000 when rounded up: people read round numbers.
double with_one_digit(double number, bool rounds_up) {
  const double power = power_of_ten_below(number);
  if (power == 0) return number;
  const double size = std::fabs(number) / power;
  return std::copysign((rounds_up ? std::ceil(size) : std::floor(size)) * power, number);
}

/// 1734 → 10000.
double with_power_of_ten(double number) {
  const double power = power_of_ten_below(number);
  return power == 0 ? number : std::copysign(10 * power, number);
}

/// Candidate `position` for one number; may be equal to it or more complicated.
double simpler_number(double number, std::size_t position) {
  const double sign = std::signbit(number) ? -1.0 : 1.0;
  switch (position) {
    case 0: return 0;
    case 1: return 1;
    case 2: return -1;
    case 3: return 2 * sign;
    case 4: return 4 * sign;
    case 5: return rounded(number);
    case 6: return std::isfinite(number) ? std::trunc(number / 2) + 0.0 : number;
    case 7: return std::isfinite(number) ? std::round(number * 8) / 8 + 0.0 : number;
    case 8:
      return std::isfinite(number) && number != 0 ? std::scalbn(sign, std::ilogb(number)) : number;
    case 9: return with_one_digit(number, false);
    case 10: return with_one_digit(number, true);
    case 11: return with_power_of_ten(number);
    default: return std::fabs(number);
  }
}

std::int64_t simpler_integer(std::int64_t integer, std::size_t position) {
  switch (position) {
    case 0: return 0;
    case 1: return 1;
    case 2: return integer / 2;
    default: return integer > 0 ? integer - 1 : integer < 0 ? integer + 1 : 0;
  }
}

void change_numbers(Input& input, double (*change)(double)) {
  if (input.frozen) return;
  if (auto* matrix = std::get_if<Matrix>(&input.value)) {
    std::ranges::transform(matrix->entries, matrix->entries.begin(), change);
  } else if (auto* row = std::get_if<RowVector>(&input.value)) {
    std::ranges::transform(row->entries, row->entries.begin(), change);
  } else if (auto* number = std::get_if<double>(&input.value)) {
    *number = change(*number);
  }
}

double zero(double /*number*/) { return 0; }
double one(double /*number*/) { return 1; }

/// How many numbers of `input` may be simplified.
std::size_t free_numbers(const Input& input) {
  if (input.frozen) return 0;
  if (const auto* matrix = std::get_if<Matrix>(&input.value)) return matrix->entries.size();
  if (const auto* row = std::get_if<RowVector>(&input.value)) return row->entries.size();
  return std::holds_alternative<double>(input.value) ? 1 : 0;
}

double& number_at(Input& input, std::size_t position) {
  if (auto* matrix = std::get_if<Matrix>(&input.value)) return matrix->entries[position];
  if (auto* row = std::get_if<RowVector>(&input.value)) return row->entries[position];
  return std::get<double>(input.value);
}

/// How many rows of `input` may be set to zero one by one.
std::size_t free_rows(const Input& input) {
  const auto* matrix = std::get_if<Matrix>(&input.value);
  if (input.frozen || matrix == nullptr || matrix->rows < 2 || matrix->columns < 2) return 0;
  return static_cast<std::size_t>(matrix->rows);
}

Matrix keep_rows(const Matrix& matrix, const std::vector<std::int64_t>& kept) {
  Matrix result(static_cast<std::int64_t>(kept.size()), matrix.columns);
  for (std::int64_t row = 0; row < result.rows; ++row) {
    for (std::int64_t column = 0; column < result.columns; ++column) {
      result(row, column) = matrix(kept[static_cast<std::size_t>(row)], column);
    }
  }
  return result;
}

Matrix keep_columns(const Matrix& matrix, const std::vector<std::int64_t>& kept) {
  Matrix result(matrix.rows, static_cast<std::int64_t>(kept.size()));
  for (std::int64_t row = 0; row < result.rows; ++row) {
    for (std::int64_t column = 0; column < result.columns; ++column) {
      result(row, column) = matrix(row, kept[static_cast<std::size_t>(column)]);
    }
  }
  return result;
}

bool has_dimension(const Input& input, std::size_t axis, std::string_view dimension) {
  return axis < input.dimensions.size() && input.dimensions[axis] == dimension;
}

/// Indices [first, last).
std::vector<std::int64_t> range(std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> indices(static_cast<std::size_t>(last - first));
  std::iota(indices.begin(), indices.end(), first);
  return indices;
}

/// The indices that cut `position` leaves of a dimension of `size` indices.
std::vector<std::int64_t> cut(std::int64_t size, std::size_t position) {
  const std::int64_t half = size / 2;
  switch (position) {
    case 0: return range(0, 1);
    case 1: return range(0, std::min<std::int64_t>(size, 2));
    case 2: return range(0, half);
    case 3: return range(half, size);
    default: {
      // From the end, because later tokens matter less to a causal reader.
      std::vector<std::int64_t> indices = range(0, size);
      indices.erase(indices.end() - 1 - static_cast<std::ptrdiff_t>(position - kCuts));
      return indices;
    }
  }
}

/// Finds the input and the place in it that `position` of a run over all inputs falls on, where
/// `places` says how many each input has. `position` must be less than their sum.
template <class Places>
std::pair<std::size_t, std::size_t> locate(const Case& test_case, std::size_t position,
                                           Places places) {
  for (std::size_t input = 0; input < test_case.inputs.size(); ++input) {
    const std::size_t here = places(test_case.inputs[input]);
    if (position < here) return {input, position};
    position -= here;
  }
  return {test_case.inputs.size(), 0};
}

template <class Places>
std::size_t sum_of(const Case& test_case, Places places) {
  std::size_t sum = 0;
  for (const Input& input : test_case.inputs) sum += places(input);
  return sum;
}

Case with_simpler_choice(Case test_case, std::size_t position) {
  Input& input = test_case.inputs[position / kDiscreteCandidates];
  if (input.frozen) return test_case;
  if (auto* integer = std::get_if<std::int64_t>(&input.value)) {
    *integer = simpler_integer(*integer, position % kDiscreteCandidates);
  } else if (auto* boolean = std::get_if<bool>(&input.value)) {
    *boolean = true;
  }
  return test_case;
}

Case with_simpler_inputs(Case test_case, std::size_t position) {
  if (position < kWholeCandidatesOfAll) {
    for (Input& input : test_case.inputs) change_numbers(input, position == 0 ? rounded : sign_of);
    return test_case;
  }
  position -= kWholeCandidatesOfAll;
  constexpr std::array<double (*)(double), kWholeCandidatesOfOne> changes = {zero, one, sign_of,
                                                                             rounded};
  change_numbers(test_case.inputs[position / kWholeCandidatesOfOne],
                 changes[position % kWholeCandidatesOfOne]);
  return test_case;
}

}  // namespace

Case keep_indices(const Case& test_case, std::string_view dimension,
                  const std::vector<std::int64_t>& kept) {
  Case result = test_case;
  for (Input& input : result.inputs) {
    if (auto* matrix = std::get_if<Matrix>(&input.value)) {
      if (has_dimension(input, 0, dimension)) *matrix = keep_rows(*matrix, kept);
      if (has_dimension(input, 1, dimension)) *matrix = keep_columns(*matrix, kept);
    } else if (!has_dimension(input, 0, dimension)) {
      continue;
    } else if (auto* row = std::get_if<RowVector>(&input.value)) {
      std::vector<double> entries;
      entries.reserve(kept.size());
      for (const std::int64_t index : kept) {
        entries.push_back(row->entries[static_cast<std::size_t>(index)]);
      }
      row->entries = std::move(entries);
    } else if (auto* integer = std::get_if<std::int64_t>(&input.value)) {
      const auto place = std::ranges::lower_bound(kept, *integer) - kept.begin();
      const auto last = static_cast<std::int64_t>(kept.size()) - 1;
      if (*integer >= 0) *integer = std::min<std::int64_t>(place, last);
    }
  }
  return result;
}

std::vector<Dimension> dimensions_of(const Case& test_case) {
  std::vector<Dimension> dimensions;
  const auto note = [&](const Input& input, std::size_t axis, std::int64_t size) {
    if (axis >= input.dimensions.size() || input.dimensions[axis].empty()) return;
    const std::string& name = input.dimensions[axis];
    auto place = std::ranges::find(dimensions, name, &Dimension::name);
    if (place == dimensions.end()) place = dimensions.insert(place, {name, size, false});
    place->shown = place->shown || input.shown;
  };
  for (const Input& input : test_case.inputs) {
    if (const auto* matrix = std::get_if<Matrix>(&input.value)) {
      note(input, 0, matrix->rows);
      note(input, 1, matrix->columns);
    } else if (const auto* row = std::get_if<RowVector>(&input.value)) {
      note(input, 0, row->size());
    }
  }
  return dimensions;
}

ShrinkCandidates::ShrinkCandidates(ShrinkStep step, Admits admits)
    : step_(std::move(step)),
      admits_(std::move(admits)),
      dimensions_(dimensions_of(step_.test_case)),
      phase_(step_.phase),
      position_(step_.position) {}

std::size_t ShrinkCandidates::count(std::size_t phase) const {
  const Case& test_case = step_.test_case;
  switch (phase) {
    case kCorner: return static_cast<std::size_t>(kCorners);
    case kDimension: {
      std::size_t places = 0;
      for (const Dimension& dimension : dimensions_) {
        places += kCuts + static_cast<std::size_t>(dimension.size);
      }
      return places;
    }
    case kDiscrete: return kDiscreteCandidates * test_case.inputs.size();
    case kWhole: return kWholeCandidatesOfAll + kWholeCandidatesOfOne * test_case.inputs.size();
    case kRow: return sum_of(test_case, free_rows);
    case kNumber: return kNumberCandidates * sum_of(test_case, free_numbers);
    default: return 0;
  }
}

std::optional<Case> ShrinkCandidates::number_candidate(std::size_t position) const {
  const auto [input, place] = locate(step_.test_case, position / kNumberCandidates, free_numbers);
  Input changed = step_.test_case.inputs[input];
  double& number = number_at(changed, place);
  const double candidate = simpler_number(number, position % kNumberCandidates);
  // Cheap test first: most candidates of most numbers are not simpler.
  if (!(cost_of(candidate) < cost_of(number))) return std::nullopt;
  number = candidate;
  Case result = step_.test_case;
  result.inputs[input] = std::move(changed);
  return result;
}

std::optional<Case> ShrinkCandidates::candidate(std::size_t phase, std::size_t position) const {
  const Case& test_case = step_.test_case;
  switch (phase) {
    case kCorner: {
      Case result = test_case;
      for (const Dimension& dimension : dimensions_) {
        const auto size = std::min(dimension.size, static_cast<std::int64_t>(position) + 1);
        if (size < dimension.size) result = keep_indices(result, dimension.name, range(0, size));
      }
      return result;
    }
    case kDimension:
      for (const Dimension& dimension : dimensions_) {
        const std::size_t places = kCuts + static_cast<std::size_t>(dimension.size);
        if (position < places) {
          if (dimension.size < 2) return std::nullopt;
          return keep_indices(test_case, dimension.name, cut(dimension.size, position));
        }
        position -= places;
      }
      return std::nullopt;
    case kDiscrete: return with_simpler_choice(test_case, position);
    case kWhole: return with_simpler_inputs(test_case, position);
    case kRow: {
      const auto [input, row] = locate(test_case, position, free_rows);
      Case result = test_case;
      auto& matrix = std::get<Matrix>(result.inputs[input].value);
      const auto first = static_cast<std::ptrdiff_t>(row) * matrix.columns;
      std::fill_n(matrix.entries.begin() + first, matrix.columns, 0.0);
      return result;
    }
    case kNumber: return number_candidate(position);
    default: return std::nullopt;
  }
}

bool ShrinkCandidates::simpler(const Case& candidate) const {
  return cost_of(candidate) < cost_of(step_.test_case) && (!admits_ || admits_(candidate));
}

std::optional<ShrinkStep> ShrinkCandidates::next() {
  while (true) {
    if (position_ >= count(phase_)) {
      position_ = 0;
      if (++phase_ >= kPhases) {
        if (came_round_) return std::nullopt;
        came_round_ = true;
        phase_ = 0;
      }
    }
    if (came_round_ && std::pair(phase_, position_) >= std::pair(step_.phase, step_.position)) {
      return std::nullopt;
    }
    const std::size_t phase = phase_;
    const std::size_t position = position_++;
    if (position >= count(phase)) continue;
    std::optional<Case> smaller = candidate(phase, position);
    if (smaller && simpler(*smaller)) return ShrinkStep{std::move(*smaller), phase, position};
  }
}

}  // namespace grader
