// What a compiler in a box without a file system of its own may see of the machine's files. Without
// namespaces every name can be asked for: Landlock refuses to open a file, and thereby tells that
// it exists. So the compilers are started with a library (preload.cpp) that answers for all names
// outside the view that there is no such file. A submission is data to a compiler, not code, and
// cannot get past it; the kernel's own refusals stand behind it.
#pragma once

#include <string_view>

namespace grader::view {

/// The variable that holds a view: paths separated by colons. The first is the working directory,
/// against which relative names are taken. Everything below a path is in view; below a descriptor
/// (/proc/self/fd/N) nothing leads out by "..", since that would be the real parent directory.
inline constexpr const char* kVariable = "ATTENTION_GRADER_VIEW";

/// `path` is in view at each step of the way to it, or is one of the directories that lead to what
/// is. Names are compared as they are written, before anything is asked of the file system: a path
/// through a directory outside would tell whether that exists. Allocates nothing.
bool contains(std::string_view view, std::string_view path) noexcept;

}  // namespace grader::view
