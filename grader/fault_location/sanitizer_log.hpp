// What a sanitizer wrote about a call that crashed. It was written in the submission's own
// process, among whatever that printed, so it is bytes: nothing is taken from it but places
// (places.hpp), and one of the sanitizer's own words for what was done there.
#pragma once

#include <string>
#include <string_view>

namespace grader {

/// The last report of a sanitizer in `log`, from its first line on: theirs ends the program, so
/// that whatever looks like one before it was printed by the submission. Empty when there is none.
std::string_view last_report_in(std::string_view log);

/// What was done: "read of 8 bytes outside of an allocated block". Empty when `log` does not say.
std::string access_in(std::string_view log);

/// Whether the stack was full.
bool is_stack_overflow(std::string_view log);

}  // namespace grader
