// How a run works. RapidCheck owns the loop (checkTestable, the five-argument form, which reads no
// environment and prints nothing). Its generator is our schedule: case after case, each from a
// random stream of its own, so that neither the size ramp nor the order of splits matters. Its
// property asks the Oracle, which stands between RapidCheck and the submission: it judges, counts,
// keeps the first failing and the smallest failing case as typed values, answers what it knows
// already, and ends the shrinking when the limit is spent.
#include "grader/engine/check_run.hpp"

#include <rapidcheck.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

#include <algorithm>
#include <exception>
#include <ostream>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/engine/call_memory.hpp"
#include "grader/engine/shrink.hpp"

namespace grader {

/// RapidCheck shows counterexamples as text that nobody reads: ours are typed.
void showValue(const ShrinkStep& /*step*/, std::ostream& stream) { stream << "case"; }

namespace {

/// A stream of random bits that RapidCheck's generator seeds. Cases of thousands of numbers draw
/// hundreds of thousands of words, for which its cryptographic rounds are too slow: a counter with
/// an odd step and a mixing function of two multiplications (the construction of SplitMix64) does.
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(rc::Random random) : state_(random.next()), step_(random.next() | 1U) {}
  std::uint64_t bits() override {
    state_ += step_;
    return mixed(state_);
  }
  void fill_bits(std::span<std::uint64_t> words) override {
    std::uint64_t state = state_;
    for (std::uint64_t& word : words) word = mixed(state += step_);
    state_ = state;
  }

 private:
  static std::uint64_t mixed(std::uint64_t word) {
    word = (word ^ (word >> 30U)) * 0xbf58476d1ce4e5b9U;
    word = (word ^ (word >> 27U)) * 0x94d049bb133111ebU;
    return word ^ (word >> 31U);
  }

  std::uint64_t state_;
  std::uint64_t step_;
};

/// FNV-1a over the name and the number, spread by the generator that is seeded with it.
std::uint64_t seed_of(std::uint64_t seed, std::string_view name, std::int64_t index) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto add = [&hash](std::uint64_t byte) { hash = (hash ^ byte) * 0x100000001b3U; };
  const auto add_word = [&add](std::uint64_t word) {
    for (unsigned shift = 0; shift < 64; shift += 8) add((word >> shift) & 0xffU);
  };
  add_word(seed);
  for (const char character : name) add(static_cast<unsigned char>(character));
  add_word(static_cast<std::uint64_t>(index));
  return hash;
}

const std::string& stream_of(const Check& check) {
  return check.generator.empty() ? check.id : check.generator;
}

std::uint64_t hash_of(const Case& test_case) {
  Arguments values;
  for (const Input& input : test_case.inputs) values.push_back(input.value);
  return hash_of_call(0, values);
}

/// Where a case of the schedule comes from.
enum class CaseOrigin : std::uint8_t { fixed, example, random };

/// Stands between RapidCheck and the submission.
class Oracle {
 public:
  Oracle(const Check& check, const ShrinkLimits& limits, const JudgeCase& judge, CheckRun& run)
      : check_(check), limits_(limits), judge_(judge), run_(run) {}

  /// True when the case does not fail, as far as RapidCheck is to know.
  bool holds(const Case& test_case, CaseOrigin origin) {
    if (!run_.original) return search(test_case, origin);
    // RapidCheck runs an accepted case again to list its candidates.
    if (identical(test_case, run_.minimal->test_case)) return false;
    // The same candidate comes up for several cases.
    if (spent() || held_.contains(hash_of(test_case))) return true;
    ++run_.shrinks;
    CaseVerdict verdict = judge_(test_case, false);
    if (!fails_alike(verdict, run_.original->verdict)) {
      held_.insert(hash_of(test_case));
      return true;
    }
    run_.minimal = {test_case, std::move(verdict)};
    run_.minimal->test_case.name.clear();  // it is another case now
    return false;
  }

  /// True when no candidate is judged any more, because the limit is spent.
  bool refuses_candidate() {
    if (!spent()) return false;
    run_.shrinking_cut = true;
    return true;
  }

