#include "grader/engine/what_matters.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "grader/engine/check_run.hpp"
#include "grader/engine/shrink.hpp"

namespace grader {
namespace {

/// Indices of a case's inputs.
using Inputs = std::vector<std::size_t>;

std::vector<double*> numbers_of(Input& input) {
  std::vector<double*> numbers;
  const auto all = [&](Entries& entries) {
    for (double& entry : entries) numbers.push_back(&entry);
  };
  if (auto* matrix = std::get_if<Matrix>(&input.value)) all(matrix->entries);
  if (auto* row = std::get_if<RowVector>(&input.value)) all(row->entries);
  if (auto* number = std::get_if<double>(&input.value)) numbers.push_back(number);
  return numbers;
}

/// Small numbers that suit most domains: integers in every second variation, else eighths.
Case with_other_numbers(Case test_case, const Inputs& inputs, Random& random,
                        const Schedule& schedule) {
  const double step = schedule.index % 2 == 0 ? 1 : 0.125;
  const auto most = static_cast<std::int64_t>(3 / step);
  for (const std::size_t input : inputs) {
    for (double* number : numbers_of(test_case.inputs[input])) {
      *number = step * static_cast<double>(random.integer(-most, most));
    }
  }
  return test_case;
}

Case without_last_index(const Case& test_case, const std::string& dimension, std::int64_t size) {
  std::vector<std::int64_t> kept;
  for (std::int64_t index = 0; index + 1 < size; ++index) kept.push_back(index);
  return keep_indices(test_case, dimension, kept);
}

std::string listed(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t index = 0; index < items.size(); ++index) {
    if (index > 0) text += index + 1 == items.size() ? " and " : ", ";
    text += items[index];
  }
  return text;
}

/// Tries variations of one failing case.
class Variations {
 public:
  Variations(const Check& check, const CaseVerdict& seen, std::uint64_t seed,
             const std::function<CaseVerdict(const Case&)>& judge, int draws)
      : check_(check), seen_(seen), seed_(seed), judge_(judge), draws_(draws) {}

  /// Every variation of `inputs` fails as the case itself does.
  [[nodiscard]] bool all_fail(const Case& test_case, const Inputs& inputs) const {
    return try_all(test_case, inputs, true);
  }

  /// No variation of `inputs` fails.
  [[nodiscard]] bool none_fails(const Case& test_case, const Inputs& inputs) const {
    return try_all(test_case, inputs, false);
  }

 private:
  /// False as well when fewer than half of the variations can be judged.
  [[nodiscard]] bool try_all(const Case& test_case, const Inputs& inputs, bool fail) const {
    const Generate generate = [&](Random& random, const Schedule& schedule) {
      return with_other_numbers(test_case, inputs, random, schedule);
    };
    int judged = 0;
    for (int draw = 0; draw < draws_; ++draw) {
      const Case varied = draw_case(check_, generate, seed_, {draw, draws_});
      if (check_.admits && !check_.admits(varied)) continue;
      const CaseVerdict verdict = judge_(varied);
      if (verdict.judgement.verdict == Judgement::Verdict::not_judged) continue;
      if (fails_alike(verdict, seen_) != fail) return false;
      ++judged;
    }
    return 2 * judged >= draws_;
  }

  const Check& check_;
  const CaseVerdict& seen_;
  std::uint64_t seed_;
  const std::function<CaseVerdict(const Case&)>& judge_;
  int draws_;
};

/// What the case cannot do without, whatever its numbers: "n ≥ 2", "scaled = true".
std::vector<std::string> needs_of(const Case& minimal, const Inputs& numbers,
                                  const Variations& variations) {
  std::vector<std::string> needs;
  for (const auto& [dimension, size, shown] : dimensions_of(minimal)) {
    if (!shown || size < 2) continue;
    if (variations.none_fails(without_last_index(minimal, dimension, size), numbers)) {
      needs.push_back(dimension + " ≥ " + std::to_string(size));
    }
  }
  for (std::size_t input = 0; input < minimal.inputs.size(); ++input) {
    const auto* boolean = std::get_if<bool>(&minimal.inputs[input].value);
    const Input& flag = minimal.inputs[input];
    if (boolean == nullptr || flag.frozen || !flag.shown) continue;
    Case flipped = minimal;
    flipped.inputs[input].value = !*boolean;
    if (variations.none_fails(flipped, numbers)) {
      needs.push_back(minimal.inputs[input].name + " = " + (*boolean ? "true" : "false"));
    }
  }
  return needs;
}

}  // namespace

std::string what_matters(const Check& check, const Case& minimal, const CaseVerdict& seen,
                         std::uint64_t seed, const std::function<CaseVerdict(const Case&)>& judge,
                         int draws) {
  const bool hangs = seen.fault && seen.fault->outcome.ending == Ending::timed_out;
  if (!check.shrinks || !check.assertion.empty() || check.bypasses_memory || hangs) return "";
  const Variations variations(check, seen, seed, judge, draws);

  Inputs numbers;
  for (std::size_t input = 0; input < minimal.inputs.size(); ++input) {
    Input copy = minimal.inputs[input];
    if (!copy.frozen && !numbers_of(copy).empty()) numbers.push_back(input);
  }
  if (numbers.empty()) return "";
  if (variations.all_fail(minimal, numbers)) {
    const std::vector<std::string> needs = needs_of(minimal, numbers, variations);
    if (needs.empty()) return "Other numbers fail as well.";
    return "Other numbers fail as well; what matters is " + listed(needs) + ".";
  }

  Inputs free;
  std::vector<std::string> names;
  for (const std::size_t input : numbers) {
    Inputs more = free;
    more.push_back(input);
    if (!variations.all_fail(minimal, more)) continue;
    free = std::move(more);
    if (minimal.inputs[input].shown) names.push_back(minimal.inputs[input].name);
  }
  if (names.empty()) return "";
  return "The numbers in " + listed(names) + " do not matter: others fail as well.";
}

}  // namespace grader
