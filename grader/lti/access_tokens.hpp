// Access tokens of a platform: asked for when needed, kept until shortly before they expire.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/lti/clock.hpp"
#include "grader/lti/patient_http.hpp"
#include "grader/lti/platform.hpp"
#include "grader/lti/private_key.hpp"

namespace grader {

/// What a token allows, of LTI Assignment and Grade Services 2.0.
inline constexpr const char* kScoreScope = "https://purl.imsglobal.org/spec/lti-ags/scope/score";
inline constexpr const char* kLineItemScope =
    "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly";

/// What to do about a server that cannot be trusted.
inline constexpr const char* kHowToTrust =
    "Compare the URL with the platform's. If its certificate comes from an authority of its own, "
    "name that authority's certificate, in PEM, as ca_file in the platform file.";

/// The run was told to stop while something was awaited.
struct DeliveryInterrupted {};

class AccessTokens {
 public:
  /// All must outlive this.
  AccessTokens(const Platform& platform, const PrivateKey& key, std::vector<std::string> scopes,
               PatientHttp& http, const DeliveryClock& clock);

  /// One that is valid for a while. Throws UsageFault when the platform refuses (whom it does not
  /// know, a wrong key, a scope that is not granted), EnvironmentFault when it cannot be reached or
  /// answers nonsense, DeliveryInterrupted.
  const std::string& token();
  /// What token() returned is not accepted any more.
  void forget() { token_.clear(); }

 private:
  void ask();
  void keep(const HttpAnswer& answer);
  [[noreturn]] void refuse(const HttpOutcome& outcome) const;

  const Platform& platform_;
  const PrivateKey& key_;
  std::vector<std::string> scopes_;
  PatientHttp& http_;
  const DeliveryClock& clock_;
  std::string token_;  ///< empty: there is none
  std::int64_t good_until_ms_ = 0;
};

}  // namespace grader
