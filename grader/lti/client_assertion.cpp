#include "grader/lti/client_assertion.hpp"

#include <openssl/rand.h>

#include <array>
#include <nlohmann/json.hpp>

#include "grader/base/fault.hpp"

namespace grader {
namespace {

constexpr std::int64_t kMillisecondsPerSecond = 1'000;
constexpr std::int64_t kClockDifference = 30;  ///< seconds that a platform may be behind
constexpr std::int64_t kLifetime = 240;        ///< seconds; Canvas allows five minutes

std::string random_id() {
  std::array<unsigned char, 18> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) {
    throw EnvironmentFault("The system gives no random numbers.", "Try again later.");
  }
  return base64url({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

std::string base64url(std::string_view bytes) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  constexpr unsigned kDigitBits = 6;
  std::string text;
  unsigned bits = 0;
  unsigned held = 0;  // how many of `bits` are still to be written
  for (const char character : bytes) {
    bits = (bits << 8U) | static_cast<unsigned char>(character);
    held += 8;
    while (held >= kDigitBits) {
      held -= kDigitBits;
      text += kAlphabet[(bits >> held) & 63U];
    }
  }
  if (held > 0) text += kAlphabet[(bits << (kDigitBits - held)) & 63U];
  return text;
}

std::string client_assertion(const Platform& platform, const PrivateKey& key, std::int64_t now_ms) {
  const std::int64_t now = now_ms / kMillisecondsPerSecond;
  const nlohmann::json header = {{"alg", "RS256"}, {"typ", "JWT"}, {"kid", platform.key_id}};
  nlohmann::json claims = {{"iss", platform.client_id}, {"sub", platform.client_id},
                           {"aud", platform.audience},  {"iat", now - kClockDifference},
                           {"exp", now + kLifetime},    {"jti", random_id()}};
  if (!platform.deployment_id.empty()) {
    claims["https://purl.imsglobal.org/spec/lti/claim/deployment_id"] = platform.deployment_id;
  }
  const std::string signed_part = base64url(header.dump()) + "." + base64url(claims.dump());
  return signed_part + "." + base64url(key.sign(signed_part));
}

}  // namespace grader
