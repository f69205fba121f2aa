// The bytes are an assignment.json.
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "grader/assignment/policy.hpp"
#include "grader/base/fault.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace grader;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const Policy policy = policy_from_json(text, "assignment.json");
    double sum = 0;
    for (const CheckPolicy& check : policy.checks) sum += check.points;
    const bool adds_up = std::abs(sum - policy.max_score) <= 1e-6 * (1 + policy.max_score);
    if (!adds_up || policy.cases < 1) std::abort();
  } catch (const UsageFault& fault) {
    if (std::string_view(fault.what()).empty() || fault.hint().empty()) std::abort();
  }
  return 0;
}
