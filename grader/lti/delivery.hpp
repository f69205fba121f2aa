// Delivers the scores of a class to a line item of a learning platform.
//
// Theory of operation. A platform knows a score by its user and its timestamp: of two scores the
// later one counts, and a score is refused (Moodle) or stored in place of itself (Canvas) when it
// comes again with the same timestamp. So every score is written down (DeliveryRecord, state
// "sent") with the timestamp it will carry before it is sent, and as delivered when the platform
// has said so. Whatever happens in between, the answer lost, the machine switched off, the next
// try sends the same score with the same timestamp, and the platform holds it once. A score that
// has changed since gets a later timestamp: by a whole second at least, since Moodle compares
// seconds. A score that is known to be delivered is not sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "grader/gradebook/gradebook.hpp"
#include "grader/lti/authorized_http.hpp"
#include "grader/lti/clock.hpp"
#include "grader/lti/platform.hpp"
#include "grader/lti/student_scores.hpp"

namespace grader {

struct NotDelivered {
  std::string student;
  std::string
      reason;  ///< a sentence without the student, fit to be shown: "The platform refuses …"
};

struct DeliveryReport {
  std::size_t delivered = 0;  ///< in this run
  std::size_t already = 0;    ///< before it
  std::vector<NotDelivered> not_delivered;
  std::vector<std::string> untried;  ///< students, because the run has stopped
  std::string why_stopped;           ///< one or two sentences; empty: it has not
  bool is_interrupted = false;       ///< it has, because it was told to
};

/// What a delivery would do with a score.
enum class Pending : std::uint8_t {
  nothing,  ///< it is delivered
  first,    ///< nothing was delivered for this student
  changed,  ///< another score was
  again,    ///< it was sent, and nobody knows whether it arrived
};

/// `known`: the student's record at this line item, or null.
Pending pending(const StudentScore& score, const Platform& platform, const DeliveryRecord* known);

class Delivery {
 public:
  struct Options {
    /// Students in a row for whom the platform does not answer, until the run stops.
    std::size_t silent_students = 3;
    /// Called with the number of students who are through, if set.
    std::function<void(std::size_t done, std::size_t all)> progress;
  };

  /// All must outlive this. `line_item`: its URL.
  Delivery(const Platform& platform, std::string line_item, Gradebook& gradebook,
           AuthorizedHttp& http, DeliveryClock& clock, Options options);

  /// Delivers what is not yet delivered, one student after the other. What concerns one student is
  /// in the report. What would be the same for all (no permission, the line item is gone) stops it:
  /// it is thrown when it happens before anything was delivered or refused, and else is in the
  /// report.
  DeliveryReport deliver(const std::vector<StudentScore>& scores);

 private:
  enum class End : std::uint8_t {
    delivered,
    already,
    refused,
    silent,
    stopped,  ///< sent, and the run is to stop before it is known what became of it
  };
  struct Ending {
    End end = End::delivered;
    std::string reason;
  };

  Ending deliver(const StudentScore& score);
  Ending settle(DeliveryRecord record, const StudentScore& score, bool is_sent_before);
  Ending remember_failure(DeliveryRecord record, const PatientOutcome& outcome, bool may_be_stored);
  [[nodiscard]] HttpRequest request_for(const DeliveryRecord& record, const LtiScore& score) const;
  [[nodiscard]] std::int64_t timestamp_after(const DeliveryRecord* known);
  void remember(DeliveryRecord& record, DeliveryState state, const std::string& reason = {});
  void count(const StudentScore& score, const Ending& ending, DeliveryReport& report);

  const Platform& platform_;
  std::string line_item_;
  Gradebook& gradebook_;
  AuthorizedHttp& http_;
  DeliveryClock& clock_;
  Options options_;
  std::size_t silent_in_a_row_ = 0;
};

}  // namespace grader
