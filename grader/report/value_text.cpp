#include "grader/report/value_text.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "grader/report/grid.hpp"
#include "grader/report/number_text.hpp"

namespace grader {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t kGap = 4;  // between blocks that stand side by side

bool is_scalar(const Value& value) {
  return kind_of(value) == Kind::boolean || kind_of(value) == Kind::integer ||
         kind_of(value) == Kind::number;
}

std::string scalar_text(const Value& value) {
  if (const auto* boolean = std::get_if<bool>(&value)) return *boolean ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  return exact_number_text(std::get<double>(value));
}

bool is_flat_record(const Value& value) {
  const auto* record = std::get_if<Record>(&value);
  return record != nullptr && std::ranges::all_of(record->fields, [](const Field& field) {
           return is_scalar(field.value);
         });
}

// "Q = " before the first line, spaces of the same width before the others.
Lines labelled(const std::string& label, const Lines& lines) {
  Lines block;
  for (const std::string& line : lines) {
    block.push_back((block.empty() ? label : std::string(display_width(label), ' ')) + line);
  }
  return block;
}

Lines input_block(const std::string& name, const Value& value) {
  const std::string label = name + " = ";
  const auto grid = grid_of(value, 0, 0);
  if (!grid) return {label + inline_text(value)};
  if (grid->lines.empty()) return {label + "(empty, " + grid->size + ")"};
  Lines block = labelled(label, grid->lines);
  if (grid->rows_left_out > 0) {
    block.push_back(std::string(display_width(label), ' ') + "… " +
                    counted(static_cast<std::size_t>(grid->rows_left_out), "more row"));
  }
  return block;
}

std::size_t width_of(const Lines& lines) {
  std::size_t width = 0;
  for (const std::string& line : lines) width = std::max(width, display_width(line));
  return width;
}

// Appends the blocks side by side, as many as fit.
void append_blocks(Lines& lines, const std::vector<Lines>& blocks, std::size_t indent) {
  std::size_t next = 0;
  while (next < blocks.size()) {
    std::size_t end = next;
    std::size_t width = indent;
    std::size_t height = 0;
    while (end < blocks.size() && (end == next || width + width_of(blocks[end]) <= kReportWidth)) {
      width += width_of(blocks[end]) + kGap;
      height = std::max(height, blocks[end].size());
      ++end;
    }
    for (std::size_t row = 0; row < height; ++row) {
      std::string line(indent, ' ');
      for (std::size_t block = next; block < end; ++block) {
        const std::string cell = row < blocks[block].size() ? blocks[block][row] : "";
        line += padded(cell, width_of(blocks[block]) + kGap);
      }
      lines.push_back(std::move(line));
    }
    next = end;
  }
}

// A returned or expected value that can be set beside its counterpart.
struct Leaf {
  std::string name;
  const Value* yours = nullptr;
  const Value* expected = nullptr;
};

void collect(std::vector<Leaf>& leaves, const std::string& name, const Value& value,
             const Value* Leaf::*side) {
  const auto* record = std::get_if<Record>(&value);
  if (record != nullptr && !is_flat_record(value)) {
    for (const Field& field : record->fields) {
      collect(leaves, name + "." + field.name, field.value, side);
    }
    return;
  }
  auto found = std::ranges::find(leaves, name, &Leaf::name);
  if (found == leaves.end()) found = leaves.insert(leaves.end(), Leaf{name, nullptr, nullptr});
  (*found).*side = &value;
}

bool agrees(const Leaf& leaf) {
  return leaf.yours != nullptr && leaf.expected != nullptr &&
         identical(*leaf.yours, *leaf.expected);
}

std::vector<Leaf> leaves_of(const Judgement& judgement) {
  std::vector<Leaf> leaves;
  for (const Field& field : judgement.returned) {
    collect(leaves, field.name, field.value, &Leaf::yours);
  }
  for (const Field& field : judgement.expected) {
    collect(leaves, field.name, field.value, &Leaf::expected);
  }
  if (!std::ranges::all_of(leaves, agrees)) std::erase_if(leaves, agrees);
  return leaves;
}

std::string heading(const std::string& word, const std::optional<Grid>& grid, bool with_size) {
  return with_size && grid ? word + " (" + grid->size + ")" : word;
}

std::string cell_line(const std::optional<Grid>& grid, const Value* value, std::size_t row) {
  if (value == nullptr) return "";
  if (!grid) return row == 0 ? inline_text(*value) : "";
  if (grid->lines.empty()) return row == 0 ? "(empty)" : "";
  return row < grid->lines.size() ? grid->lines[row] : "";
}

// One returned value beside the expected one.
class Comparison {
 public:
  Comparison(const Leaf& leaf, const std::optional<Difference>& difference)
      : leaf_(leaf), difference_(difference) {
    const std::int64_t row = difference ? difference->row : 0;
    const std::int64_t column = difference ? difference->column : 0;
    if (leaf.yours != nullptr) yours_ = grid_of(*leaf.yours, row, column);
    if (leaf.expected != nullptr) expected_ = grid_of(*leaf.expected, row, column);
    same_size_ = yours_ && expected_ && yours_->size == expected_->size;
  }

