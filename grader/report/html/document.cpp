#include "grader/report/html/document.hpp"

#include <cstdint>
#include <vector>

#include "grader/base/digest.hpp"
#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/report/html/embedded.hpp"

namespace grader::html {
namespace {

// SHA-256 as a Content-Security-Policy spells it.
std::string policy_hash(std::string_view text) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::string digits = sha256_of_bytes(text);
  std::vector<std::uint32_t> bytes;
  for (std::size_t place = 0; place + 1 < digits.size(); place += 2) {
    bytes.push_back(static_cast<std::uint32_t>(std::stoul(digits.substr(place, 2), nullptr, 16)));
  }
  std::string encoded;
  for (std::size_t place = 0; place < bytes.size(); place += 3) {
    const auto byte = [&](std::size_t offset) {
      return place + offset < bytes.size() ? bytes[place + offset] : 0U;
    };
    const std::uint32_t group = byte(0) << 16U | byte(1) << 8U | byte(2);
    for (std::size_t digit = 0; digit < 4; ++digit) {
      const bool is_filled = place + digit <= bytes.size();
      encoded += is_filled ? kLetters[(group >> (18 - 6 * digit)) & 63U] : '=';
    }
  }
  return encoded;
}

// What the template engine does with every text: safe to show first, then safe in HTML.
std::string escaped(const std::string& text) {
  constexpr std::size_t kTextLimit = 128 << 10;
  return kainjow::mustache::html_escape(plain_text(text, kTextLimit));
}

}  // namespace

std::string document(std::string_view form, Data& page, std::string_view style,
                     std::string_view script) {
  const std::string whole_style = std::string(kCommonStyle) + std::string(style);
  const std::string whole_script = std::string(kCommonScript) + std::string(script);
  page.set("style", whole_style);
  page.set("script", whole_script);
  page.set("style_hash", policy_hash(whole_style));
  page.set("script_hash", policy_hash(whole_script));
  kainjow::mustache::mustache filled{std::string(form)};
  filled.set_custom_escape(escaped);
  std::string rendered = filled.is_valid() ? filled.render(page) : "";
  if (!filled.is_valid() || !filled.error_message().empty()) {
    throw InternalFault("the page's template is broken: " + filled.error_message());
  }
  return rendered;
}

}  // namespace grader::html
