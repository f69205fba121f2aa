#include "grader/base/plain_text.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>

namespace grader {
namespace {

struct Decoded {
  std::uint32_t code_point = 0;
  std::size_t length = 1;
};

// One code point at the front of `bytes`, or nothing when it is not valid UTF-8 (overlong forms,
// surrogates and values above U+10FFFF included).
std::optional<Decoded> decode(std::string_view bytes) {
  const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(bytes[index]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return Decoded{first, 1};
  std::size_t length = 0;
  std::uint32_t code_point = 0;
  std::uint32_t smallest = 0;
  if ((first & 0xE0U) == 0xC0) {
    length = 2, code_point = first & 0x1FU, smallest = 0x80;
  } else if ((first & 0xF0U) == 0xE0) {
    length = 3, code_point = first & 0x0FU, smallest = 0x800;
  } else if ((first & 0xF8U) == 0xF0) {
    length = 4, code_point = first & 0x07U, smallest = 0x10000;
  } else {
    return std::nullopt;
  }
  if (bytes.size() < length) return std::nullopt;
  for (std::size_t index = 1; index < length; ++index) {
    if ((byte(index) & 0xC0U) != 0x80) return std::nullopt;
    code_point = (code_point << 6U) | (byte(index) & 0x3FU);
  }
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (code_point < smallest || code_point > 0x10FFFF || surrogate) return std::nullopt;
  return Decoded{code_point, length};
}

bool is_hidden(std::uint32_t code_point) {
  return (code_point >= 0x80 && code_point < 0xA0) ||       // C1 controls
         code_point == 0xAD || code_point == 0x61C ||       // soft hyphen, Arabic letter mark
         (code_point >= 0x200B && code_point <= 0x200F) ||  // zero width, direction marks
         (code_point >= 0x2028 && code_point <= 0x202E) ||  // separators, direction overrides
         (code_point >= 0x2060 && code_point <= 0x206F) ||  // invisible operators, isolates
         code_point == 0xFEFF || (code_point >= 0xFFF9 && code_point <= 0xFFFB) ||
         (code_point >= 0xE0000 && code_point <= 0xE0FFF);  // tags, variation selectors
}

std::string shown(std::uint32_t code_point, std::string_view bytes) {
  const bool control =
      (code_point < 0x20 && code_point != '\n' && code_point != '\t') || code_point == 0x7F;
  std::array<char, 16> escape{};
  if (control) {
    std::snprintf(escape.data(), escape.size(), "\\x%02x", code_point);
    return escape.data();
  }
  if (is_hidden(code_point)) {
    std::snprintf(escape.data(), escape.size(), "\\u%04x", code_point);
    return escape.data();
  }
  return std::string(bytes);
}

constexpr std::string_view kCut = " … (cut)";

std::string make_plain(std::string_view bytes, std::size_t limit, bool one_line) {
  std::string text;
  while (!bytes.empty()) {
    std::string piece = "\xEF\xBF\xBD";
    std::size_t length = 1;
    if (const auto decoded = decode(bytes)) {
      length = decoded->length;
      piece = shown(decoded->code_point, bytes.substr(0, length));
      if (one_line && (piece == "\n" || piece == "\t")) piece = " ";
    }
    if (text.size() + piece.size() > limit) return text.append(kCut);
    text += piece;
    bytes.remove_prefix(length);
  }
  return text;
}

}  // namespace

std::string plain_text(std::string_view bytes, std::size_t limit) {
  return make_plain(bytes, limit, false);
}

std::string plain_line(std::string_view bytes, std::size_t limit) {
  return make_plain(bytes, limit, true);
}

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto decoded = decode(bytes);
    if (!decoded) return false;
    bytes.remove_prefix(decoded->length);
  }
  return true;
}

}  // namespace grader