  [[nodiscard]] Lines lines(std::size_t indent, const Paint& paint) const {
    const std::string margin(indent, ' ');
    const std::size_t height = std::max<std::size_t>(
        {1, yours_ ? yours_->lines.size() : 0, expected_ ? expected_->lines.size() : 0});
    const bool both = leaf_.yours != nullptr && leaf_.expected != nullptr;
    const std::string yours_heading = heading("yours", yours_, both && !same_size_);
    const std::string expected_heading = heading("expected", expected_, both && !same_size_);
    const std::size_t yours_width =
        std::max(width(yours_, leaf_.yours, height),
                 leaf_.yours != nullptr ? display_width(yours_heading) : 0);
    const std::size_t label_width = std::max(display_width(leaf_.name), std::size_t{9}) + kGap;
    const bool stacked = both && indent + label_width + yours_width + kGap +
                                         width(expected_, leaf_.expected, height) >
                                     kReportWidth;
    if (stacked) return stacked_lines(indent, label_width, height, paint);
    Lines lines;
    std::string head = padded(leaf_.name, label_width);
    if (leaf_.yours != nullptr) head += padded(yours_heading, yours_width + kGap);
    if (leaf_.expected != nullptr) head += expected_heading;
    lines.push_back(margin + head);
    for (std::size_t row = 0; row < height; ++row) {
      std::string line = padded(row_label(row), label_width);
      if (leaf_.yours != nullptr) {
        line += padded(cell_line(yours_, leaf_.yours, row), yours_width + kGap);
      }
      const std::string expected_cell = cell_line(expected_, leaf_.expected, row);
      const std::string note = mark(row);
      line += note.empty() ? expected_cell
                           : padded(expected_cell, width(expected_, leaf_.expected, height) + kGap);
      lines.push_back(margin + line + (note.empty() ? "" : paint.bad(note)));
    }
    append_cut(lines, margin);
    append_digits(lines, margin);
    return lines;
  }

 private:
  [[nodiscard]] static std::size_t width(const std::optional<Grid>& grid, const Value* value,
                                         std::size_t height) {
    std::size_t widest = 0;
    for (std::size_t row = 0; row < height; ++row) {
      widest = std::max(widest, display_width(cell_line(grid, value, row)));
    }
    return widest;
  }

  [[nodiscard]] const std::optional<Grid>& main_grid() const { return yours_ ? yours_ : expected_; }

  [[nodiscard]] bool is_matrix() const {
    const Value* value = leaf_.yours != nullptr ? leaf_.yours : leaf_.expected;
    return kind_of(*value) == Kind::matrix;
  }

  [[nodiscard]] std::string row_label(std::size_t row) const {
    if (!is_matrix() || !main_grid()) return "";
    return "    row " + std::to_string(main_grid()->first_row + static_cast<std::int64_t>(row));
  }

  [[nodiscard]] bool is_different_here() const {
    return difference_ && difference_->value == leaf_.name;
  }

  [[nodiscard]] std::string mark(std::size_t row) const {
    if (!is_different_here()) return "";
    if (!main_grid()) return row == 0 ? "← first difference" : "";
    const std::int64_t index = main_grid()->first_row + static_cast<std::int64_t>(row);
    if (index != difference_->row) return "";
    return "← first difference: column " + std::to_string(difference_->column);
  }

