#include "grader/lti/score.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "grader/base/fault.hpp"

namespace grader {
namespace {

const char* name_of(LtiActivity activity) {
  switch (activity) {
    case LtiActivity::initialized: return "Initialized";
    case LtiActivity::started: return "Started";
    case LtiActivity::in_progress: return "InProgress";
    case LtiActivity::submitted: return "Submitted";
    case LtiActivity::completed: return "Completed";
  }
  throw InternalFault("no such progress of an activity");
}

const char* name_of(LtiGrading grading) {
  switch (grading) {
    case LtiGrading::fully_graded: return "FullyGraded";
    case LtiGrading::pending: return "Pending";
    case LtiGrading::pending_manual: return "PendingManual";
    case LtiGrading::failed: return "Failed";
    case LtiGrading::not_ready: return "NotReady";
  }
  throw InternalFault("no such progress of grading");
}

void require(bool holds, const char* what) {
  if (!holds) throw InternalFault(std::string("An LTI score ") + what + ".");
}

}  // namespace

nlohmann::ordered_json lti_score_json(const LtiScore& score) {
  require(is_lti_user(score.user_id), "has no user");
  require(!score.timestamp.empty(), "has no timestamp");
  require(std::isfinite(score.maximum) && score.maximum > 0, "has no maximum");
  nlohmann::ordered_json json = {{"userId", score.user_id},
                                 {"activityProgress", name_of(score.activity)},
                                 {"gradingProgress", name_of(score.grading)},
                                 {"timestamp", score.timestamp}};
  if (score.given) {
    require(std::isfinite(*score.given) && *score.given >= 0, "gives no number from 0 on");
    json["scoreGiven"] = *score.given;
    json["scoreMaximum"] = score.maximum;  // never one without the other
  }
  if (!score.comment.empty()) json["comment"] = score.comment;
  if (!score.submitted_at.empty()) json["submission"] = {{"submittedAt", score.submitted_at}};
  return json;
}

std::string lti_timestamp(std::chrono::system_clock::time_point time) {
  namespace chrono = std::chrono;
  const auto day = chrono::floor<chrono::days>(time);
  const chrono::year_month_day date{day};
  const chrono::hh_mm_ss clock{chrono::floor<chrono::milliseconds>(time - day)};
  std::array<char, 80> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()),
                static_cast<int>(clock.subseconds().count()));
  return text.data();
}

bool is_lti_user(std::string_view id) {
  constexpr std::size_t kLongest = 255;
  return !id.empty() && id.size() <= kLongest && std::ranges::all_of(id, [](char character) {
    return character > ' ' && character <= '~';
  });
}

}  // namespace grader
