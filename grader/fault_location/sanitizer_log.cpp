#include "grader/fault_location/sanitizer_log.hpp"

#include <algorithm>
#include <array>
#include <charconv>

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

}  // namespace

std::string_view last_report_in(std::string_view log) {
  std::size_t last = std::string_view::npos;
  for (const std::string_view sign : {"ERROR: AddressSanitizer: ", ": runtime error: "}) {
    const std::size_t place = log.rfind(sign);
    if (place != std::string_view::npos && (last == std::string_view::npos || place > last)) {
      last = place;
    }
  }
  if (last == std::string_view::npos) return {};
  const std::size_t line_end = log.rfind('\n', last);
  return log.substr(line_end == std::string_view::npos ? 0 : line_end + 1);
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

}  // namespace grader