  [[nodiscard]] Lines stacked_lines(std::size_t indent, std::size_t label_width, std::size_t height,
                                    const Paint& paint) const {
    const std::string margin(indent, ' ');
    Lines lines;
    const auto half = [&](const std::string& word, const std::optional<Grid>& grid,
                          const Value* value) {
      lines.push_back(margin + leaf_.name + ", " + heading(word, grid, !same_size_));
      for (std::size_t row = 0; row < height; ++row) {
        const std::string cell = cell_line(grid, value, row);
        if (cell.empty()) continue;
        const std::string note = mark(row);
        lines.push_back(margin + padded(row_label(row), label_width) + cell +
                        (note.empty() ? "" : "    " + paint.bad(note)));
      }
    };
    half("yours", yours_, leaf_.yours);
    half("expected", expected_, leaf_.expected);
    append_cut(lines, margin);
    append_digits(lines, margin);
    return lines;
  }

  void append_cut(Lines& lines, const std::string& margin) const {
    if (!main_grid() || main_grid()->rows_left_out == 0) return;
    lines.push_back(margin + "    … " +
                    counted(static_cast<std::size_t>(main_grid()->rows_left_out), "row") +
                    " not shown; the scorecard has all of them");
  }

  // When the shown digits hide the difference, every digit of the two entries.
  void append_digits(Lines& lines, const std::string& margin) const {
    if (!is_different_here() || leaf_.yours == nullptr || leaf_.expected == nullptr) return;
    const auto yours = entry_of(*leaf_.yours, difference_->row, difference_->column);
    const auto expected = entry_of(*leaf_.expected, difference_->row, difference_->column);
    if (!yours || !expected || number_text(*yours) != number_text(*expected)) return;
    lines.push_back(margin + "    in every digit: yours " + exact_number_text(*yours) +
                    ", expected " + exact_number_text(*expected));
  }

  const Leaf& leaf_;
  const std::optional<Difference>& difference_;
  std::optional<Grid> yours_;
  std::optional<Grid> expected_;
  bool same_size_ = false;
};

}  // namespace

std::string dimensions_text(const Case& test_case) {
  std::vector<std::string> names;
  std::string text;
  const auto add = [&](const std::string& name, std::int64_t size) {
    if (std::ranges::find(names, name) != names.end()) return;
    names.push_back(name);
    text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(size);
  };
  for (const Input& input : test_case.inputs) {
    if (const auto* matrix = std::get_if<Matrix>(&input.value)) {
      if (!input.dimensions.empty()) add(input.dimensions[0], matrix->rows);
      if (input.dimensions.size() > 1) add(input.dimensions[1], matrix->columns);
    } else if (const auto* row = std::get_if<RowVector>(&input.value)) {
      if (!input.dimensions.empty()) add(input.dimensions[0], row->size());
    }
  }
  return text;
}

std::vector<std::string> inputs_text(const std::vector<Input>& inputs, std::size_t indent) {
  std::vector<Lines> matrices;
  std::vector<Lines> others;
  for (const Input& input : inputs) {
    auto& blocks = kind_of(input.value) == Kind::matrix ? matrices : others;
    blocks.push_back(input_block(input.name, input.value));
  }
  Lines lines;
  append_blocks(lines, matrices, indent);
  append_blocks(lines, others, indent);
  return lines;
}

std::string inline_text(const Value& value) {
  if (is_scalar(value)) return scalar_text(value);
  if (const auto* record = std::get_if<Record>(&value)) {
    std::string text;
    for (const Field& field : record->fields) {
      text += (text.empty() ? "" : ", ") + field.name + ": " + inline_text(field.value);
    }
    return "{" + text + "}";
  }
  const auto grid = grid_of(value, 0, 0);
  std::string text;
  for (const std::string& line : grid->lines) text += (text.empty() ? "" : "; ") + line;
  if (grid->rows_left_out > 0) text += "; …";
  return kind_of(value) == Kind::matrix ? grid->size + " matrix [" + text + "]" : "[" + text + "]";
}

std::vector<std::string> comparison_text(const Judgement& judgement, std::size_t indent,
                                         const Paint& paint) {
  constexpr std::size_t kShownValues = 4;
  Lines lines;
  std::size_t shown = 0;
  const std::vector<Leaf> leaves = leaves_of(judgement);
  for (const Leaf& leaf : leaves) {
    if (shown == kShownValues) break;
    append(lines, Comparison(leaf, judgement.first_difference).lines(indent, paint));
    ++shown;
  }
  if (shown < leaves.size()) {
    lines.push_back(std::string(indent, ' ') + "… " + counted(leaves.size() - shown, "more value") +
                    " in the scorecard");
  }
  return lines;
}

}  // namespace grader
