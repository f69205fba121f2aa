#include "grader/fault_location/places.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace grader {
namespace {

/// The place that `text` starts with: FILE:LINE, a file of `files`, a line that it has.
std::optional<FaultLocation> place_at(std::string_view text, const LineCounts& files) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto file = files.find(std::string(text.substr(0, colon)));
  if (file == files.end()) return std::nullopt;
  const std::string_view digits = text.substr(colon + 1);
  FaultLocation location{file->first, 0, {}};
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), location.line);
  const bool is_line = error == std::errc{} && location.line >= 1 && location.line <= file->second;
  return is_line ? std::optional(std::move(location)) : std::nullopt;
}

}  // namespace

std::optional<FaultLocation> location_in(std::string_view text, std::string_view root,
                                         const LineCounts& files) {
  const std::string prefix = std::string(root) + "/";
  for (std::size_t place = text.find(prefix); place != std::string_view::npos;
       place = text.find(prefix, place + 1)) {
    std::string_view name = text.substr(place + prefix.size());
    if (name.starts_with("./")) name.remove_prefix(2);
    if (auto location = place_at(name, files)) return location;
  }
  return std::nullopt;
}

std::vector<std::string> addresses_in(std::string_view log) {
  constexpr std::size_t kMost = 256;
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr std::size_t kMostDigits = 12;
  // "(/proc/self/exe+0x16d2d)"; those of libraries have other names.
  constexpr std::string_view kFrame = "(/proc/self/exe+0x";
  std::vector<std::string> addresses;
  for (std::size_t place = log.find(kFrame);
       place != std::string_view::npos && addresses.size() < kMost;
       place = log.find(kFrame, place + 1)) {
    const std::string_view rest = log.substr(place + kFrame.size());
    const std::size_t digits = std::min(rest.find_first_not_of(kDigits), rest.size());
    if (digits > 0 && digits <= kMostDigits) {
      addresses.push_back("0x" + std::string(rest.substr(0, digits)));
    }
  }
  return addresses;
}

std::vector<Chain> chains_in(std::string_view answer, std::string_view root,
                             const LineCounts& files) {
  std::vector<Chain> chains;
  while (!answer.empty()) {
    const std::size_t end = std::min(answer.find('\n'), answer.size());
    const std::string_view line = answer.substr(0, end);
    answer.remove_prefix(std::min(end + 1, answer.size()));
    if (line.starts_with("0x")) {
      chains.emplace_back();
    } else if (auto location = location_in(line, root, files); location && !chains.empty()) {
      chains.back().push_back(std::move(*location));
    }
  }
  return chains;
}

}  // namespace grader
