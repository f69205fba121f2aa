// The one file, folder or archive that stands for a hand-in.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "grader/batch/formats/format.hpp"

namespace grader {

/// What intake is to take: the folder or the only piece of work of `hand_in` where it lies, or, of
/// several loose files, a folder of copies made at `folder`. Of several files with one name the
/// last is taken. `leave_out` is told every part that is not used, with the reason. Throws
/// EnvironmentFault when the copies cannot be made.
std::filesystem::path path_of(
    const HandIn& hand_in, const std::filesystem::path& folder,
    const std::function<void(const std::string& name, const std::string& reason)>& leave_out);

}  // namespace grader
