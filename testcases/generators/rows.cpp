#include "testcases/generators/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "testcases/generators/domain.hpp"

namespace attention_assignment {
namespace {

using grader::Random;
using grader::RowVector;

constexpr double kMasked = -std::numeric_limits<double>::infinity();

template <class DrawEntry>
RowVector row_of(std::int64_t size, DrawEntry draw_entry) {
  RowVector row;
  for (std::int64_t entry = 0; entry < size; ++entry) row.entries.push_back(draw_entry());
  return row;
}

std::int64_t draw_size(Random& random, const grader::Schedule& schedule) {
  if (schedule.index % 50 == 49) return 40;
  return random.chance(1, 12) ? 1 : random.integer(2, 12);
}

RowVector normal_row(Random& random, std::int64_t size) {
  return row_of(size, [&] { return 2 * random.normal(); });
}

RowVector integer_row(Random& random, std::int64_t size) {
  return row_of(size, [&] { return static_cast<double>(random.integer(-6, 6)); });
}

RowVector row_of_ties(Random& random, std::int64_t size) {
  const double logit = 5 * random.normal();
  return row_of(size, [&] { return random.chance(3, 4) ? logit : logit - 1; });
}

RowVector offset_row(Random& random, std::int64_t size) {
  const double offset = random.uniform(-570, 570);
  return row_of(size, [&] { return offset + random.normal(); });
}

RowVector tiny_row(Random& random, std::int64_t size) {
  return row_of(
      size, [&] { return std::ldexp(random.normal(), -static_cast<int>(random.integer(1, 900))); });
}

RowVector wide_row(Random& random, std::int64_t size) {
  return row_of(size, [&] { return random.uniform(-145, 145); });
}

RowVector masked_row(Random& random, std::int64_t size) {
  RowVector row = normal_row(random, size);
  for (std::size_t entry = 1; entry < row.entries.size(); ++entry) {
    if (random.chance(1, 3)) row.entries[entry] = kMasked;
  }
  return row;
}

RowVector huge_row(Random& random, std::int64_t size) {
  return row_of(size, [&] { return 1e4 * random.normal(); });
}

RowVector far_apart_row(Random& random, std::int64_t size) {
  RowVector row = row_of(size, [&] { return random.uniform(-5000, 5000); });
  row(random.integer(0, size - 1)) = 5000;
  if (size > 1) row(random.integer(0, size - 1)) = 4999;
  return row;
}

RowVector very_negative_row(Random& random, std::int64_t size) {
  const double level = random.chance(1, 2) ? -2e4 : -900;
  return row_of(size, [&] { return level + random.normal(); });
}

RowVector huge_offset_row(Random& random, std::int64_t size) {
  const double offset = random.chance(1, 2) ? 1e6 : 2e3;
  return row_of(size, [&] { return offset + random.normal(); });
}

RowVector masked_front_row(Random& random, std::int64_t size) {
  RowVector row = normal_row(random, size + 1);
  row(0) = kMasked;
  if (row.size() > 3 && random.chance(1, 2)) row(1) = kMasked;
  return row;
}

RowVector nearly_all_masked_row(Random& random, std::int64_t size) {
  RowVector row = row_of(size, [] { return kMasked; });
  row(random.integer(0, size - 1)) = 1000 * random.normal();
  return row;
}

/// One logit towers over all others; every correct style gives exactly one-hot.
RowVector enormous_row(Random& random, std::int64_t size) {
  RowVector row = row_of(size, [&] { return -std::ldexp(1.0 + random.unit(), 900); });
  row(random.integer(0, size - 1)) = std::ldexp(1.0, 1000);
  return row;
}

/// Logits of which only differences matter that are barely above rounding.
RowVector barely_different_row(Random& random, std::int64_t size) {
  return row_of(size, [&] { return std::ldexp(random.normal(), -40); });
}

struct RowClass {
  std::string_view name;
  RowVector (*draw)(Random&, std::int64_t size);
};

constexpr std::array<RowClass, 7> kOrdinary = {{{"normal", normal_row},
                                                {"integers", integer_row},
                                                {"ties", row_of_ties},
                                                {"offset", offset_row},
                                                {"tiny", tiny_row},
                                                {"wide", wide_row},
                                                {"masked", masked_row}}};

constexpr std::array<RowClass, 8> kExtreme = {{{"huge", huge_row},
                                               {"far apart", far_apart_row},
                                               {"very negative", very_negative_row},
                                               {"huge offset", huge_offset_row},
                                               {"masked front", masked_front_row},
                                               {"nearly all masked", nearly_all_masked_row},
                                               {"enormous", enormous_row},
                                               {"barely different", barely_different_row}}};

template <std::size_t count>
LabelledRow draw_of(const std::array<RowClass, count>& classes, Random& random,
                    const grader::Schedule& schedule) {
  const RowClass& drawn = classes[static_cast<std::size_t>(schedule.index) % count];
  const std::int64_t size = draw_size(random, schedule);
  return {drawn.draw(random, size), std::string(drawn.name)};
}

}  // namespace

LabelledRow draw_logits(Random& random, const grader::Schedule& schedule) {
  return draw_of(kOrdinary, random, schedule);
}

RowVector draw_dyadic_logits(Random& random) {
  const std::int64_t size = random.integer(2, 12);
  const std::int64_t reach = random.chance(1, 2) ? 8 << 10 : 100 << 10;
  return row_of(
      size, [&] { return std::ldexp(static_cast<double>(random.integer(-reach, reach)), -10); });
}

LabelledRow draw_extreme_logits(Random& random, const grader::Schedule& schedule) {
  return draw_of(kExtreme, random, schedule);
}

LabelledRow draw_distribution(Random& random, const grader::Schedule& schedule) {
  const std::int64_t size = draw_size(random, schedule);
  RowVector row;
  std::string label;
  switch (schedule.index % 4) {
    case 0:
      label = "uniform";
      row = row_of(size, [] { return 1.0; });
      break;
    case 1:
      label = "one-hot";
      row = row_of(size, [] { return 0.0; });
      row(random.integer(0, size - 1)) = 1;
      break;
    case 2:
      label = "with zeros";
      row = row_of(size, [&] { return random.chance(1, 3) ? 0.0 : random.uniform(0.01, 1); });
      row(0) = 1;
      break;
    default:
      label = "many magnitudes";
      row = row_of(size, [&] { return std::ldexp(1.0, -static_cast<int>(random.integer(0, 60))); });
  }
  double sum = 0;
  for (const double weight : row.entries) sum += weight;
  for (double& weight : row.entries) weight /= sum;
  return {row, label};
}

bool is_promised_row(const RowVector& row) {
  return std::ranges::none_of(row.entries,
                              [](double z) { return std::isnan(z) || z == -kMasked; }) &&
         std::ranges::any_of(row.entries, [](double z) { return std::isfinite(z); });
}

bool is_ordinary_row(const RowVector& row) {
  if (!is_promised_row(row) || !std::isfinite(row.entries.front())) return false;
  double low = row.entries.front();
  double high = low;
  for (const double logit : row.entries) {
    if (!std::isfinite(logit)) continue;
    low = std::min(low, logit);
    high = std::max(high, logit);
  }
  return std::abs(low) <= kLargestLogit && std::abs(high) <= kLargestLogit &&
         high - low <= kLargestSpread;
}

}  // namespace attention_assignment
