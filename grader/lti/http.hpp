// What the client of a learning platform needs of HTTP: one request, one bounded answer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace grader {

struct HttpRequest {
  enum class Method : std::uint8_t { get, post };
  Method method = Method::get;
  std::string url;
  std::vector<std::string> headers;  ///< "Accept: application/json"
  std::string body;                  ///< of a post
  std::vector<std::string> secrets;  ///< what of these is not to be shown, wherever it turns up
};

struct HttpAnswer {
  int status = 0;
  std::map<std::string, std::string> headers;  ///< names in lower case; values joined by ", "
  std::string body;

  [[nodiscard]] bool is_success() const { return status >= 200 && status < 300; }
  [[nodiscard]] std::optional<std::string> header(const std::string& name) const {
    const auto found = headers.find(name);
    if (found == headers.end()) return std::nullopt;
    return found->second;
  }
};

/// Why there is no answer.
struct HttpFailure {
  enum class Kind : std::uint8_t {
    unreachable,  ///< the request was not sent; it may be later
    unknown,      ///< nor was this one: nobody knows a host of that name
    impossible,   ///< nor would it be later: the server is not who it should be
    unanswered,   ///< it was sent, at least in part, and nobody knows what became of it
  };
  Kind kind = Kind::unreachable;
  std::string reason;  ///< a few words, fit to be shown
};

using HttpOutcome = std::variant<HttpAnswer, HttpFailure>;

class Http {
 public:
  virtual ~Http() = default;
  /// Sends the request once and waits for the whole answer, for a bounded time.
  virtual HttpOutcome send(const HttpRequest& request) = 0;
};

}  // namespace grader
