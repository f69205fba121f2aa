#include "grader/engine/case_pool.hpp"

#include <utility>

#include "grader/engine/call_memory.hpp"

namespace grader {
namespace {

std::size_t bytes_of_case(const Case& test_case) {
  std::size_t bytes = sizeof(Case);
  for (const Input& input : test_case.inputs) bytes += sizeof(Input) + bytes_of(input.value);
  return bytes;
}

}  // namespace

Case CasePool::get(const std::string& stream, const Generate& generate, std::uint64_t seed,
                   const Schedule& schedule, const std::function<Case()>& draw) {
  const auto* function = generate.target<Function>();
  if (function == nullptr) return draw();
  auto& cases = cases_[{stream, *function, seed, schedule.cases}];
  if (const auto found = cases.find(schedule.index); found != cases.end()) return found->second;
  Case drawn = draw();
  if (is_full_) return drawn;
  const std::size_t bytes = bytes_of_case(drawn);
  is_full_ = bytes_ + bytes > byte_limit_;
  if (!is_full_) {
    bytes_ += bytes;
    cases.emplace(schedule.index, drawn);
  }
  return drawn;
}

}  // namespace grader
