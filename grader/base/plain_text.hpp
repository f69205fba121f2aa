// Makes bytes from a submission safe to show anywhere: valid UTF-8, no control characters, no
// invisible or direction-changing code points, bounded.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace grader {

/// `bytes` as plain text: invalid UTF-8 becomes U+FFFD; control characters other than newline and
/// tab, and bidirectional or zero-width format characters, become visible escapes like \x1b or
/// \u202e. Longer results are cut at a character boundary and end in " … (cut)".
std::string plain_text(std::string_view bytes, std::size_t limit);

/// The same on one line: newlines and tabs become spaces.
std::string plain_line(std::string_view bytes, std::size_t limit);

/// Whether all of `bytes` is valid UTF-8.
bool is_utf8(std::string_view bytes);

}  // namespace grader
