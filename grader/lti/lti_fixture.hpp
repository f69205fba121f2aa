// What the tests of the client share: a clock that runs only when somebody waits, keys, a platform
// on loopback and a client of it.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/lti/access_tokens.hpp"
#include "grader/lti/authorized_http.hpp"
#include "grader/lti/clock.hpp"
#include "grader/lti/curl_http.hpp"
#include "grader/lti/patient_http.hpp"
#include "grader/lti/platform.hpp"
#include "grader/lti/platform_simulator.hpp"

namespace grader {

class FakeClock : public DeliveryClock {
 public:
  [[nodiscard]] std::int64_t now_ms() const override { return now_ms_; }
  [[nodiscard]] bool wait_ms(std::int64_t duration) override {
    if (--waits_left_ < 0) return false;
    waited_.push_back(duration);
    now_ms_ += duration;
    return true;
  }

  void advance_ms(std::int64_t duration) { now_ms_ += duration; }
  /// From the so-manieth wait on, the run is told to stop.
  void stop_after(std::int64_t waits) { waits_left_ = waits; }
  [[nodiscard]] const std::vector<std::int64_t>& waited() const { return waited_; }

 private:
  std::atomic<std::int64_t> now_ms_ = 1'796'000'000'123;  // in November 2026
  std::int64_t waits_left_ = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> waited_;
};

struct KeyPair {
  std::string private_pem;
  std::string public_pem;
};

/// An RSA key; `is_other`: another one than without.
const KeyPair& key_pair(bool is_other = false);

/// The sentence of a fault that `work` throws.
template <class Fault, class Work>
std::string sentence_of(const Work& work) {
  try {
    work();
  } catch (const Fault& fault) {
    EXPECT_NE(fault.hint(), "");
    return fault.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

/// A client of the simulator; each has its own tokens and connections.
struct LtiClient {
  LtiClient(const Platform& platform, FakeClock& clock, std::vector<std::string> scopes,
            std::int64_t timeout_ms = 10'000)
      : key(key_pair().private_pem, "The key"),
        curl({.ca_file = platform.ca_file, .timeout_ms = timeout_ms}),
        http(curl, clock, 7),
        tokens(platform, key, std::move(scopes), http, clock),
        authorized(tokens, http) {}

  PrivateKey key;
  CurlHttp curl;
  PatientHttp http;
  AccessTokens tokens;
  AuthorizedHttp authorized;
};

class LtiTest : public testing::Test {
 protected:
  LtiTest() : simulator_(clock_) { simulator_.rules.public_key = key_pair().public_pem; }

  /// The platform as its file would describe it.
  [[nodiscard]] Platform platform() const {
    Platform platform;
    platform.token_url = simulator_.token_url();
    platform.audience = platform.token_url;
    platform.client_id = simulator_.rules.client_id;
    platform.key_id = simulator_.rules.key_id;
    platform.ca_file = simulator_.certificate();
    platform.line_item.url = simulator_.line_item_url();
    platform.user_ids = {"lti_user"};
    return platform;
  }

  static PlatformSimulator::Trouble answered(int status,
                                             std::map<std::string, std::string> headers = {}) {
    return {false, {status, std::move(headers), "trouble"}};
  }

  FakeClock clock_;
  PlatformSimulator simulator_;
};

}  // namespace grader
