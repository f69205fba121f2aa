// Any bytes as an assignment's examples.json: read, or refused with a UsageFault.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/examples/examples.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace grader;
  const std::string_view document(reinterpret_cast<const char*>(data), size);
  std::vector<Example> examples;
  try {
    examples = examples_from_json(document, "sizes", "examples.json");
  } catch (const UsageFault&) {
    return 0;
  }
  // What was read is written so that it reads back the same.
  const std::vector<Example> again =
      examples_from_json(examples_to_json(examples, "sizes"), "sizes", "examples.json");
  if (again.size() != examples.size()) __builtin_trap();
  for (std::size_t index = 0; index < again.size(); ++index) {
    if (again[index].check != examples[index].check ||
        !identical(again[index].test_case, examples[index].test_case)) {
      __builtin_trap();
    }
  }
  return 0;
}
