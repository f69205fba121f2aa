// Where commands write what --out names.
#pragma once

#include <filesystem>
#include <string_view>

namespace grader {

/// Makes `folder`, which --out or another option named, and those above it, as far as they are
/// missing. Throws EnvironmentFault, with `hint`.
void make_folder(const std::filesystem::path& folder,
                 const char* hint = "Name another folder with --out.");

/// Whether a file of that name is what write_atomically leaves where it is killed. The next one
/// that writes into the same folder removes it.
bool is_unfinished_file(std::string_view name);

}  // namespace grader
