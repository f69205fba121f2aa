#include "grader/signature/canonical_json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/base/json.hpp"
#include "grader/base/plain_text.hpp"

namespace grader {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kShownName = 400;

// Where the first byte of a character stands in the order of UTF-16: surrogates (from U+10000 on,
// 0xf0… in UTF-8) come before U+E000 (0xee…). Everything else is ordered alike.
unsigned utf16_rank(char character) {
  const auto byte = static_cast<unsigned char>(character);
  if (byte >= 0xf0) return byte - 2U;
  return byte < 0xee ? byte : byte + 5U;
}

bool utf16_less(const std::string& left, const std::string& right) {
  return std::ranges::lexicographical_compare(left, right, {}, utf16_rank, utf16_rank);
}

// Number::toString of ECMAScript: the digits that to_chars finds, the point where the standard
// says.
std::string shortest(double number) {
  constexpr int kMostWholeDigits = 21;
  constexpr int kMostLeadingZeros = 6;
  if (number == 0) return "0";  // −0 too
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.begin(), buffer.end(), std::abs(number),
                                 std::chars_format::scientific);  // "d.ddde±xx"
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
  const std::size_t letter = text.find('e');
  std::string digits(text.substr(0, letter));
  std::erase(digits, '.');
  int exponent = 0;
  const std::size_t sign = text[letter + 1] == '+' ? 1 : 0;  // from_chars knows only the minus
  std::from_chars(text.data() + letter + 1 + sign, text.data() + text.size(), exponent);

  const int count = static_cast<int>(digits.size());
  const int point = exponent + 1;  // digits before the point
  std::string written = number < 0 ? "-" : "";
  if (point >= count && point <= kMostWholeDigits) {
    return written + digits + std::string(static_cast<std::size_t>(point - count), '0');
  }
  if (point > 0 && point <= kMostWholeDigits) {
    return written + digits.insert(static_cast<std::size_t>(point), ".");
  }
  if (point <= 0 && point > -kMostLeadingZeros) {
    return written + "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  }
  if (count > 1) digits.insert(1, ".");
  return written + digits + "e" + (exponent < 0 ? "-" : "+") + std::to_string(std::abs(exponent));
}

std::string in_quotes(const std::string& text) { return Json(text).dump(); }

/// Takes the events of nlohmann's parser and has the canonical text in the end. No document is ever
/// held in any other form, so nesting costs no stack.
class Writer : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return add("null"); }
  bool boolean(bool value) override { return add(value ? "true" : "false"); }
  bool number_integer(std::int64_t value) override { return add(std::to_string(value)); }
  bool number_unsigned(std::uint64_t value) override { return add(std::to_string(value)); }
  bool number_float(double value, const std::string& /*as_written*/) override {
    return add(shortest(value));
  }
  bool string(std::string& value) override { return add(in_quotes(value)); }
  bool binary(Json::binary_t& /*value*/) override { return false; }  // not in a text
  bool start_object(std::size_t /*size*/) override { return open(); }
  bool start_array(std::size_t /*size*/) override { return open(); }
  bool key(std::string& name) override {
    open_.back().push_back({std::move(name), ""});
    return true;
  }
  bool end_object() override {
    std::vector<Member> members = close();
    std::ranges::sort(members, utf16_less, &Member::name);
    std::string text = "{";
    for (const Member& member : members) {
      if (text.size() > 1) text += ',';
      text += in_quotes(member.name) + ':' + member.value;
    }
    return add(text + '}');
  }
  bool end_array() override {
    std::string text = "[";
    for (const Member& member : close()) {
      if (text.size() > 1) text += ',';
      text += member.value;
    }
    return add(text + ']');
  }
  bool parse_error(std::size_t /*place*/, const std::string& /*token*/,
                   const Json::exception& /*what*/) override {
    return false;
  }

  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  struct Member {
    std::string name;  ///< of an object's
    std::string value;
  };

  bool open() {
    open_.emplace_back();
    return true;
  }
  std::vector<Member> close() {
    std::vector<Member> members = std::move(open_.back());
    open_.pop_back();
    return members;
  }
  bool add(std::string value) {
    if (open_.empty()) {
      text_ = std::move(value);
    } else if (!open_.back().empty() && open_.back().back().value.empty()) {
      open_.back().back().value = std::move(value);  // of the name that came before
    } else {
      open_.back().push_back({"", std::move(value)});
    }
    return true;
  }

  std::vector<std::vector<Member>> open_;  ///< what is begun, the outermost first
  std::string text_;
};

}  // namespace

std::string canonical_json(std::string_view document, const std::string& name) {
  if (const auto flaw = flaw_in_json(document)) {
    throw UsageFault(plain_line(name, kShownName) + " " + words_for(*flaw) + ".",
                     "Name a scorecard.json that `grade` wrote.");
  }
  Writer writer;
  if (!Json::sax_parse(document, &writer)) throw InternalFault("JSON without a flaw is not read");
  return std::move(writer).text();
}

}  // namespace grader
