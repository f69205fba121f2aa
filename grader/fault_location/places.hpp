// Places in files that were handed in, taken from texts that a submission may have written itself:
// nothing but a line that such a file really has is ever taken.
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
  std::string access;     ///< what was done there, in words of the grader's
};

/// Lines of each file that was handed in, by its name.
using LineCounts = std::map<std::string, std::int64_t>;

/// The first place in one of `files` that `text` names (FILE:LINE), where whoever wrote it saw the
/// tree at `root` ("/submission"). Nothing when it names none.
std::optional<FaultLocation> location_in(std::string_view text, std::string_view root,
                                         const LineCounts& files);

/// The addresses within the program itself in `log`, in its order: "0x16d2d". At most 256.
std::vector<std::string> addresses_in(std::string_view log);

/// The places of one address that lie in files that were handed in: the function's own last, before
/// it what was inlined there.
using Chain = std::vector<FaultLocation>;

/// One chain for each address of addr2line's answer (-a -i), in its order; empty for an address
/// outside of all `files`.
std::vector<Chain> chains_in(std::string_view answer, std::string_view root,
                             const LineCounts& files);

}  // namespace grader
