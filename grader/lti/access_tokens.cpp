#include "grader/lti/access_tokens.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/base/json.hpp"
#include "grader/lti/client_assertion.hpp"
#include "grader/lti/url.hpp"

namespace grader {
namespace {

constexpr std::int64_t kMillisecondsPerSecond = 1'000;
constexpr std::int64_t kUsualSeconds = 300;  ///< where the platform does not say
constexpr std::int64_t kLongestSeconds = 86'400;
constexpr std::int64_t kMarginSeconds = 60;  ///< a token is replaced so long before its end
constexpr std::size_t kLongestToken = 16'000;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// A token becomes part of a header line, so it must not end one.
bool is_token(const std::string& text) {
  constexpr char kFirst = 0x21;
  constexpr char kLast = 0x7e;
  return !text.empty() && text.size() <= kLongestToken &&
         std::ranges::all_of(
             text, [](char character) { return character >= kFirst && character <= kLast; });
}

std::string text_of(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_string()) return {};
  return found->get<std::string>();
}

std::int64_t seconds_of_life(const nlohmann::json& object) {
  const auto found = object.find("expires_in");
  if (found == object.end() || !found->is_number()) return kUsualSeconds;
  const auto seconds = found->get<double>();
  if (!(seconds >= 0)) return kUsualSeconds;
  return static_cast<std::int64_t>(std::min(seconds, static_cast<double>(kLongestSeconds)));
}

}  // namespace

AccessTokens::AccessTokens(const Platform& platform, const PrivateKey& key,
                           std::vector<std::string> scopes, PatientHttp& http,
                           const DeliveryClock& clock)
    : platform_(platform), key_(key), scopes_(std::move(scopes)), http_(http), clock_(clock) {}

const std::string& AccessTokens::token() {
  if (token_.empty() || clock_.now_ms() >= good_until_ms_) ask();
  return token_;
}

void AccessTokens::ask() {
  const PatientOutcome outcome = http_.send([this] {
    HttpRequest request;
    request.secrets = {client_assertion(platform_, key_, clock_.now_ms())};
    request.method = HttpRequest::Method::post;
    request.url = platform_.token_url;
    request.headers = {"Content-Type: application/x-www-form-urlencoded",
                       "Accept: application/json"};
    request.body = "grant_type=client_credentials&client_assertion_type=" +
                   form_encoded("urn:ietf:params:oauth:client-assertion-type:jwt-bearer") +
                   "&client_assertion=" + request.secrets.front() +
                   "&scope=" + form_encoded(joined(scopes_));
    return request;
  });
  if (outcome.is_interrupted) throw DeliveryInterrupted{};
  const auto* answer = std::get_if<HttpAnswer>(&outcome.last);
  if (answer == nullptr || !answer->is_success()) refuse(outcome.last);
  keep(*answer);
}

void AccessTokens::keep(const HttpAnswer& answer) {
  const auto object = parsed_json(answer.body);
  std::string token = object.is_object() ? text_of(object, "access_token") : std::string();
  if (!is_token(token)) {
    throw EnvironmentFault(platform_.token_url + " answers without an access token.",
                           "Check that token_url is where the platform gives out access tokens.");
  }
  if (const std::string granted = text_of(object, "scope"); !granted.empty()) {
    std::istringstream words(granted);
    std::vector<std::string> scopes;
    for (std::string word; words >> word;) scopes.push_back(word);
    for (const std::string& scope : scopes_) {
      if (std::ranges::find(scopes, scope) != scopes.end()) continue;
      throw UsageFault("The platform does not grant " + scope + ".",
                       "Allow it in the tool's registration on the platform; docs/integration.md "
                       "says where.");
    }
  }
  const std::int64_t seconds = seconds_of_life(object);
  const std::int64_t margin = std::min(kMarginSeconds, seconds / 2);
  good_until_ms_ = clock_.now_ms() + (seconds - margin) * kMillisecondsPerSecond;
  token_ = std::move(token);
}

void AccessTokens::refuse(const HttpOutcome& outcome) const {
  const std::string what =
      "There is no access token from " + platform_.token_url + ": " + words_for(outcome) + ".";
  const auto* answer = std::get_if<HttpAnswer>(&outcome);
  const bool is_refused =
      answer != nullptr && answer->status >= 300 && answer->status < 500 && !is_rate_limit(*answer);
  if (is_refused) {
    throw UsageFault(
        what,
        "Compare token_url, client_id, key_id, audience and the private key with the "
        "tool's registration on the platform, and this machine's clock with the time.");
  }
  const auto* failure = std::get_if<HttpFailure>(&outcome);
  const auto is = [&](HttpFailure::Kind kind) {
    return failure != nullptr && failure->kind == kind;
  };
  if (is(HttpFailure::Kind::impossible)) throw EnvironmentFault(what, kHowToTrust);
  if (is(HttpFailure::Kind::unknown)) {
    throw EnvironmentFault(what,
                           "Correct token_url in the platform file, or this machine's network.");
  }
  throw EnvironmentFault(what, "Run the same command again when the platform answers.");
}

}  // namespace grader
