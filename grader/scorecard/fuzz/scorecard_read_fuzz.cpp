// The bytes are a scorecard that somebody hands to replay or to an export.
#include <cstdlib>
#include <string_view>

#include "grader/base/fault.hpp"
#include "grader/scorecard/json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace grader;
  const std::string_view document(reinterpret_cast<const char*>(data), size);
  Scorecard scorecard;
  try {
    scorecard = scorecard_from_json(document, "scorecard.json");
  } catch (const UsageFault& fault) {
    if (std::string_view(fault.what()).empty() || fault.hint().empty()) std::abort();
    return 0;
  }
  // What was accepted can be written, and what is written then reads back to itself.
  const std::string written = scorecard_to_json(scorecard);
  if (scorecard_to_json(scorecard_from_json(written, "scorecard.json")) != written) std::abort();
  return 0;
}
