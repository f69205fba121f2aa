#include "grader/fault_location/sanitizer_log.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace grader {
namespace {

struct Word {
  std::string_view said;
  std::string_view told;
};

// AddressSanitizer's names for what it found.
constexpr std::array<Word, 12> kErrors = {{
    {"heap-buffer-overflow", "outside of an allocated block"},
    {"stack-buffer-overflow", "outside of a local array"},
    {"stack-buffer-underflow", "outside of a local array"},
    {"dynamic-stack-buffer-overflow", "outside of a local array"},
    {"global-buffer-overflow", "outside of a global array"},
    {"heap-use-after-free", "of memory that was freed before"},
    {"stack-use-after-scope", "of a local variable that is gone"},
    {"stack-use-after-return", "of a local variable that is gone"},
    {"container-overflow", "outside of a container"},
    {"attempting double-free", "memory is freed twice"},
    {"attempting free on address", "memory is freed that was not allocated"},
    {"alloc-dealloc-mismatch", "memory is freed in another way than it was allocated"},
}};

// Ends that are complete without an access.
constexpr std::array<Word, 6> kEnds = {{
    {"stack-overflow", "the stack is full: a function calls itself without end"},
    {"SEGV on unknown address", "a pointer that points nowhere"},
    {"FPE on unknown address", "an integer is divided by zero"},
    {"ABRT on unknown address", "abort() is called"},
    {"ILL on unknown address", "an instruction that does not exist"},
    {"allocation-size-too-big", "more memory is asked for than there is"},
}};

// UndefinedBehaviorSanitizer's sentences begin with these.
constexpr std::array<Word, 8> kUndefined = {{
    {"runtime error: signed integer overflow", "an integer overflows"},
    {"runtime error: division by zero", "an integer is divided by zero"},
    {"runtime error: index ", "an index outside of its array"},
    {"runtime error: null pointer", "a null pointer is used"},
    {"runtime error: member access within null pointer", "a null pointer is used"},
    {"runtime error: load of null pointer", "a null pointer is read"},
    {"runtime error: store to null pointer", "a null pointer is written"},
    {"runtime error: execution reached", "a function ends without its return statement"},
}};

template <class Words>
std::string_view told_by(std::string_view log, const Words& words) {
  for (const Word& word : words) {
    if (log.find(word.said) != std::string_view::npos) return word.told;
  }
  return {};
}

/// "read of 8 bytes", "write of 1 byte", or empty.
std::string size_of_access(std::string_view log) {
  for (const auto& [said, told] :
       {Word{"READ of size ", "read"}, Word{"WRITE of size ", "write"}}) {
    const std::size_t place = log.find(said);
    if (place == std::string_view::npos) continue;
    const std::string_view digits = log.substr(place + said.size());
    std::uint32_t bytes = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
    if (error != std::errc{}) continue;
    return std::string(told) + " of " + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  }
  return {};
}

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

std::string access_in(std::string_view log) {
  for (const std::string_view told : {told_by(log, kUndefined), told_by(log, kEnds)}) {
    if (!told.empty()) return std::string(told);
  }
  const std::string_view where = told_by(log, kErrors);
  const std::string access = size_of_access(log);
  if (where.empty() || access.empty()) return std::string(where);
  return access + " " + std::string(where);
}

bool is_stack_overflow(std::string_view log) {
  return log.find("AddressSanitizer: stack-overflow") != std::string_view::npos;
}

std::vector<std::string> stack_in(std::string_view log) {
  constexpr std::size_t kMost = 64;
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr std::size_t kMostDigits = 12;
  // Frames of the program: "(/proc/self/exe+0x16d2d)", those of libraries have other names.
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

}  // namespace grader
