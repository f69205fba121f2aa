// Requests to a platform that carry an access token.
#pragma once

#include "grader/lti/access_tokens.hpp"
#include "grader/lti/patient_http.hpp"

namespace grader {

class AuthorizedHttp {
 public:
  /// Both must outlive this.
  AuthorizedHttp(AccessTokens& tokens, PatientHttp& http) : tokens_(tokens), http_(http) {}

  /// Makes sure of a token, so that what it throws is thrown before anything is sent: see
  /// AccessTokens::token.
  void authorize() { tokens_.token(); }

  /// Sends the request with a token, and once more with a new one where the token is not accepted
  /// (401). Throws as AccessTokens::token does, and DeliveryInterrupted.
  PatientOutcome send(const HttpRequest& request);

 private:
  AccessTokens& tokens_;
  PatientHttp& http_;
};

/// Throws UsageFault or EnvironmentFault for an outcome that says nothing of one student but would
/// be the same for all: no permission, nothing at this URL, a redirection, a server that cannot be
/// trusted. `what` was asked for, at the beginning of a sentence: "The line item …".
void require_no_general_refusal(const PatientOutcome& outcome, const std::string& what);

}  // namespace grader
