// Requests that are sent again while the trouble may pass: limits on the rate, servers that are
// busy or restarting, connections that break.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>

#include "grader/lti/clock.hpp"
#include "grader/lti/http.hpp"

namespace grader {

/// How often and how long a request is tried again. Waits double from the first to the longest,
/// each shortened at random by up to a half, so that clients do not come back together.
struct Patience {
  int tries = 8;
  /// Moodle answers 500 for a user whom it does not know, and a host whose name nobody knows is
  /// mostly misspelt, so these are soon believed.
  int tries_if_soon_believed = 3;
  std::int64_t first_wait_ms = 1'000;
  std::int64_t longest_wait_ms = 60'000;
  /// A platform that asks for a longer wait (Retry-After) is not waited for.
  std::int64_t longest_asked_wait_ms = 600'000;
  /// Called with what happened before each wait, if set.
  std::function<void(const HttpOutcome&)> before_wait = {};
};

struct PatientOutcome {
  HttpOutcome last;
  /// An earlier try may have been carried out, though its answer is not known.
  bool may_be_done_already = false;
  /// Whoever runs this wanted it to stop before the tries were used up.
  bool is_interrupted = false;
};

class PatientHttp {
 public:
  /// Both must outlive this. `seed`: of the random part of waits.
  PatientHttp(Http& http, DeliveryClock& clock, std::uint64_t seed, Patience patience = {});

  /// Sends what `request` makes, which is called once a try, until the answer is not to come back
  /// later. What an answer quotes of the request's secrets is concealed.
  PatientOutcome send(const std::function<HttpRequest()>& request);

 private:
  [[nodiscard]] std::int64_t wait_after(int tries, const HttpOutcome& outcome);

  Http& http_;
  DeliveryClock& clock_;
  std::mt19937_64 random_;
  Patience patience_;
};

/// What happened, for people: "it answers 422: User not found", "it cannot be reached: …". Bounded
/// and fit to be shown.
std::string words_for(const HttpOutcome& outcome);

/// Whether the platform says with this answer that there are too many requests. Canvas says 403
/// then, with a header that nothing is left.
bool is_rate_limit(const HttpAnswer& answer);

}  // namespace grader