 private:
  bool search(const Case& test_case, CaseOrigin origin) {
    CaseVerdict verdict = judge_(test_case, true);
    if (origin == CaseOrigin::example) {
      ++run_.examples;
      if (!verdict.fails()) return true;
    }
    const bool is_random = origin == CaseOrigin::random;
    ++run_.drawn;
    if (is_random) ++run_.drawn_random;
    if (!test_case.label.empty()) {
      ++run_.coverage[test_case.label];
      if (is_random) ++run_.random_coverage[test_case.label];
    }
    if (verdict.judgement.verdict == Judgement::Verdict::not_judged) {
      ++run_.blocked;
      ++run_.blocked_by[verdict.judgement.blocked_by];
      return true;
    }
    ++run_.judged;
    if (verdict.fails()) {
      ++run_.witnessed;
      run_.original = {test_case, verdict};
      run_.minimal = {test_case, std::move(verdict)};
      return false;
    }
    if (verdict.judgement.witnessed) {
      ++run_.witnessed;
    } else if (!run_.unwitnessed) {
      run_.unwitnessed = {test_case, std::move(verdict)};
    }
    return true;
  }

  [[nodiscard]] bool spent() const { return run_.shrinks >= limit(); }

  [[nodiscard]] std::int64_t limit() const {
    if (!check_.shrinks) return 0;
    const auto& fault = run_.original->verdict.fault;
    if (!fault) return limits_.wrong_answer;
    switch (fault->outcome.ending) {
      case Ending::timed_out: return limits_.time_out;
      case Ending::crashed:
      case Ending::exited:
      case Ending::forbidden: return limits_.fault;
      case Ending::returned:
      case Ending::threw:
      case Ending::malformed: return limits_.wrong_answer;
    }
    return 0;
  }

  const Check& check_;
  const ShrinkLimits& limits_;
  const JudgeCase& judge_;
  CheckRun& run_;
  std::unordered_set<std::uint64_t> held_;  // by hash: a collision costs a candidate at most
};

/// Whatever one of the check's own functions throws must not end up in RapidCheck, which would
/// take it for a failure of the submission: the first one is kept, the run ends, and it goes on to
/// the caller.
class Abandonment {
 public:
  template <class Work, class Result>
  Result guard(const Work& work, Result otherwise) {
    if (exception_) return otherwise;
    try {
      return work();
    } catch (...) {
      exception_ = std::current_exception();
      return otherwise;
    }
  }
  [[nodiscard]] bool happened() const { return exception_ != nullptr; }
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::exception_ptr exception_;
};

/// The schedule: fixed cases, examples, random cases; RapidCheck asks for one after the other. It
/// asks for the failing one again, with the same random state, when it starts to shrink.
class Drawer {
 public:
  Drawer(const Check& check, const RunPlan& plan, bool with_fixed_cases)
      : check_(check), plan_(plan) {
    if (with_fixed_cases) fixed_ = check.fixed_cases.size();
    if (plan.generate) random_cases_ = plan.random_cases;
  }

  [[nodiscard]] std::int64_t total() const {
    return static_cast<std::int64_t>(fixed_ + plan_.examples.size()) + random_cases_;
  }
  [[nodiscard]] CaseOrigin origin() const { return origin_; }

  Case draw(const rc::Random& random) {
    if (drawn_ == 0 || random != latest_random_) {
      latest_ = draw_at(drawn_);
      latest_random_ = random;
      ++drawn_;
    }
    return latest_;
  }

 private:
  [[nodiscard]] Case draw_at(std::size_t index) {
    origin_ = CaseOrigin::fixed;
    if (index < fixed_) return check_.fixed_cases[index];
    index -= fixed_;
    origin_ = CaseOrigin::example;
    if (index < plan_.examples.size()) return plan_.examples[index];
    index -= plan_.examples.size();
    origin_ = CaseOrigin::random;
    return draw_case_of(check_, plan_, {static_cast<std::int64_t>(index), random_cases_});
  }

  const Check& check_;
  const RunPlan& plan_;
  std::size_t fixed_ = 0;
  std::int64_t random_cases_ = 0;
  std::size_t drawn_ = 0;
  CaseOrigin origin_ = CaseOrigin::fixed;
  rc::Random latest_random_;
  Case latest_;
};

