#include "grader/lti/authorized_http.hpp"

#include "grader/base/fault.hpp"

namespace grader {
namespace {

constexpr int kUnauthorized = 401;

bool is_unauthorized(const PatientOutcome& outcome) {
  const auto* answer = std::get_if<HttpAnswer>(&outcome.last);
  return answer != nullptr && answer->status == kUnauthorized;
}

}  // namespace

PatientOutcome AuthorizedHttp::send(const HttpRequest& request) {
  const auto authorized = [&] {
    HttpRequest complete = request;
    complete.secrets.push_back(tokens_.token());
    complete.headers.push_back("Authorization: Bearer " + complete.secrets.back());
    return complete;
  };
  PatientOutcome outcome = http_.send(authorized);
  if (!outcome.is_interrupted && is_unauthorized(outcome)) {
    tokens_.forget();
    const bool may_be_done_already = outcome.may_be_done_already;
    outcome = http_.send(authorized);
    outcome.may_be_done_already |= may_be_done_already;
  }
  return outcome;
}

void require_no_general_refusal(const PatientOutcome& outcome, const std::string& what) {
  const std::string sentence = what + ": " + words_for(outcome.last) + ".";
  if (const auto* failure = std::get_if<HttpFailure>(&outcome.last)) {
    if (failure->kind != HttpFailure::Kind::impossible) return;
    throw EnvironmentFault(sentence, kHowToTrust);
  }
  const auto& answer = std::get<HttpAnswer>(outcome.last);
  if (answer.status >= 300 && answer.status < 400) {
    throw UsageFault(sentence,
                     "It wants another URL to be asked. A token is not sent to where an answer "
                     "points: correct the URL in the platform file.");
  }
  switch (answer.status) {
    case kUnauthorized:
      throw UsageFault(sentence,
                       "It gave an access token and does not accept it here: check that the tool "
                       "is installed in this course.");
    case 403:
      if (is_rate_limit(answer)) return;
      throw UsageFault(sentence,
                       "Allow the tool's registration to do this; docs/integration.md says where.");
    case 404:
    case 410:
      throw UsageFault(sentence,
                       "Was it deleted? Correct its URL in the platform file, or what it is found "
                       "by.");
    default: return;
  }
}

}  // namespace grader
