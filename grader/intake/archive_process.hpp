// Reads an archive in a process that can do nothing but that.
//
// A library that takes apart hostile bytes may have a bug that hands the process to them. So it
// runs in a child with the archive in memory, no descriptor but a pipe back, a limit on memory and
// time, and a list of the few system calls that memory and this pipe need. Whatever becomes of the
// child, all it can give is a list of members, which is judged like any other submission.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/intake/archive_reader.hpp"

namespace grader {

struct ArchiveContent {
  std::vector<Member> members;         ///< in the order of the archive
  std::optional<std::string> refusal;  ///< the end of a sentence that begins with the name
};

using ArchiveFunction = std::function<decltype(read_archive)>;

/// The members of the archive in `bytes`. A child that crashes or takes too much of the processor
/// is the archive's doing and a refusal; one that cannot be started, confined or heard to the end
/// is an EnvironmentFault.
/// `read` is what the child does, in the place of read_archive for tests.
ArchiveContent read_archive_apart(std::string_view bytes, const ArchiveLimits& limits,
                                  const ArchiveFunction& read = read_archive);

/// The same one by one, for archives that are larger than the memory they may take: calls `take`,
/// here in the parent, for each member as soon as it is whole, and returns the refusal, if there is
/// one, after it.
std::optional<std::string> stream_archive_apart(std::string_view bytes, const ArchiveLimits& limits,
                                                const std::function<void(Member&&)>& take,
                                                const ArchiveFunction& read = read_archive);

}  // namespace grader
