#include "grader/engine/search.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace grader {
namespace {

/// Cases of the schedule among which the search chooses where to start, besides the fixed ones.
constexpr std::int64_t kStarts = 100;
/// Neighbours that may be drawn for each that is judged: most may lie outside of the domain.
constexpr std::int64_t kDrawsOfCase = 8;

class Climb {
 public:
  Climb(const Check& check, const Search& search, const RunPlan& plan, const JudgeCase& judge,
        Implementation& implementation)
      : check_(check),
        search_(search),
        plan_(plan),
        judge_(judge),
        implementation_(implementation) {}

  SearchEnd run() {
    for (const Case& fixed : check_.fixed_cases) take_if_further(fixed);
    const std::int64_t starts = plan_.generate ? std::min(kStarts, plan_.random_cases) : 0;
    for (std::int64_t index = 0; index < starts; ++index) {
      take_if_further(draw_case_of(check_, plan_, {index, plan_.random_cases}));
    }
    SearchEnd end;
    const std::int64_t draws = kDrawsOfCase * search_.cases;
    for (std::int64_t draw = 0; best_ && end.judged < search_.cases && draw < draws; ++draw) {
      Case next = neighbour({draw, draws});
      if (check_.admits && !check_.admits(next)) continue;
      ++end.judged;
      const CaseVerdict verdict = judge_(next, true);
      if (verdict.fails()) {
        end.failing = std::move(next);
        return end;
      }
      if (verdict.judgement.verdict == Judgement::Verdict::holds) take_if_further(std::move(next));
    }
    return end;
  }

 private:
  [[nodiscard]] Case neighbour(const Schedule& schedule) const {
    Check stream = check_;
    stream.generator = check_.id + " " + search_.towards;
    Case next = draw_case(
        stream, [&](Random& random, const Schedule&) { return search_.vary(random, *best_); },
        plan_.seed, schedule);
    next.label.clear();
    next.name = "found by looking for " + search_.towards;
    return next;
  }

  /// Cases as far as the best one are taken too, so that the search moves on where it cannot climb.
  void take_if_further(Case test_case) {
    double reached = std::numeric_limits<double>::quiet_NaN();
    try {
      reached = search_.reach(test_case, implementation_);
    } catch (const CallFault&) {
      return;  // the call returned when the case was judged; it leads nowhere now
    }
    if (!(reached >= furthest_)) return;
    furthest_ = reached;
    best_ = std::move(test_case);
  }

  const Check& check_;
  const Search& search_;
  const RunPlan& plan_;
  const JudgeCase& judge_;
  Implementation& implementation_;
  std::optional<Case> best_;
  double furthest_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

SearchEnd search_further(const Check& check, const Search& search, const RunPlan& plan,
                         const JudgeCase& judge, Implementation& implementation) {
  return Climb(check, search, plan, judge, implementation).run();
}

}  // namespace grader
