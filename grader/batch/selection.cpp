#include "grader/batch/selection.hpp"

#include <algorithm>
#include <map>

#include "grader/base/fault.hpp"
#include "grader/base/suggestion.hpp"

namespace grader {

WhichAttempts which_attempts(const std::string& name) {
  if (name == "last") return WhichAttempts::last;
  if (name == "best") return WhichAttempts::best;
  if (name == "all") return WhichAttempts::all;
  throw UsageFault("There is no such choice of attempts: " + name + ".",
                   suggestion(name, {"last", "best", "all"}) + "Choose last, best or all.");
}

std::vector<std::size_t> attempts_to_grade(const std::vector<Attempt>& attempts,
                                           WhichAttempts which, std::optional<std::int64_t> limit) {
  const auto counts = [&](const Attempt& attempt) { return !limit || attempt.number <= *limit; };
  std::map<std::string, std::int64_t> last;
  for (const Attempt& attempt : attempts) {
    if (!counts(attempt)) continue;
    std::int64_t& number = last.emplace(attempt.student, attempt.number).first->second;
    number = std::max(number, attempt.number);
  }
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < attempts.size(); ++place) {
    const Attempt& attempt = attempts[place];
    if (!counts(attempt)) continue;
    if (which == WhichAttempts::last && attempt.number != last.at(attempt.student)) continue;
    places.push_back(place);
  }
  return places;
}

std::string beyond_limit_text(std::int64_t handed_in, std::optional<std::int64_t> limit) {
  if (!limit || handed_in <= *limit) return {};
  const std::string allowed =
      std::to_string(*limit) + (*limit == 1 ? " is allowed." : " are allowed.");
  const std::string first = std::to_string(*limit + 1);
  if (handed_in == *limit + 1) return "Attempt " + first + " does not count: " + allowed;
  return "Attempts " + first + " to " + std::to_string(handed_in) + " do not count: " + allowed;
}

Counting counting_attempts(const std::vector<GradedAttempt>& attempts, WhichAttempts which,
                           std::int64_t handed_in) {
  if (attempts.empty()) throw InternalFault("A student without attempts has none that counts.");
  std::size_t chosen = 0;
  for (std::size_t place = 1; place < attempts.size(); ++place) {
    const GradedAttempt& best = attempts[chosen];
    const GradedAttempt& here = attempts[place];
    bool is_better = here.number > best.number;
    // An attempt without a score is below every score: -1 is none that can be computed.
    const double score = here.score.value_or(-1);
    const double best_score = best.score.value_or(-1);
    if (which == WhichAttempts::best && score != best_score) is_better = score > best_score;
    if (is_better) chosen = place;
  }
  if (handed_in <= 1) return {chosen, "It is the only attempt."};
  const std::string counts = "Attempt " + std::to_string(attempts[chosen].number) + " of " +
                             std::to_string(handed_in) + " counts: the ";
  if (which != WhichAttempts::best) return {chosen, counts + "last."};
  const auto ungraded = std::ranges::count_if(
      attempts, [](const GradedAttempt& attempt) { return !attempt.score.has_value(); });
  std::string explanation = counts + "best.";
  if (ungraded > 0)
    explanation += " " + std::to_string(ungraded) + " without a score may be better.";
  return {chosen, explanation};
}

}  // namespace grader
