// A zip names its files twice: in a directory at its end and before each file's data.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace grader {

/// How the zip in `bytes` contradicts itself, as the end of a sentence that begins with its name
/// ("is a zip whose directory …"), or nothing. The directory must be the last thing in it, and
/// each of its names, sizes and checksums must be the one before the data: programs that read the
/// one or the other, and so perhaps whoever looks at the submission and whoever grades it, then see
/// the same files.
std::optional<std::string> zip_contradiction(std::string_view bytes);

}  // namespace grader
