#include "grader/lti/concealment.hpp"

#include <algorithm>
#include <unordered_set>

namespace grader {
namespace {

constexpr std::size_t kShortestPart = 8;
constexpr std::string_view kInstead = "[secret]";

void mark(std::string_view text, std::string_view secret, std::vector<bool>& is_secret) {
  const std::size_t length = std::min(kShortestPart, secret.size());
  if (length == 0) return;
  std::unordered_set<std::string_view> parts;
  for (std::size_t at = 0; at + length <= secret.size(); ++at) {
    parts.insert(secret.substr(at, length));
  }
  for (std::size_t at = 0; at + length <= text.size(); ++at) {
    if (!parts.contains(text.substr(at, length))) continue;
    std::fill_n(is_secret.begin() + static_cast<std::ptrdiff_t>(at), length, true);
  }
}

}  // namespace

std::string concealed(std::string_view text, const std::vector<std::string>& secrets) {
  std::vector<bool> is_secret(text.size());
  for (const std::string& secret : secrets) mark(text, secret, is_secret);
  std::string shown;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_secret[at]) {
      shown += text[at];
    } else if (at == 0 || !is_secret[at - 1]) {
      shown += kInstead;
    }
  }
  return shown;
}

void conceal(const std::vector<std::string>& secrets, HttpOutcome& outcome) {
  if (auto* failure = std::get_if<HttpFailure>(&outcome)) {
    failure->reason = concealed(failure->reason, secrets);
  } else if (auto& answer = std::get<HttpAnswer>(outcome); !answer.is_success()) {
    answer.body = concealed(answer.body, secrets);
  }
}

}  // namespace grader
