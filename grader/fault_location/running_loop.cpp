#include "grader/fault_location/running_loop.hpp"

#include <algorithm>
#include <string>

namespace grader {
namespace {

/// What is `depth` levels inside the function itself, or nullptr where nothing was inlined that
/// deep.
const FaultLocation* at_depth(const Chain& chain, std::size_t depth) {
  return depth < chain.size() ? &chain[chain.size() - 1 - depth] : nullptr;
}

/// The lines of `file` that the steps have at `depth`.
std::vector<std::int64_t> lines_at(const std::vector<Chain>& steps, std::size_t depth,
                                   const std::string& file) {
  std::vector<std::int64_t> lines;
  for (const Chain& chain : steps) {
    const FaultLocation* place = at_depth(chain, depth);
    if (place != nullptr && place->file == file) lines.push_back(place->line);
  }
  return lines;
}

std::string words_for(std::int64_t first, std::int64_t last) {
  const std::string lines =
      first == last ? "" : " (lines " + std::to_string(first) + " to " + std::to_string(last) + ")";
  return "a loop that was still running when the call was stopped" + lines;
}

}  // namespace

std::optional<RunningSteps> running_steps_in(std::string_view log) {
  constexpr std::string_view kSteps = "\nSTILL RUNNING\n";
  constexpr std::string_view kCallers = "CALLED FROM\n";
  const std::size_t begin = log.rfind(kSteps);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::string_view told = log.substr(begin + kSteps.size());
  const std::size_t middle = told.find(kCallers);
  if (middle == std::string_view::npos) return std::nullopt;
  return RunningSteps{told.substr(0, middle), told.substr(middle + kCallers.size())};
}

std::optional<FaultLocation> running_loop(const std::vector<Chain>& steps,
                                          const std::vector<Chain>& callers) {
  const auto is_known = [](const Chain& chain) { return !chain.empty(); };
  const auto first = std::ranges::find_if(steps, is_known);
  if (first == steps.end()) {
    const auto caller = std::ranges::find_if(callers, is_known);
    if (caller == callers.end()) return std::nullopt;
    FaultLocation location = caller->front();
    location.access = "a call that was still running when it was stopped";
    return location;
  }
  for (std::size_t depth = 0;; ++depth) {
    const std::string& file = at_depth(*first, depth)->file;
    const std::vector<std::int64_t> lines = lines_at(steps, depth, file);
    const auto [least, most] = std::ranges::minmax(lines);
    // Everything happens inside of one inlined call: the loop is in there.
    const bool goes_deeper = least == most && std::ranges::all_of(steps, [&](const Chain& chain) {
                               return at_depth(chain, depth + 1) != nullptr;
                             });
    if (!goes_deeper) return FaultLocation{file, least, words_for(least, most)};
  }
}

}  // namespace grader
