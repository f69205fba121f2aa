// The bytes are a document whose signature is to be verified.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "grader/base/fault.hpp"
#include "grader/signature/canonical_json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace grader;
  const std::string_view document(reinterpret_cast<const char*>(data), size);
  std::string canonical;
  try {
    canonical = canonical_json(document, "scorecard.json");
  } catch (const UsageFault& fault) {
    if (std::string_view(fault.what()).empty() || fault.hint().empty()) std::abort();
    return 0;
  }
  // The canonical text is one of the ways to write the document.
  if (canonical_json(canonical, "scorecard.json") != canonical) std::abort();
  return 0;
}
