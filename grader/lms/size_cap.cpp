#include "grader/lms/size_cap.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/scorecard/value_json.hpp"

namespace grader {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kCutSentence =
    "\n… Cut here: the results were too long for this platform; the scorecard has all of it.\n";

// At most `length` bytes of `text`, no character taken apart.
std::string cut_to(const std::string& text, std::size_t length) {
  if (text.size() <= length) return text;
  const auto continues = [&](std::size_t place) {
    return (static_cast<unsigned char>(text[place]) & 0xC0U) == 0x80U;
  };
  while (length > 0 && continues(length)) --length;
  return text.substr(0, length).append(kCutSentence);
}

}  // namespace

std::string text_within(Json& document, const std::vector<Json*>& texts, std::size_t limit) {
  std::string written = json_text(document);
  if (written.size() <= limit) return written;
  std::vector<std::string> whole;
  std::size_t longest = 0;
  for (const Json* text : texts) {
    whole.push_back(text->get<std::string>());
    longest = std::max(longest, whole.back().size());
  }
  const auto written_with = [&](std::size_t length) {
    for (std::size_t index = 0; index < texts.size(); ++index) {
      *texts[index] = cut_to(whole[index], length);
    }
    return json_text(document);
  };
  // Half-way points between a length that fits and one that does not.
  std::size_t fits = 0;
  std::size_t too_long = longest;
  written = written_with(fits);
  if (written.size() > limit) {
    throw UsageFault("The scorecard cannot be exported: it does not fit into " +
                         std::to_string(limit) + " bytes.",
                     "Give the assignment fewer checks, or shorter texts.");
  }
  while (too_long - fits > 1) {
    const std::size_t middle = fits + (too_long - fits) / 2;
    std::string longer = written_with(middle);
    if (longer.size() <= limit) {
      fits = middle;
      written = std::move(longer);
    } else {
      too_long = middle;
    }
  }
  return written;
}

}  // namespace grader
