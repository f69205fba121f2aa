#include "grader/report/value_text.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "grader/report/grid.hpp"
#include "grader/report/number_text.hpp"

namespace grader {
namespace {

using Lines = std::vector<std::string>;

bool is_scalar(const Value& value) {
  return kind_of(value) == Kind::boolean || kind_of(value) == Kind::integer ||
         kind_of(value) == Kind::number;
}

std::string scalar_text(const Value& value) {
  if (const auto* boolean = std::get_if<bool>(&value)) return *boolean ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  return exact_number_text(std::get<double>(value));
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
  // The corner of a big matrix tells nothing.
  if (grid->is_cut && kind_of(value) == Kind::matrix) {
    return {label + "(" + grid->size + ", in the scorecard)"};
  }
  return labelled(label, grid->lines);
}

// Members of a record stand for themselves when they are matrices or rows.
void add_blocks(const std::string& name, const Value& value, std::vector<Lines>& matrices,
                std::vector<Lines>& others) {
  const auto* record = std::get_if<Record>(&value);
  if (record != nullptr && !is_flat_record(value)) {
    for (const Field& field : record->fields) {
      add_blocks(name + "." + field.name, field.value, matrices, others);
    }
    return;
  }
  auto& blocks = kind_of(value) == Kind::matrix ? matrices : others;
  blocks.push_back(input_block(name, value));
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

}  // namespace

bool is_flat_record(const Value& value) {
  const auto* record = std::get_if<Record>(&value);
  return record != nullptr && std::ranges::all_of(record->fields, [](const Field& field) {
           return is_scalar(field.value);
         });
}

std::string dimensions_text(const Case& test_case) {
  std::vector<std::string> names;
  std::string text;
  const auto add = [&](const std::string& name, std::int64_t size) {
    if (std::ranges::find(names, name) != names.end()) return;
    names.push_back(name);
    text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(size);
  };
  for (const Input& input : test_case.inputs) {
    if (!input.shown) continue;
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
    if (input.shown) add_blocks(input.name, input.value, matrices, others);
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
  const bool needs_size = kind_of(value) == Kind::matrix && (grid->is_cut || grid->lines.empty());
  return (needs_size ? grid->size + " " : "") + "[" + text + "]";
}

}  // namespace grader
