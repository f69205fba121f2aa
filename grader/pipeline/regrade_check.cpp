#include "grader/pipeline/regrade_check.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "grader/base/digest.hpp"
#include "grader/base/fault.hpp"
#include "grader/pipeline/configuration.hpp"
#include "grader/scorecard/names.hpp"
#include "grader/scorecard/redaction.hpp"

namespace grader {
namespace {

const ScoredCheck* found(const Scorecard& scorecard, const std::string& id) {
  const auto check =
      std::ranges::find(scorecard.checks, id, [](const ScoredCheck& one) { return one.result.id; });
  return check == scorecard.checks.end() ? nullptr : &*check;
}

// The configuration of a scorecard of this version of the assignment, some checks of which are of
// other versions.
std::string configuration_of(const std::string& assignment_digest,
                             const std::vector<RegradedCheck>& regraded, const Regrading& now) {
  LoadedAssignment version = now.assignment;
  version.digest = assignment_digest;
  std::string whole = configuration_digest(version, now.options, now.toolchain);
  if (regraded.empty()) return whole;
  Digest digest;
  digest.add("checks graded again alone").add(whole);
  for (const RegradedCheck& check : regraded) digest.add(check.id).add(check.assignment_digest);
  return digest.hex();
}

// What is different about the checks beside `check`; empty: nothing.
std::string changed_check(const Scorecard& earlier, const std::string& check,
                          const Policy& policy) {
  for (const CheckPolicy& today : policy.checks) {
    const ScoredCheck* before = found(earlier, today.id);
    if (before == nullptr) return "The assignment has a check more since then, " + today.id + ".";
    if (today.id == check) continue;
    if (before->max_points != today.points) return "The points of " + today.id + " changed too.";
    if (before->objective != today.objective) {
      return "The objective of " + today.id + " changed too.";
    }
  }
  for (const ScoredCheck& before : earlier.checks) {
    if (std::ranges::find(policy.checks, before.result.id, &CheckPolicy::id) ==
        policy.checks.end()) {
      return "The assignment has no check " + before.result.id + " any more.";
    }
  }
  return {};
}

// What is different about how it was graded, by name.
std::string changed_circumstance(const Scorecard& earlier, const Regrading& now) {
  const Policy& policy = now.assignment.policy;
  const HintLevel level = now.options.hint_level.value_or(policy.hint_level);
  const std::uint64_t seed = now.options.seed.value_or(policy.seed);
  const std::int64_t cases = now.options.cases.value_or(policy.cases);
  const auto from_to = [](const std::string& what, const std::string& from, const std::string& to) {
    return what + " changed from " + from + " to " + to + ".";
  };
  if (earlier.grader_version != grader_version()) {
    return from_to("The grader", "version " + earlier.grader_version, grader_version());
  }
  if (earlier.toolchain != now.toolchain) {
    return from_to("The compiler", earlier.toolchain, now.toolchain);
  }
  if (earlier.hint_level != level) {
    return from_to("The hint level", std::string(name_of(earlier.hint_level)),
                   std::string(name_of(level)));
  }
  // Under score_only a scorecard does not tell its seed.
  if (level != HintLevel::score_only && earlier.seed != seed) {
    return from_to("The seed", std::to_string(earlier.seed), std::to_string(seed));
  }
  if (earlier.cases != cases) {
    return from_to("The random cases a check", std::to_string(earlier.cases),
                   std::to_string(cases));
  }
  return "The seed or the inputs that the assignment has learned changed.";
}

void score_again(Scorecard& scorecard, const Policy& policy) {
  scorecard.objectives.clear();
  scorecard.score = 0;
  scorecard.max_score = 0;
  for (const Objective& objective : policy.objectives) {
    ObjectiveScore& sum = scorecard.objectives.emplace_back();
    sum.id = objective.id;
    sum.title = objective.title;
    for (const ScoredCheck& check : scorecard.checks) {
      if (check.objective != objective.id) continue;
      sum.points += check.points;
      sum.max_points += check.max_points;
    }
  }
  for (const ScoredCheck& check : scorecard.checks) {
    scorecard.score += check.points;
    scorecard.max_score += check.max_points;
  }
}

std::string notice_of(const std::string& check) {
  return "Check " + check + " was graded again alone, with ";
}

void tell(Scorecard& scorecard, const std::vector<RegradedCheck>& regraded,
          const std::string& check, const std::string& level) {
  std::erase_if(scorecard.notices,
                [&](const std::string& notice) { return notice.starts_with(notice_of(check)); });
  const auto found = std::ranges::find(regraded, check, &RegradedCheck::id);
  if (found != regraded.end()) {
    constexpr std::size_t kDigits = 12;
    scorecard.notices.push_back(notice_of(check) + "another version of the assignment (" +
                                found->assignment_digest.substr(0, kDigits) +
                                ") than the other checks (" +
                                scorecard.assignment_digest.substr(0, kDigits) + ").");
  }
  if (level != scorecard.isolation.level) {
    scorecard.notices.push_back(notice_of(check) + "isolation " + level + "; the others ran with " +
                                scorecard.isolation.level + ".");
  }
}

}  // namespace

std::string obstacle_to_regrading(const EarlierResult& earlier, const std::string& check,
                                  const Regrading& now) {
  const Scorecard& scorecard = earlier.scorecard;
  if (scorecard.status != ScorecardStatus::graded) return "No check ran.";
  std::string changed = changed_check(scorecard, check, now.assignment.policy);
  if (!changed.empty()) return changed;
  const std::string then = configuration_of(scorecard.assignment_digest, earlier.regraded, now);
  return then == scorecard.configuration ? std::string() : changed_circumstance(scorecard, now);
}

bool is_regraded(const EarlierResult& earlier, const std::string& check,
                 const LoadedAssignment& assignment) {
  return std::ranges::any_of(earlier.regraded, [&](const RegradedCheck& one) {
    return one.id == check && one.assignment_digest == assignment.digest;
  });
}

std::vector<RegradedCheck> regraded_after(const EarlierResult& earlier, const std::string& check,
                                          const LoadedAssignment& assignment) {
  std::vector<RegradedCheck> regraded = earlier.regraded;
  std::erase_if(regraded, [&](const RegradedCheck& one) { return one.id == check; });
  if (assignment.digest != earlier.scorecard.assignment_digest) {
    regraded.push_back({check, assignment.digest});
    std::ranges::sort(regraded, {}, &RegradedCheck::id);
  }
  return regraded;
}

std::string configuration_after_regrading(const EarlierResult& earlier, const std::string& check,
                                          const Regrading& now) {
  return configuration_of(earlier.scorecard.assignment_digest,
                          regraded_after(earlier, check, now.assignment), now);
}

Scorecard with_check_of(const Scorecard& fresh, EarlierResult earlier, const std::string& check,
                        const Regrading& now) {
  Scorecard& result = earlier.scorecard;
  if (fresh.submission_digest != result.submission_digest) {
    throw UsageFault("This is not the submission that was graded before.",
                     "Leave --check out: it is graded whole.");
  }
  if (fresh.status != ScorecardStatus::graded) {
    throw EnvironmentFault("It was graded before, and now it is " +
                               std::string(name_of(fresh.status)) + ": " + fresh.build.problem,
                           "Grade it whole, without --check.");
  }
  const ScoredCheck* again = found(fresh, check);
  if (again == nullptr) throw InternalFault("check " + check + " was not run");
  for (ScoredCheck& one : result.checks) {
    if (one.result.id == check) one = *again;
  }
  const std::vector<RegradedCheck> regraded = regraded_after(earlier, check, now.assignment);
  result.configuration = configuration_of(result.assignment_digest, regraded, now);
  result.timing = fresh.timing;
  score_again(result, now.assignment.policy);
  result.diagnosis.clear();
  if (result.score < result.max_score) result.diagnosis = fresh.diagnosis;
  tell(result, regraded, check, fresh.isolation.level);
  const HintLevel level = result.hint_level;
  return redacted(std::move(result), level);
}

}  // namespace grader
