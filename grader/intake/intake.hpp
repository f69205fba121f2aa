// Intake: from whatever a student handed in to a clean tree that is safe to compile and to keep.
//
// Theory of operation. The submission is only ever read through descriptors that were opened
// beneath its own directory without following links (openat2, O_NOFOLLOW, O_NONBLOCK), so nothing
// that happens in it meanwhile can lead outside or block. An archive (zip, tar, 7z) is read whole
// into memory, taken apart there by a confined child process (archive_process.hpp), and never
// unpacked to a disk: its members pass the same rules as the files of a folder. Only regular files
// with the extensions of C++ sources and headers are copied, byte by byte, into a directory of the
// grader's own; links, devices, pipes, build folders, objects and precompiled headers stay where
// they are. Copies of the contract's headers are replaced by a line that includes the grader's own,
// so they can neither change the contract nor break an #include of them. What was left out is said
// in a notice when the student may miss it.
#pragma once

#include <filesystem>

#include "grader/assignment/policy.hpp"
#include "grader/intake/submission.hpp"

namespace grader {

/// Copies the submission at `path` (a source file of any name, or a folder or archive that
/// holds `policy.main_file` at its top or in exactly one sub-folder) into `clean_directory`, which
/// is created and must not hold anything. On Refused, `clean_directory` does not exist. Sub-folders
/// marked by a file called `not_submitted.txt` are skipped: so are the parts of the student package
/// that are not the student's work. Throws UsageFault when `path` does not exist or cannot be
/// entered, EnvironmentFault when the copy cannot be written. `contract` is the folder of the
/// assignment's contract headers: copies that say the same are no news to anybody.
Intake take_in(const std::filesystem::path& path, const Policy& policy,
               const std::filesystem::path& clean_directory,
               const std::filesystem::path& contract = {});

}  // namespace grader
