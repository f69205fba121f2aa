// A score as LTI 1.3 platforms take it: Assignment and Grade Services 2.0, section 3.4.
#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace grader {

enum class LtiActivity : std::uint8_t { initialized, started, in_progress, submitted, completed };
/// Only fully_graded counts everywhere: Moodle throws the score of every other one away.
enum class LtiGrading : std::uint8_t { fully_graded, pending, pending_manual, failed, not_ready };

/// What is posted to a line item's /scores.
struct LtiScore {
  std::string user_id;  ///< the "sub" of the student's launches: at most 255 ASCII characters
  LtiActivity activity = LtiActivity::completed;
  LtiGrading grading = LtiGrading::fully_graded;
  /// ISO 8601 with an offset and fractions of a second. A platform refuses a score that is not
  /// later than the one it has.
  std::string timestamp;
  std::optional<double> given;  ///< from 0 on; a platform clears its score where there is none
  double maximum = 0;           ///< above 0
  std::string comment;          ///< plain text that the student sees; empty: none
  std::string submitted_at;     ///< as the timestamp; empty: nobody knows
};

/// The body of the request. Throws InternalFault for a score that no platform would take: without
/// user or timestamp, not finite, negative, or of no points at all.
[[nodiscard]] nlohmann::ordered_json lti_score_json(const LtiScore& score);

/// "2026-11-30T16:35:01.123Z", for timestamps.
[[nodiscard]] std::string lti_timestamp(std::chrono::system_clock::time_point time);

/// Whether platforms may call a user so: 1 to 255 ASCII characters that can be seen.
[[nodiscard]] bool is_lti_user(std::string_view id);

}  // namespace grader
