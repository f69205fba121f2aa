#include "grader/report/layout.hpp"

#include <algorithm>

namespace grader {
namespace {

bool starts_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, starts_code_point));
}

std::string padded(std::string_view text, std::size_t width) {
  std::string line(text);
  const std::size_t taken = display_width(text);
  if (taken < width) line.append(width - taken, ' ');
  return line;
}

std::string right_aligned(std::string_view text, std::size_t width) {
  const std::size_t taken = display_width(text);
  return std::string(taken < width ? width - taken : 0, ' ').append(text);
}

std::string shortened(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  std::size_t columns = 0;
  std::size_t end = 0;
  while (end < text.size()) {
    if (starts_code_point(text[end]) && ++columns == width) break;
    ++end;
  }
  return std::string(text.substr(0, end)).append("…");
}

std::vector<std::string> wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t columns = 0;
  const auto finish = [&] {
    if (!line.empty()) lines.push_back(std::string(indent, ' ').append(line));
    line.clear();
    columns = 0;
  };
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(" \n");
    const std::string_view word = text.substr(0, end);
    const std::size_t taken = display_width(word);
    if (columns > 0 && indent + columns + 1 + taken > width) finish();
    if (!word.empty()) {
      if (columns > 0) line += ' ', ++columns;
      line += word;
      columns += taken;
    }
    if (end == std::string_view::npos) break;
    if (text[end] == '\n') finish();
    text.remove_prefix(end + 1);
  }
  finish();
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    const std::size_t last = line.find_last_not_of(' ');
    if (last != std::string::npos) text.append(line, 0, last + 1);
    text += '\n';
  }
  return text;
}

void append(std::vector<std::string>& lines, const std::vector<std::string>& more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

void append_list(const std::string& title, const std::vector<std::string>& entries,
                 std::vector<std::string>& lines) {
  if (entries.empty()) return;
  constexpr std::size_t kIndent = 4;
  lines.emplace_back();
  lines.push_back(title);
  for (const std::string& entry : entries) append(lines, wrapped(entry, kIndent));
}

std::string Paint::in(std::string_view code, std::string_view text) const {
  if (!colored_ || text.empty()) return std::string(text);
  return std::string("\x1b[").append(code).append("m").append(text).append("\x1b[0m");
}

}  // namespace grader
