#include "grader/lti/delivery.hpp"

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "grader/base/digest.hpp"
#include "grader/base/fault.hpp"
#include "grader/lti/url.hpp"

namespace grader {
namespace {

constexpr std::int64_t kMillisecondsPerSecond = 1'000;
/// A clock that stands further behind the last delivery is wrong.
constexpr std::int64_t kLongestWaitForClock = 60'000;
constexpr int kConflict = 409;
constexpr int kServerError = 500;

/// What is told of a score, at `timestamp`.
nlohmann::ordered_json object_of(const Platform& platform, LtiScore score,
                                 const std::string& timestamp) {
  score.timestamp = timestamp;
  if (!platform.has_comments) score.comment.clear();
  return lti_score_json(score);
}

std::string digest_of(const Platform& platform, const LtiScore& score) {
  return sha256_of_bytes(object_of(platform, score, "at any time").dump());
}

bool is_temporary(const PatientOutcome& outcome) {
  const auto* answer = std::get_if<HttpAnswer>(&outcome.last);
  return answer == nullptr || is_rate_limit(*answer) || answer->status >= kServerError;
}

/// The last try may have been carried out.
bool is_in_doubt(const PatientOutcome& outcome) {
  if (const auto* failure = std::get_if<HttpFailure>(&outcome.last)) {
    return failure->kind == HttpFailure::Kind::unanswered;
  }
  return is_temporary(outcome) && !is_rate_limit(std::get<HttpAnswer>(outcome.last));
}

std::string in_doubt(const std::string& words) {
  return "was sent, but " + words + "; the next push settles it";
}

}  // namespace

Pending pending(const StudentScore& score, const Platform& platform, const DeliveryRecord* known) {
  if (known == nullptr) return Pending::first;
  const bool is_same = known->digest == digest_of(platform, score.score);
  switch (known->state) {
    case DeliveryState::delivered: return is_same ? Pending::nothing : Pending::changed;
    case DeliveryState::sent: return is_same ? Pending::again : Pending::changed;
    case DeliveryState::failed: break;
  }
  return Pending::first;
}

Delivery::Delivery(const Platform& platform, std::string line_item, Gradebook& gradebook,
                   AuthorizedHttp& http, DeliveryClock& clock, Options options)
    : platform_(platform),
      line_item_(std::move(line_item)),
      gradebook_(gradebook),
      http_(http),
      clock_(clock),
      options_(std::move(options)) {}

DeliveryReport Delivery::deliver(const std::vector<StudentScore>& scores) {
  DeliveryReport report;
  std::size_t done = 0;
  try {
    for (const StudentScore& score : scores) {
      if (!clock_.wait_ms(0)) throw DeliveryInterrupted{};
      const Ending ending = deliver(score);
      count(score, ending, report);
      ++done;
      if (ending.end == End::stopped) throw DeliveryInterrupted{};
      if (options_.progress) options_.progress(done, scores.size());
      if (silent_in_a_row_ >= options_.silent_students) {
        report.why_stopped = "The platform does not answer.";
        break;
      }
    }
  } catch (const DeliveryInterrupted&) {
    report.is_interrupted = true;
    report.why_stopped = "It was interrupted.";
  } catch (const UsageFault& fault) {
    if (done == report.already) throw;
    report.why_stopped = std::string(fault.what()) + " " + fault.hint();
  } catch (const EnvironmentFault& fault) {
    if (done == report.already) throw;
    report.why_stopped = std::string(fault.what()) + " " + fault.hint();
  }
  for (; done < scores.size(); ++done) report.untried.push_back(scores[done].student);
  return report;
}

void Delivery::count(const StudentScore& score, const Ending& ending, DeliveryReport& report) {
  silent_in_a_row_ = ending.end == End::silent ? silent_in_a_row_ + 1 : 0;
  switch (ending.end) {
    case End::delivered: ++report.delivered; return;
    case End::already: ++report.already; return;
    case End::refused:
    case End::stopped:
    case End::silent: report.not_delivered.push_back({score.student, ending.reason}); return;
  }
}

Delivery::Ending Delivery::deliver(const StudentScore& score) {
  const std::optional<DeliveryRecord> known = gradebook_.delivery(score.student, line_item_);
  const Pending what = pending(score, platform_, known ? &*known : nullptr);
  if (what == Pending::nothing) return {End::already, {}};
  // Without a token nothing is sent, and nothing is in doubt.
  http_.authorize();
  DeliveryRecord record;
  record.student = score.student;
  record.line_item = line_item_;
  record.digest = digest_of(platform_, score.score);
  record.timestamp_ms =
      what == Pending::again ? known->timestamp_ms : timestamp_after(known ? &*known : nullptr);
  return settle(std::move(record), score, what == Pending::again);
}

Delivery::Ending Delivery::settle(DeliveryRecord record, const StudentScore& score,
                                  bool is_sent_before) {
  for (bool is_first_timestamp = true;; is_first_timestamp = false) {
    remember(record, DeliveryState::sent);
    const PatientOutcome outcome = http_.send(request_for(record, score.score));
    const bool may_be_stored = is_sent_before || outcome.may_be_done_already;
    if (outcome.is_interrupted) {
      if (may_be_stored || is_in_doubt(outcome)) {
        return {End::stopped, in_doubt(words_for(outcome.last))};
      }
      remember(record, DeliveryState::failed);
      throw DeliveryInterrupted{};
    }
    const auto* answer = std::get_if<HttpAnswer>(&outcome.last);
    const bool is_conflict = answer != nullptr && answer->status == kConflict;
    // A platform that already has a score with this timestamp, or a later one, need not be told.
    if (answer != nullptr && (answer->is_success() || (is_conflict && may_be_stored))) {
      remember(record, DeliveryState::delivered);
      return {End::delivered, {}};
    }
    if (is_conflict && is_first_timestamp) {
      // Somebody has entered a score in this very second: ours is the later one.
      record.timestamp_ms = timestamp_after(&record);
      continue;
    }
    return remember_failure(std::move(record), outcome, may_be_stored);
  }
}

Delivery::Ending Delivery::remember_failure(DeliveryRecord record, const PatientOutcome& outcome,
                                            bool may_be_stored) {
  std::string words = words_for(outcome.last);
  const auto* answer = std::get_if<HttpAnswer>(&outcome.last);
  if (platform_.kind == Platform::Kind::moodle && answer != nullptr &&
      answer->status == kServerError) {
    words += " (Moodle does so for somebody who has no grades in the course)";
  }
  if (is_temporary(outcome)) {
    if (may_be_stored || is_in_doubt(outcome)) {
      return {End::silent, in_doubt(words)};
    }
    remember(record, DeliveryState::failed, words);
    require_no_general_refusal(outcome, "The score cannot be sent to " + line_item_);
    return {End::silent, "was not sent: " + words};
  }
  remember(record, DeliveryState::failed, words);
  require_no_general_refusal(outcome, "The platform takes no scores at " + line_item_);
  return {End::refused, "is refused by the platform: " + words};
}

HttpRequest Delivery::request_for(const DeliveryRecord& record, const LtiScore& score) const {
  HttpRequest request;
  request.method = HttpRequest::Method::post;
  request.url = with_path_ending(line_item_, "scores");
  request.headers = {"Content-Type: application/vnd.ims.lis.v1.score+json",
                     "Accept: application/json"};
  const std::chrono::system_clock::time_point time{std::chrono::milliseconds(record.timestamp_ms)};
  nlohmann::ordered_json object = object_of(platform_, score, lti_timestamp(time));
  if (platform_.kind == Platform::Kind::canvas) {
    // Else Canvas takes every score for a new attempt of the student.
    object["https://canvas.instructure.com/lti/submission"] = {{"new_submission", false}};
  }
  request.body = object.dump();
  return request;
}

std::int64_t Delivery::timestamp_after(const DeliveryRecord* known) {
  if (known == nullptr) return clock_.now_ms();
  const std::int64_t earliest =
      (known->timestamp_ms / kMillisecondsPerSecond + 1) * kMillisecondsPerSecond;
  for (std::int64_t now = clock_.now_ms();; now = clock_.now_ms()) {
    if (now >= earliest) return now;
    if (earliest - now > kLongestWaitForClock) {
      throw EnvironmentFault("This machine's clock stands before an earlier delivery.",
                             "Set the clock; platforms refuse scores that seem older than theirs.");
    }
    if (!clock_.wait_ms(earliest - now)) throw DeliveryInterrupted{};
  }
}

void Delivery::remember(DeliveryRecord& record, DeliveryState state, const std::string& reason) {
  record.state = state;
  record.reason = reason;
  record.changed_at = clock_.now_ms() / kMillisecondsPerSecond;
  gradebook_.put_delivery(record);
}

}  // namespace grader
