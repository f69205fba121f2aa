// Lines of a report: widths in columns of a terminal, padding, wrapping, colour.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

/// Columns that reports keep to.
inline constexpr std::size_t kReportWidth = 88;

/// Columns that `text` takes: its code points (reports use no wide or combining characters of
/// their own).
[[nodiscard]] std::size_t display_width(std::string_view text);

/// `text` with spaces behind (or before) it up to `width` columns.
[[nodiscard]] std::string padded(std::string_view text, std::size_t width);
[[nodiscard]] std::string right_aligned(std::string_view text, std::size_t width);

/// At most `width` columns of `text`, the last one an ellipsis when something was left out.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t width);

/// The words of `text` on lines of at most `width` columns, each behind `indent` spaces. Longer
/// words keep a line of their own.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t indent,
                                               std::size_t width = kReportWidth);

/// The lines, each ended by a newline, without spaces at their ends.
[[nodiscard]] std::string joined(const std::vector<std::string>& lines);

void append(std::vector<std::string>& lines, const std::vector<std::string>& more);

/// An empty line, the title and the entries, wrapped and indented; nothing where there are none.
void append_list(const std::string& title, const std::vector<std::string>& entries,
                 std::vector<std::string>& lines);

/// Colours for a terminal, or none.
class Paint {
 public:
  explicit Paint(bool colored) : colored_(colored) {}
  [[nodiscard]] std::string good(std::string_view text) const { return in("32", text); }
  [[nodiscard]] std::string bad(std::string_view text) const { return in("31", text); }
  [[nodiscard]] std::string strong(std::string_view text) const { return in("1", text); }
  [[nodiscard]] std::string faint(std::string_view text) const { return in("2", text); }

 private:
  [[nodiscard]] std::string in(std::string_view code, std::string_view text) const;
  bool colored_;
};

}  // namespace grader
