// Cases that several checks draw alike are drawn once, and may be drawn before they are needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "grader/engine/case.hpp"
#include "grader/engine/check.hpp"

namespace grader {

using Generate = std::function<Case(Random&, const Schedule&)>;

/// Remembers drawn cases until they take too much memory; what comes then is drawn each time.
class CasePool {
 public:
  explicit CasePool(std::size_t byte_limit = std::size_t{16} << 20) : byte_limit_(byte_limit) {}

  /// The case of this stream (Check::generator, else its id), generator and place in the schedule:
  /// what `draw` returned for them the first time. Of generators that are not plain functions
  /// nobody can say whether they are the same; those are always asked.
  Case get(const std::string& stream, const Generate& generate, std::uint64_t seed,
           const Schedule& schedule, const std::function<Case()>& draw);

  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// A case was too much: what comes now is not kept.
  [[nodiscard]] bool is_full() const { return is_full_; }

 private:
  using Function = Case (*)(Random&, const Schedule&);
  using Key = std::tuple<std::string, Function, std::uint64_t, std::int64_t>;

  std::size_t byte_limit_;
  std::size_t bytes_ = 0;
  bool is_full_ = false;
  std::map<Key, std::map<std::int64_t, Case>> cases_;  // by Schedule::cases, then ::index
};

}  // namespace grader
