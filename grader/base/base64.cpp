#include "grader/base/base64.hpp"

#include <cstdint>

namespace grader {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::size_t kGroup = 3;
  std::string text;
  text.reserve((bytes.size() + kGroup - 1) / kGroup * 4);
  for (std::size_t place = 0; place < bytes.size(); place += kGroup) {
    const std::string_view group = bytes.substr(place, kGroup);
    std::uint32_t bits = 0;
    for (std::size_t index = 0; index < kGroup; ++index) {
      const auto byte = index < group.size() ? static_cast<unsigned char>(group[index]) : 0U;
      bits = (bits << 8U) | byte;
    }
    for (std::size_t letter = 0; letter < 4; ++letter) {
      const bool is_padding = letter > group.size();
      text += is_padding ? '=' : kLetters[(bits >> (18U - 6U * letter)) & 0x3FU];
    }
  }
  return text;
}

}  // namespace grader
