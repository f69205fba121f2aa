// How the search works.
//
// A set of mistakes explains the evidence when in every stage those of its mistakes that show there
// reproduce every case. For each wrong stage the combinations that reproduce it are listed, small
// ones first. A mistake may show in several stages; then it must be among the combination of each.
// Wrong stages that share a candidate are solved together by depth-first search for the set with
// the fewest mistakes; leaving a stage unexplained costs more than any explanation.
#include "grader/diagnosis/explain.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace grader {
namespace {

/// Combinations that are tried with one mistake more.
constexpr std::size_t kMostBeginnings = 24;
/// Explanations of one stage that are kept: more than that say the same.
constexpr std::size_t kMostExplanations = 48;
constexpr std::size_t kUnexplainedCost = 100;

using StageSet = std::vector<std::size_t>;

bool contains(const Combination& all, std::size_t mistake) {
  return std::ranges::binary_search(all, mistake);
}

Combination joined(const Combination& left, const Combination& right) {
  Combination all;
  std::ranges::set_union(left, right, std::back_inserter(all));
  return all;
}

/// A set of mistakes for some wrong stages, and the stages it leaves unexplained.
struct Solution {
  Combination mistakes;
  StageSet unexplained;

  [[nodiscard]] std::size_t cost() const {
    return mistakes.size() + kUnexplainedCost * unexplained.size();
  }
};

/// The stages of one submission with what was found out about combinations so far.
class Stages {
 public:
  explicit Stages(const Evidence& evidence)
      : evidence_(evidence), known_(evidence.stages.size()), differing_(evidence.stages.size()) {
    for (std::size_t s = 0; s < evidence.stages.size(); ++s) {
      for (std::size_t index = 0; index < evidence.stages[s].cases; ++index) {
        if (!evidence.stages[s].reproduces({}, index)) differing_[s].push_back(index);
      }
      known_[s][{}] = differing_[s].empty();
    }
  }

  [[nodiscard]] std::size_t size() const { return known_.size(); }
  [[nodiscard]] bool is_right(std::size_t stage) const { return differing_[stage].empty(); }
  [[nodiscard]] std::size_t differing(std::size_t stage) const { return differing_[stage].size(); }

  [[nodiscard]] bool shows(std::size_t mistake, std::size_t stage) const {
    return (evidence_.mistakes[mistake].stages >> stage & 1U) != 0;
  }

  [[nodiscard]] Combination showing(const Combination& mistakes, std::size_t stage) const {
    Combination showing;
    for (const std::size_t mistake : mistakes) {
      if (shows(mistake, stage)) showing.push_back(mistake);
    }
    return showing;
  }

  [[nodiscard]] bool exclude(std::size_t left, std::size_t right) const {
    return (evidence_.mistakes[left].parts & evidence_.mistakes[right].parts) != 0;
  }

  /// Every case of `stage`, those first that a correct program does not reproduce.
  bool reproduces(std::size_t stage, const Combination& mistakes) {
    const auto found = known_[stage].find(mistakes);
    if (found != known_[stage].end()) return found->second;
    return known_[stage][mistakes] = try_all(stage, mistakes);
  }

  /// The combinations of `size` mistakes that reproduce `stage`, at most kMostExplanations. All
  /// pairs are tried; of more mistakes only those are, whose beginnings explain some cases already.
  std::vector<Combination> explanations(std::size_t stage, std::size_t size) {
    std::vector<Combination> beginnings = {{}};
    for (std::size_t begun = 1; begun < size; ++begun) {
      beginnings = extended(stage, beginnings);
      if (size > 2) beginnings = most_promising(stage, beginnings);
    }
    std::vector<Combination> found;
    for (const Combination& combination : extended(stage, beginnings)) {
      if (found.size() == kMostExplanations) break;
      // Thousands are tried and few of them are asked for again: what fails is not kept.
      if (!try_all(stage, combination)) continue;
      known_[stage][combination] = true;
      found.push_back(combination);
    }
    return found;
  }

  /// Explanations of `stage` with single precision somewhere: alone, or beside one other mistake.
  std::vector<Combination> in_single_precision(std::size_t stage, bool alone) {
    const ObservedStage& observed = evidence_.stages[stage];
    if (!observed.single_precision || !observed.reproduces_in_single_precision) return {};
    const std::size_t precision = *observed.single_precision;
    std::vector<Combination> found;
    for (std::size_t m = 0; m < (alone ? 1 : evidence_.mistakes.size()); ++m) {
      if (!alone && (!shows(m, stage) || m == precision || exclude(m, precision))) continue;
      const Combination others = alone ? Combination{} : Combination{m};
      if (!observed.reproduces_in_single_precision(others)) continue;
      found.push_back(joined(others, {precision}));
      known_[stage][found.back()] = true;
      if (found.size() == kMostExplanations) break;
    }
    return found;
  }

