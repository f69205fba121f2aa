// A downloaded archive as a folder of ours.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace grader {

/// Unpacks the archive into `folder`, which must not exist. It is taken apart by the same confined
/// process as a student's (grader/intake); only regular files and folders are made, under the names
/// they have, and nothing outside `folder`. Whatever is hidden stays packed; of a .git there is an
/// empty folder left. A file larger than intake reads becomes a hole of a size that intake refuses.
/// `leave_out` is told the name and the reason of every other member that is not unpacked.
///
/// Returns why it cannot be unpacked, as the end of a sentence that begins with its name; `folder`
/// then does not exist. Throws EnvironmentFault when the folder cannot be written.
std::optional<std::string> unpack(
    const std::filesystem::path& archive, const std::filesystem::path& folder,
    const std::function<void(const std::string& name, const std::string& reason)>& leave_out);

}  // namespace grader
