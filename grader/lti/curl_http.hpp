// HTTP by libcurl: TLS only, verified, no redirects, bounded in time and size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "grader/lti/http.hpp"

namespace grader {

class CurlHttp : public Http {
 public:
  struct Options {
    /// Certificates to trust besides the system's; empty: none.
    std::filesystem::path ca_file;
    std::int64_t timeout_ms = 30'000;               ///< for everything
    std::int64_t connection_ms = 10'000;            ///< of that, to be connected
    std::size_t most_bytes = std::size_t{4} << 20;  ///< of an answer
    /// Whether whoever runs this wants it to stop; asked about once a second. An answer that is
    /// awaited then has so long to come.
    std::function<bool()> is_stopped = {};
    std::int64_t grace_ms = 2'000;
  };

  /// Throws EnvironmentFault when libcurl cannot be used.
  explicit CurlHttp(Options options);
  ~CurlHttp() override;
  CurlHttp(const CurlHttp&) = delete;
  CurlHttp& operator=(const CurlHttp&) = delete;

  /// A post has a connection of its own. A redirection is an answer like any other: what it asks
  /// for would carry the token to another place.
  HttpOutcome send(const HttpRequest& request) override;

 private:
  struct Handle;
  Options options_;
  std::unique_ptr<Handle> handle_;
};

}  // namespace grader