 private:
  bool try_all(std::size_t stage, const Combination& mistakes) {
    const ObservedStage& observed = evidence_.stages[stage];
    for (const std::size_t index : differing_[stage]) {
      if (!observed.reproduces(mistakes, index)) return false;
    }
    for (std::size_t index = 0; index < observed.cases; ++index) {
      if (!observed.reproduces(mistakes, index)) return false;
    }
    return true;
  }

  /// Every combination with one mistake more, each once.
  [[nodiscard]] std::vector<Combination> extended(
      std::size_t stage, const std::vector<Combination>& beginnings) const {
    std::vector<Combination> longer;
    for (const Combination& beginning : beginnings) {
      for (std::size_t m = 0; m < evidence_.mistakes.size(); ++m) {
        const bool excluded = std::ranges::any_of(
            beginning, [&](std::size_t mistake) { return exclude(mistake, m); });
        if (!shows(m, stage) || excluded) continue;
        longer.push_back(joined(beginning, {m}));
      }
    }
    std::ranges::sort(longer);
    longer.erase(std::unique(longer.begin(), longer.end()), longer.end());
    return longer;
  }

  /// Those that reproduce most of the cases that a correct program does not, at least one.
  [[nodiscard]] std::vector<Combination> most_promising(
      std::size_t stage, const std::vector<Combination>& combinations) const {
    std::vector<std::pair<std::size_t, Combination>> scored;
    for (const Combination& combination : combinations) {
      const auto explained =
          static_cast<std::size_t>(std::ranges::count_if(differing_[stage], [&](std::size_t index) {
            return evidence_.stages[stage].reproduces(combination, index);
          }));
      if (explained > 0) scored.emplace_back(explained, combination);
    }
    std::ranges::stable_sort(scored, std::greater{}, &std::pair<std::size_t, Combination>::first);
    std::vector<Combination> best;
    for (const auto& [explained, combination] : scored) {
      if (best.size() == kMostBeginnings) break;
      best.push_back(combination);
    }
    return best;
  }

  const Evidence& evidence_;
  std::vector<std::map<Combination, bool>> known_;
  std::vector<std::vector<std::size_t>> differing_;
};

/// Solves wrong stages that have candidates in common.
class Search {
 public:
  Search(Stages& stages, StageSet wrong, const std::map<std::size_t, std::vector<Combination>>& all)
      : stages_(stages), wrong_(std::move(wrong)), explanations_(all) {}

  /// All cheapest solutions, in the order of the mistakes.
  std::vector<Solution> solutions() {
    descend(0, {});
    return std::move(best_);
  }

 private:
  void descend(std::size_t at, const Solution& so_far) {
    if (!best_.empty() && so_far.cost() > best_.front().cost()) return;
    if (at == wrong_.size()) {
      enter(so_far);
      return;
    }
    const std::size_t stage = wrong_[at];
    const Combination here = stages_.showing(so_far.mistakes, stage);
    if (here.empty()) {
      Solution without = so_far;
      without.unexplained.push_back(stage);
      explain_stage(at, stage, so_far);
      descend(at + 1, without);
    } else if (stages_.reproduces(stage, here)) {
      descend(at + 1, so_far);
    } else {
      explain_stage(at, stage, so_far);
    }
  }

  void explain_stage(std::size_t at, std::size_t stage, const Solution& so_far) {
    const Combination here = stages_.showing(so_far.mistakes, stage);
    for (const Combination& explanation : explanations_.at(stage)) {
      if (!std::ranges::includes(explanation, here)) continue;
      if (excludes(explanation, so_far.mistakes)) continue;
      descend(at + 1, {joined(so_far.mistakes, explanation), so_far.unexplained});
    }
  }

  [[nodiscard]] bool excludes(const Combination& added, const Combination& present) const {
    for (const std::size_t mistake : added) {
      if (contains(present, mistake)) continue;
      for (const std::size_t other : present) {
        if (stages_.exclude(mistake, other)) return true;
      }
    }
    return false;
  }

  [[nodiscard]] bool holds(const Solution& solution) const {
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
      const Combination here = stages_.showing(solution.mistakes, stage);
      if (here.empty()) continue;
      if (!stages_.reproduces(stage, here)) return false;
    }
    return true;
  }

  void enter(const Solution& solution) {
    if (!holds(solution)) return;
    if (!best_.empty() && solution.cost() < best_.front().cost()) best_.clear();
    best_.push_back(solution);
  }

  Stages& stages_;
  StageSet wrong_;
  const std::map<std::size_t, std::vector<Combination>>& explanations_;
  std::vector<Solution> best_;
};

class Explanation {
 public:
  explicit Explanation(const Evidence& evidence) : evidence_(evidence), stages_(evidence) {}

