#include "grader/fault_location/unset_memory.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace grader {
namespace {

bool is_unset(double number) {
  // The flag -ftrivial-auto-var-init=pattern fills local variables, the C library's perturbation of
  // 128 fills new blocks of memory, and freed ones.
  constexpr std::array<std::uint64_t, 3> kFillings = {0xfefefefefefefefe, 0x7f7f7f7f7f7f7f7f,
                                                      0x8080808080808080};
  return std::ranges::find(kFillings, std::bit_cast<std::uint64_t>(number)) != kFillings.end();
}

}  // namespace

bool holds_unset_number(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return is_unset(*number);
  if (const auto* row = std::get_if<RowVector>(&value)) {
    return std::ranges::any_of(row->entries, is_unset);
  }
  if (const auto* matrix = std::get_if<Matrix>(&value)) {
    return std::ranges::any_of(matrix->entries, is_unset);
  }
  if (const auto* record = std::get_if<Record>(&value)) {
    return std::ranges::any_of(record->fields,
                               [](const Field& field) { return holds_unset_number(field.value); });
  }
  return false;
}

void tell_unset_memory(std::vector<CheckResult>& results) {
  for (CheckResult& result : results) {
    if (result.status != CheckStatus::failed || result.fault || !result.minimal) continue;
    const bool is_told =
        std::ranges::any_of(result.minimal->judgement.returned,
                            [](const Field& field) { return holds_unset_number(field.value); });
    if (!is_told) continue;
    result.message +=
        " A number in the answer is what memory holds before anything is written to it: a variable "
        "is read before it is set (on which line is unknown).";
  }
}

}  // namespace grader
