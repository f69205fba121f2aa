// What a sanitizer wrote about a call that crashed. It was written in the submission's own
// process, among whatever that printed, so it is bytes: nothing is taken from it but a place in a
// file that was handed in, and one of the sanitizer's own words for what was done there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

/// A line of a file that was handed in.
struct FaultLocation {
  std::string file;
  std::int64_t line = 0;  ///< 0: no line of it in particular
  std::string access;     ///< what was done there, as access_in() says it
};

/// Lines of each file that was handed in, by its name.
using LineCounts = std::map<std::string, std::int64_t>;

/// The first place in one of `files` that `text` names (FILE:LINE), where whoever wrote it saw the
/// tree at `root` ("/submission"). Nothing when it names none.
std::optional<FaultLocation> location_in(std::string_view text, std::string_view root,
                                         const LineCounts& files);

/// What was done: "read of 8 bytes outside of an allocated block". Empty when `log` does not say.
std::string access_in(std::string_view log);

/// Whether the stack was full.
bool is_stack_overflow(std::string_view log);

/// The addresses of the stack in `log`, innermost first, within the program itself: "0x16d2d". At
/// most 64.
std::vector<std::string> stack_in(std::string_view log);

}  // namespace grader