  std::vector<Finding> findings() {
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
      if (!stages_.is_right(stage)) wrong_.push_back(stage);
    }
    list_explanations();
    for (const StageSet& group : groups()) solve(group);
    std::ranges::stable_sort(findings_, {}, &Finding::stage);
    return std::move(findings_);
  }

 private:
  void list_explanations() {
    for (const std::size_t stage : wrong_) {
      auto& all = explanations_[stage];
      all = stages_.explanations(stage, 1);
      if (all.empty()) add(all, stages_.in_single_precision(stage, true));
      const std::size_t most = evidence_.stages[stage].most_mistakes;
      for (std::size_t size = 2; all.empty() && size <= most; ++size) {
        all = stages_.explanations(stage, size);
        if (size == 2) add(all, stages_.in_single_precision(stage, false));
      }
    }
  }

  static void add(std::vector<Combination>& all, const std::vector<Combination>& more) {
    all.insert(all.end(), more.begin(), more.end());
  }

  /// The wrong stages, those with a candidate in common together.
  [[nodiscard]] std::vector<StageSet> groups() const {
    std::vector<std::uint64_t> masks;
    for (const std::size_t stage : wrong_) {
      std::uint64_t mask = std::uint64_t{1} << stage;
      for (const Combination& explanation : explanations_.at(stage)) {
        for (const std::size_t mistake : explanation) mask |= evidence_.mistakes[mistake].stages;
      }
      // Joins all groups that this stage touches.
      std::vector<std::uint64_t> apart;
      for (const std::uint64_t other : masks) {
        if ((other & mask) != 0) {
          mask |= other;
        } else {
          apart.push_back(other);
        }
      }
      apart.push_back(mask);
      masks = std::move(apart);
    }
    std::vector<StageSet> groups;
    for (const std::uint64_t mask : masks) {
      StageSet& group = groups.emplace_back();
      for (const std::size_t stage : wrong_) {
        if ((mask >> stage & 1U) != 0) group.push_back(stage);
      }
    }
    return groups;
  }

  /// Adds explanations with one more mistake where the smallest ones do not fit together.
  bool widen(const StageSet& group) {
    bool widened = false;
    for (const std::size_t stage : group) {
      auto& all = explanations_[stage];
      if (all.empty() || all.back().size() >= evidence_.stages[stage].most_mistakes) continue;
      const auto more = stages_.explanations(stage, all.back().size() + 1);
      widened |= !more.empty();
      add(all, more);
    }
    return widened;
  }

  void solve(const StageSet& group) {
    std::vector<Solution> solutions = Search(stages_, group, explanations_).solutions();
    const auto unexplained = [&] {
      return solutions.empty() || std::ranges::any_of(solutions.front().unexplained, [&](auto s) {
               return !explanations_.at(s).empty();
             });
    };
    if (unexplained() && widen(group)) {
      solutions = Search(stages_, group, explanations_).solutions();
    }
    if (solutions.empty()) solutions.push_back({{}, group});
    for (const std::size_t mistake : solutions.front().mistakes) enter(mistake, group, solutions);
    for (const std::size_t stage : solutions.front().unexplained) enter_unknown(stage);
  }

  void enter(std::size_t mistake, const StageSet& group, const std::vector<Solution>& solutions) {
    Finding finding;
    finding.mistake = mistake;
    bool first = true;
    for (const std::size_t stage : group) {
      if (!stages_.shows(mistake, stage)) continue;
      if (std::exchange(first, false)) finding.stage = stage;
      finding.cases += stages_.differing(stage);
    }
    const Combination& chosen = solutions.front().mistakes;
    std::set<std::string> named;
    for (const std::size_t other : chosen) named.insert(evidence_.mistakes[other].id);
    for (const Solution& solution : solutions) {
      Combination gone;
      Combination come;
      std::ranges::set_difference(chosen, solution.mistakes, std::back_inserter(gone));
      std::ranges::set_difference(solution.mistakes, chosen, std::back_inserter(come));
      if (gone != Combination{mistake} || come.size() != 1) continue;
      const auto& [id, stages, parts, place] = evidence_.mistakes[come.front()];
      if (place != evidence_.mistakes[mistake].place) continue;
      if (named.insert(id).second) finding.indistinguishable.push_back(id);
    }
    findings_.push_back(std::move(finding));
  }

  void enter_unknown(std::size_t stage) {
    if (!evidence_.stages[stage].tells_unknown) return;
    Finding finding;
    finding.is_known = false;
    finding.stage = stage;
    finding.cases = stages_.differing(stage);
    findings_.push_back(std::move(finding));
  }

  const Evidence& evidence_;
  Stages stages_;
  StageSet wrong_;
  std::map<std::size_t, std::vector<Combination>> explanations_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> explain(const Evidence& evidence) { return Explanation(evidence).findings(); }

}  // namespace grader
