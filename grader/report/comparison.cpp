#include "grader/report/comparison.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "grader/report/grid.hpp"
#include "grader/report/number_text.hpp"
#include "grader/report/value_pairs.hpp"
#include "grader/report/value_text.hpp"

namespace grader {
namespace {

using Lines = std::vector<std::string>;

// One half of a table: a heading and its cells, one a row.
struct Half {
  std::string heading;
  Lines cells;
  std::size_t width = 0;
  std::string size;  ///< of a matrix or row vector, else empty
  std::int64_t first_row = 0;
  std::int64_t rows_left_out = 0;
  bool is_matrix = false;
};

Half half_of(const std::string& heading, const Value& value, const Difference& around, int digits) {
  Half half;
  half.heading = heading;
  half.is_matrix = kind_of(value) == Kind::matrix;
  if (const auto grid = grid_of(value, around.row, around.column, digits)) {
    half.cells = grid->lines;
    half.size = grid->size;
    half.first_row = grid->first_row;
    half.rows_left_out = grid->rows_left_out;
    if (half.cells.empty()) half.cells = {"(empty)"};
  } else {
    half.cells = {inline_text(value)};
  }
  for (const std::string& cell : half.cells) {
    half.width = std::max(half.width, display_width(cell));
  }
  return half;
}

// The table of one pair.
class Table {
 public:
  Table(const ValuePair& pair, const Judgement& judgement, std::size_t indent)
      : pair_(pair),
        yours_(returned_title(judgement)),
        expected_(expected_title(judgement)),
        margin_(indent, ' '),
        label_width_(std::max<std::size_t>(display_width(pair.name), 9) + kGap) {
    const std::optional<Difference>& difference = judgement.first_difference;
    if (difference && difference->value == pair.name) difference_ = difference;
    around_ = difference.value_or(Difference{});
    set_digits(kDigits);
    if (!fits()) set_digits(kFewDigits);
  }

  [[nodiscard]] Lines lines(const Paint& paint) const {
    Lines lines;
    if (fits()) {
      append_side_by_side(lines, paint);
    } else {
      append_half(lines, halves_.front(), paint, true);
      append_half(lines, halves_.back(), paint, false);
    }
    const std::int64_t left_out = halves_.front().rows_left_out;
    if (left_out > 0) {
      lines.push_back(margin_ + "    … " + counted(static_cast<std::size_t>(left_out), "more row") +
                      " in the scorecard");
    }
    append_every_digit(lines);
    return lines;
  }

 private:
  void set_digits(int digits) {
    halves_.clear();
    if (pair_.yours != nullptr) {
      halves_.push_back(half_of(yours_, *pair_.yours, around_, digits));
    }
    if (pair_.expected != nullptr) {
      halves_.push_back(half_of(expected_, *pair_.expected, around_, digits));
    }
    const bool same_size = halves_.front().size == halves_.back().size;
    for (Half& half : halves_) {
      if (!same_size && !half.size.empty()) half.heading += " (" + half.size + ")";
      half.width = std::max(half.width, display_width(half.heading));
    }
  }

  [[nodiscard]] bool fits() const {
    constexpr std::size_t kTableWidth = 100;
    std::size_t width = margin_.size() + label_width_;
    for (const Half& half : halves_) width += half.width + kGap;
    return halves_.size() == 1 || width - kGap <= kTableWidth;
  }

  [[nodiscard]] static std::string row_label(const Half& half, std::size_t row) {
    if (!half.is_matrix) return "";
    return "    row " + std::to_string(half.first_row + static_cast<std::int64_t>(row));
  }

  [[nodiscard]] std::string mark(std::size_t row) const {
    if (!difference_) return "";
    const Half& half = halves_.front();
    if (half.size.empty()) return row == 0 ? "← first difference" : "";
    if (half.first_row + static_cast<std::int64_t>(row) != difference_->row) return "";
    return "← first difference: column " + std::to_string(difference_->column);
  }

  void append_side_by_side(Lines& lines, const Paint& paint) const {
    std::string head = margin_ + padded(pair_.name, label_width_);
    std::size_t height = 0;
    for (const Half& half : halves_) {
      head += padded(half.heading, half.width + kGap);
      height = std::max(height, half.cells.size());
    }
    lines.push_back(std::move(head));
    for (std::size_t row = 0; row < height; ++row) {
      std::string line = margin_ + padded(row_label(halves_.front(), row), label_width_);
      for (const Half& half : halves_) {
        line += padded(row < half.cells.size() ? half.cells[row] : "", half.width + kGap);
      }
      lines.push_back(line + paint.bad(mark(row)));
    }
  }

  void append_half(Lines& lines, const Half& half, const Paint& paint, bool is_marked) const {
    lines.push_back(margin_ + pair_.name + ", " + half.heading);
    for (std::size_t row = 0; row < half.cells.size(); ++row) {
      const std::string note = is_marked ? mark(row) : "";
      lines.push_back(margin_ + padded(row_label(half, row), label_width_) +
                      padded(half.cells[row], half.width + kGap) + paint.bad(note));
    }
  }

  // When the shown digits hide the difference, every digit of the two entries.
  void append_every_digit(Lines& lines) const {
    if (!difference_ || halves_.size() != 2) return;
    const auto yours = entry_of(*pair_.yours, difference_->row, difference_->column);
    const auto expected = entry_of(*pair_.expected, difference_->row, difference_->column);
    if (!yours || !expected) return;
    if (number_text(*yours, kFewDigits) != number_text(*expected, kFewDigits)) return;
    lines.push_back(margin_ + "    in every digit: " + yours_ + " " + exact_number_text(*yours) +
                    ", " + expected_ + " " + exact_number_text(*expected));
  }

  const ValuePair& pair_;
  std::string yours_;
  std::string expected_;
  std::string margin_;
  std::size_t label_width_;
  std::optional<Difference> difference_;  ///< when it is in this pair
  Difference around_;
  std::vector<Half> halves_;  ///< one or two
};

}  // namespace

Lines comparison_text(const Judgement& judgement, std::size_t indent, const Paint& paint) {
  constexpr std::size_t kShownPairs = 4;
  Lines lines;
  const std::vector<ValuePair> pairs = value_pairs(judgement);
  for (std::size_t index = 0; index < std::min(pairs.size(), kShownPairs); ++index) {
    append(lines, Table(pairs[index], judgement, indent).lines(paint));
  }
  if (pairs.size() > kShownPairs) {
    lines.push_back(std::string(indent, ' ') + "… " +
                    counted(pairs.size() - kShownPairs, "more value") + " in the scorecard");
  }
  return lines;
}

}  // namespace grader
