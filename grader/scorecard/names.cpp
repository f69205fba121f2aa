#include "grader/scorecard/names.hpp"

#include <array>
#include <cstddef>

namespace grader {
namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, 5> kScorecardStatus{"graded", "not_built", "refused",
                                                           "environment_error", "internal_error"};
constexpr std::array<std::string_view, 4> kBuildStatus{"not_run", "built", "failed",
                                                       "limit_exceeded"};
constexpr std::array<std::string_view, 5> kCheckStatus{"passed", "failed", "crashed", "timed_out",
                                                       "not_run"};
constexpr std::array<std::string_view, 3> kHintLevel{"score_only", "hints", "full"};
constexpr std::array<std::string_view, 6> kKind{"boolean",    "integer", "number",
                                                "row_vector", "matrix",  "record"};

template <class E, std::size_t Count>
std::optional<E> find(const std::array<std::string_view, Count>& names, std::string_view name) {
  for (std::size_t index = 0; index < Count; ++index) {
    if (names[index] == name) return static_cast<E>(index);
  }
  return std::nullopt;
}

}  // namespace

static_assert(static_cast<std::size_t>(ScorecardStatus::internal_error) ==
              kScorecardStatus.size() - 1);
static_assert(static_cast<std::size_t>(ScorecardStatus::refused) == 2);
static_assert(static_cast<std::size_t>(BuildStatus::limit_exceeded) == kBuildStatus.size() - 1);
static_assert(static_cast<std::size_t>(CheckStatus::not_run) == kCheckStatus.size() - 1);
static_assert(static_cast<std::size_t>(HintLevel::full) == kHintLevel.size() - 1);
static_assert(static_cast<std::size_t>(Kind::record) == kKind.size() - 1);

std::string_view name_of(ScorecardStatus status) {
  return kScorecardStatus.at(static_cast<std::size_t>(status));
}
std::string_view name_of(BuildStatus status) {
  return kBuildStatus.at(static_cast<std::size_t>(status));
}
std::string_view name_of(CheckStatus status) {
  return kCheckStatus.at(static_cast<std::size_t>(status));
}
std::string_view name_of(HintLevel level) { return kHintLevel.at(static_cast<std::size_t>(level)); }
std::string_view name_of(Kind kind) { return kKind.at(static_cast<std::size_t>(kind)); }

template <>
std::optional<ScorecardStatus> named<ScorecardStatus>(std::string_view name) {
  return find<ScorecardStatus>(kScorecardStatus, name);
}
template <>
std::optional<BuildStatus> named<BuildStatus>(std::string_view name) {
  return find<BuildStatus>(kBuildStatus, name);
}
template <>
std::optional<CheckStatus> named<CheckStatus>(std::string_view name) {
  return find<CheckStatus>(kCheckStatus, name);
}
template <>
std::optional<HintLevel> named<HintLevel>(std::string_view name) {
  return find<HintLevel>(kHintLevel, name);
}
template <>
std::optional<Kind> named<Kind>(std::string_view name) {
  return find<Kind>(kKind, name);
}

}  // namespace grader
