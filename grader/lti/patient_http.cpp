#include "grader/lti/patient_http.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include "grader/base/moment.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/lti/concealment.hpp"

namespace grader {
namespace {

constexpr std::size_t kAnswerShown = 200;
constexpr std::int64_t kMillisecondsPerSecond = 1'000;

enum class Verdict : std::uint8_t {
  final,
  later,           ///< not carried out; may be later
  later_in_doubt,  ///< may have been carried out; sending it again will do no harm
};

Verdict verdict_on(const HttpOutcome& outcome) {
  if (const auto* failure = std::get_if<HttpFailure>(&outcome)) {
    switch (failure->kind) {
      case HttpFailure::Kind::unreachable:
      case HttpFailure::Kind::unknown: return Verdict::later;
      case HttpFailure::Kind::impossible: return Verdict::final;
      case HttpFailure::Kind::unanswered: return Verdict::later_in_doubt;
    }
  }
  const auto& answer = std::get<HttpAnswer>(outcome);
  constexpr int kTooEarly = 425;
  if (is_rate_limit(answer) || answer.status == kTooEarly) return Verdict::later;
  // A gateway that gives up does not know what became of the request; 501 and 505 are for ever.
  constexpr std::array kTemporary = {408, 500, 502, 503, 504, 520, 521, 522, 523, 524};
  const bool is_temporary = std::ranges::find(kTemporary, answer.status) != kTemporary.end();
  return is_temporary ? Verdict::later_in_doubt : Verdict::final;
}

/// What seldom passes, though it may.
bool is_soon_believed(const HttpOutcome& outcome) {
  constexpr int kError = 500;
  if (const auto* answer = std::get_if<HttpAnswer>(&outcome)) return answer->status == kError;
  return std::get<HttpFailure>(outcome).kind == HttpFailure::Kind::unknown;
}

std::optional<std::int64_t> http_date(std::string_view text) {
  // "Mon, 30 Nov 2026 16:55:00 GMT"
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  constexpr std::size_t kLength = 29;
  if (text.size() != kLength || !text.ends_with(" GMT")) return std::nullopt;
  const auto number = [&](std::size_t begin, std::size_t digits) {
    int value = -1;
    std::from_chars(text.data() + begin, text.data() + begin + digits, value);
    return value;
  };
  const auto month = std::ranges::find(kMonths, text.substr(8, 3));
  if (month == kMonths.end()) return std::nullopt;
  return seconds_of(number(12, 4), static_cast<unsigned>(month - kMonths.begin()) + 1,
                    static_cast<unsigned>(number(5, 2)), number(17, 2), number(20, 2),
                    number(23, 2), 0);
}

/// How long the answer asks to wait, in milliseconds.
std::optional<std::int64_t> asked_wait_ms(const HttpOutcome& outcome, std::int64_t now_ms) {
  const auto* answer = std::get_if<HttpAnswer>(&outcome);
  if (answer == nullptr) return std::nullopt;
  const auto header = answer->header("retry-after");
  if (!header) return std::nullopt;
  constexpr std::int64_t kLongest = 1'000'000'000;
  std::int64_t seconds = 0;
  const auto end = std::from_chars(header->data(), header->data() + header->size(), seconds);
  if (end.ec == std::errc() && end.ptr == header->data() + header->size() && seconds >= 0) {
    return std::min(seconds, kLongest) * kMillisecondsPerSecond;
  }
  if (end.ec == std::errc::result_out_of_range) return kLongest * kMillisecondsPerSecond;
  const auto moment = http_date(*header);
  if (!moment) return std::nullopt;
  return std::max<std::int64_t>(*moment * kMillisecondsPerSecond - now_ms, 0);
}

}  // namespace

bool is_rate_limit(const HttpAnswer& answer) {
  constexpr int kForbidden = 403;
  constexpr int kTooMany = 429;
  if (answer.status == kTooMany) return true;
  if (answer.status != kForbidden) return false;
  const auto remaining = answer.header("x-rate-limit-remaining");
  if (!remaining) return false;
  double number = 1;  // Canvas writes "0.0", and less when more is used up than there is
  const auto end =
      std::from_chars(remaining->data(), remaining->data() + remaining->size(), number);
  return end.ec == std::errc() && number <= 0;
}

std::string words_for(const HttpOutcome& outcome) {
  if (const auto* failure = std::get_if<HttpFailure>(&outcome)) {
    switch (failure->kind) {
      case HttpFailure::Kind::unreachable:
      case HttpFailure::Kind::unknown: return "it cannot be reached: " + failure->reason;
      case HttpFailure::Kind::impossible: return "it cannot be trusted: " + failure->reason;
      case HttpFailure::Kind::unanswered: return "its answer did not arrive: " + failure->reason;
    }
  }
  const auto& answer = std::get<HttpAnswer>(outcome);
  if (is_rate_limit(answer)) return "it answers that there are too many requests";
  std::string words = "it answers " + std::to_string(answer.status);
  const std::string body = plain_line(answer.body, kAnswerShown);
  if (!body.empty()) words += ": " + body;
  return words;
}

PatientHttp::PatientHttp(Http& http, DeliveryClock& clock, std::uint64_t seed, Patience patience)
    : http_(http), clock_(clock), random_(seed), patience_(std::move(patience)) {}

std::int64_t PatientHttp::wait_after(int tries, const HttpOutcome& outcome) {
  std::int64_t wait = patience_.first_wait_ms;
  for (int doubled = 1; doubled < tries && wait < patience_.longest_wait_ms; ++doubled) wait *= 2;
  wait = std::min(wait, patience_.longest_wait_ms);
  wait -= std::uniform_int_distribution<std::int64_t>(0, wait / 2)(random_);
  return std::max(wait, asked_wait_ms(outcome, clock_.now_ms()).value_or(0));
}

PatientOutcome PatientHttp::send(const std::function<HttpRequest()>& request) {
  PatientOutcome result;
  for (int tries = 1, soon_believed = 0;; ++tries) {
    const HttpRequest next = request();
    result.last = http_.send(next);
    conceal(next.secrets, result.last);
    const Verdict verdict = verdict_on(result.last);
    if (verdict == Verdict::final) return result;
    if (is_soon_believed(result.last)) ++soon_believed;
    const std::int64_t wait = wait_after(tries, result.last);
    const bool is_given_up = tries >= patience_.tries ||
                             soon_believed >= patience_.tries_if_soon_believed ||
                             wait > patience_.longest_asked_wait_ms;
    if (is_given_up) return result;
    result.may_be_done_already |= verdict == Verdict::later_in_doubt;
    if (patience_.before_wait) patience_.before_wait(result.last);
    if (!clock_.wait_ms(wait)) {
      result.is_interrupted = true;
      return result;
    }
  }
}

}  // namespace grader
