#include "grader/batch/identity.hpp"

#include <algorithm>

#include "grader/base/digest.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/intake/names.hpp"

namespace grader {
namespace {

constexpr std::size_t kLongestIdentity = 120;
constexpr std::size_t kLongestShown = 200;
constexpr std::size_t kDigits = 8;  ///< of the digest that stands for what is lost

}  // namespace

std::string identity_text(std::string_view bytes) {
  const std::size_t begin = bytes.find_first_not_of(' ');
  if (begin == std::string_view::npos) return "(no name)";
  bytes = bytes.substr(begin, bytes.find_last_not_of(' ') + 1 - begin);
  const std::string whole = composed(bytes);
  std::string plain = plain_line(whole, kLongestIdentity);
  if (plain == whole) return plain;
  return plain + "~" + sha256_of_bytes(whole).substr(0, kDigits);
}

bool is_in_part(std::string_view identity) {
  if (identity.size() <= kDigits || identity[identity.size() - kDigits - 1] != '~') return false;
  return identity.find_last_not_of("0123456789abcdef") == identity.size() - kDigits - 1;
}

std::string letters_of(std::string_view name) {
  std::string letters = folded(name);
  std::erase_if(letters, [](char character) {
    return std::string_view(" ,.'-_\t").find(character) != std::string_view::npos;
  });
  std::ranges::sort(letters);
  return letters;
}

std::string shown_name(std::string_view bytes) { return plain_line(bytes, kLongestShown); }

}  // namespace grader
