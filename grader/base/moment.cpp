#include "grader/base/moment.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace grader {
namespace {

constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 60 * kMinute;

bool is_digit(char character) { return character >= '0' && character <= '9'; }

/// Takes text from the front, piece by piece.
class Front {
 public:
  explicit Front(std::string_view text) : text_(text) {}

  /// A number of exactly `digits` digits; -1 where there is none.
  int number(std::size_t digits) {
    if (text_.size() < digits) return -1;
    int value = 0;
    for (const char digit : text_.substr(0, digits)) {
      if (!is_digit(digit)) return -1;
      value = 10 * value + (digit - '0');
    }
    text_.remove_prefix(digits);
    return value;
  }
  /// Whether the next character is one of `characters`, which is then taken.
  bool one_of(std::string_view characters) {
    if (text_.empty() || characters.find(text_.front()) == std::string_view::npos) return false;
    text_.remove_prefix(1);
    return true;
  }
  void digits() {
    while (!text_.empty() && is_digit(text_.front())) text_.remove_prefix(1);
  }
  [[nodiscard]] bool is_at_end() const { return text_.empty(); }
  [[nodiscard]] char next() const { return text_.empty() ? '\0' : text_.front(); }

 private:
  std::string_view text_;
};

std::optional<std::int64_t> offset_at(Front& front) {
  if (front.one_of("Zz")) return 0;
  const std::int64_t sign = front.next() == '-' ? -1 : 1;
  if (!front.one_of("+-")) return std::nullopt;
  const int hours = front.number(2);
  front.one_of(":");
  const int minutes = front.number(2);
  constexpr int most_hours = 18;  // no clock is further away
  if (hours < 0 || hours > most_hours || minutes < 0 || minutes > 59) return std::nullopt;
  return sign * (hours * kHour + minutes * kMinute);
}

}  // namespace

std::optional<std::int64_t> seconds_of(int year, unsigned month, unsigned day, int hour, int minute,
                                       int second, std::int64_t utc_offset) {
  using std::chrono::sys_days;
  using std::chrono::year_month_day;
  const year_month_day date{std::chrono::year{year}, std::chrono::month{month},
                            std::chrono::day{day}};
  const auto within = [](int value, int most) { return value >= 0 && value <= most; };
  constexpr int last_year = 9999;
  if (!date.ok() || year < 1970 || year > last_year) return std::nullopt;
  if (!within(hour, 23) || !within(minute, 59) || !within(second, 60)) return std::nullopt;
  const auto days = sys_days{date}.time_since_epoch().count();
  return std::int64_t{days} * 24 * kHour + hour * kHour + minute * kMinute + second - utc_offset;
}

std::optional<Moment> parse_moment(std::string_view text) {
  Front front(text);
  const int year = front.number(4);
  if (!front.one_of("-")) return std::nullopt;
  const int month = front.number(2);
  if (!front.one_of("-")) return std::nullopt;
  const int day = front.number(2);
  if (month < 0 || day < 0 || !front.one_of("Tt ")) return std::nullopt;
  const int hour = front.number(2);
  if (!front.one_of(":")) return std::nullopt;
  const int minute = front.number(2);
  int second = 0;
  if (front.one_of(":")) {
    second = front.number(2);
    if (front.one_of(".")) front.digits();
  }
  front.one_of(" ");
  const auto offset = offset_at(front);
  if (!offset || !front.is_at_end()) return std::nullopt;
  const auto seconds = seconds_of(year, static_cast<unsigned>(month), static_cast<unsigned>(day),
                                  hour, minute, second, *offset);
  if (!seconds) return std::nullopt;
  return Moment{*seconds, *offset};
}

std::string moment_text(std::int64_t seconds, std::int64_t utc_offset) {
  using std::chrono::days;
  using std::chrono::floor;
  const std::chrono::sys_seconds clock{std::chrono::seconds{seconds + utc_offset}};
  const auto day = floor<days>(clock);
  const std::chrono::year_month_day date{day};
  const std::int64_t in_day = (clock - day).count();
  const std::int64_t offset = std::abs(utc_offset) / kMinute;
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02u %02d:%02d (UTC%c%02d:%02d)",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(in_day / kHour),
                static_cast<int>(in_day % kHour / kMinute), utc_offset < 0 ? '-' : '+',
                static_cast<int>(offset / 60), static_cast<int>(offset % 60));
  return text.data();
}

}  // namespace grader