void run_with_rapidcheck(const Check& check, Drawer& drawer, Oracle& oracle, std::uint64_t seed) {
  namespace detail = rc::detail;
  if (drawer.total() == 0) return;
  Abandonment abandonment;

  const auto candidates = [&](const ShrinkStep& step) -> rc::Seq<ShrinkStep> {
    return rc::Seq<ShrinkStep>(
        [&, source = ShrinkCandidates(step, check.admits)]() mutable -> rc::Maybe<ShrinkStep> {
          auto next = abandonment.guard([&] { return source.next(); }, std::optional<ShrinkStep>());
          if (!next || oracle.refuses_candidate()) return rc::Nothing;
          return std::move(*next);
        });
  };
  const rc::Gen<ShrinkStep> schedule = [&](const rc::Random& random, int /*size*/) {
    ShrinkStep step{abandonment.guard([&] { return drawer.draw(random); }, Case{}), 0, 0};
    return rc::shrinkable::shrinkRecur(std::move(step), candidates);
  };
  const auto property = [&]() -> std::string {
    const ShrinkStep step = *schedule;
    const bool holds =
        abandonment.guard([&] { return oracle.holds(step.test_case, drawer.origin()); }, false);
    return holds ? "" : "violated";
  };

  detail::TestParams parameters;
  parameters.seed = seed;
  parameters.maxSuccess = static_cast<int>(drawer.total());
  parameters.disableShrinking = !check.shrinks;
  detail::TestListenerAdapter listener;
  const detail::TestResult result =
      detail::checkTestable(property, detail::TestMetadata{check.id, check.id}, parameters,
                            listener, std::unordered_map<std::string, detail::Reproduce>{});
  abandonment.rethrow();
  if (result.is<detail::SuccessResult>()) {
    if (result.get<detail::SuccessResult>().numSuccess == drawer.total()) return;
    throw InternalFault("check " + check.id + " ran fewer cases than its schedule has");
  }
  if (!result.is<detail::FailureResult>()) {
    throw InternalFault("check " + check.id + " ended with neither success nor failure");
  }
}

void add_once(std::vector<std::string>& labels, const std::string& label) {
  if (std::ranges::find(labels, label) == labels.end()) labels.push_back(label);
}

/// All fixed cases of a check on the student's own assertion, whatever fails before. The first
/// failing one is original and minimal: these cases are made by hand, small already.
void run_assertion_cases(const Check& check, const JudgeCase& judge, CheckRun& run) {
  for (const Case& test_case : check.fixed_cases) {
    ++run.drawn;
    if (!test_case.label.empty()) ++run.coverage[test_case.label];
    CaseVerdict verdict = judge(test_case, true);
    if (verdict.judgement.verdict == Judgement::Verdict::not_judged) {
      ++run.blocked;
      ++run.blocked_by[verdict.judgement.blocked_by];
      continue;
    }
    ++run.judged;
    if (verdict.fails() || verdict.judgement.witnessed) ++run.witnessed;
    if (!verdict.fails()) {
      if (!verdict.judgement.witnessed && !run.unwitnessed) {
        run.unwitnessed = {test_case, std::move(verdict)};
      }
      continue;
    }
    // A call that did not return has neither accepted nor refused anything.
    if (!verdict.fault) {
      add_once(test_case.boolean("valid") ? run.refused_wrongly : run.accepted_wrongly,
               test_case.label);
    }
    const bool hangs = verdict.fault && verdict.fault->outcome.ending == Ending::timed_out;
    if (!run.original) {
      run.original = {test_case, verdict};
      run.minimal = {test_case, std::move(verdict)};
    }
    if (hangs) return;
  }
}

}  // namespace

Case draw_case(const Check& check, const Generate& generate, std::uint64_t seed,
               const Schedule& schedule) {
  SeededRandom random(rc::Random(seed_of(seed, stream_of(check), schedule.index)));
  return generate(random, schedule);
}

Case draw_case_of(const Check& check, const RunPlan& plan, const Schedule& schedule) {
  const auto draw = [&] { return draw_case(check, plan.generate, plan.seed, schedule); };
  if (plan.pool == nullptr) return draw();
  return plan.pool->get(stream_of(check), plan.generate, plan.seed, schedule, draw);
}

CheckRun run_check(const Check& check, const RunPlan& plan, const ShrinkLimits& limits,
                   const JudgeCase& judge) {
  CheckRun run;
  const bool is_assertion = !check.assertion.empty();
  if (is_assertion) run_assertion_cases(check, judge, run);
  if (run.original) return run;
  Drawer drawer(check, plan, !is_assertion);
  Oracle oracle(check, limits, judge, run);
  run_with_rapidcheck(check, drawer, oracle, seed_of(plan.seed, check.id, -1));
  if (is_assertion && run.original && !run.original->verdict.fault) {
    const Case& test_case = run.original->test_case;
    add_once(test_case.boolean("valid") ? run.refused_wrongly : run.accepted_wrongly,
             test_case.label);
  }
  return run;
}

}  // namespace grader
