// A small HTTPS server on loopback for tests: certificates made when it starts, a thread a
// connection, and a handler that may also break things.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace grader {

struct ServedRequest {
  std::string method;
  std::string path;                            ///< without the query
  std::string query;                           ///< without the question mark
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::string body;
};

struct ServedAnswer {
  /// What becomes of it on the way.
  enum class Fate : std::uint8_t {
    arrives,
    cut_off,  ///< the connection is closed half way through
    lost,     ///< the connection is closed instead
    stalls,   ///< nothing is ever sent
  };
  int status = 200;
  std::map<std::string, std::string> headers;
  std::string body;
  Fate fate = Fate::arrives;
};

class TlsServer {
 public:
  using Handler = std::function<ServedAnswer(const ServedRequest&)>;

  /// Serves on a free port of loopback as "localhost" until it is destroyed. The handler is called
  /// by several threads. Writes its certificate to `certificate`.
  TlsServer(const std::filesystem::path& certificate, Handler handler);
  ~TlsServer();
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  /// "https://localhost:40123"
  [[nodiscard]] std::string url() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace grader
