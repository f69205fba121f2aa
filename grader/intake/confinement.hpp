// What the process that takes apart an archive may still do.
#pragma once

#include <cstdint>

namespace grader::confinement {

/// The exit code of a process that could not be confined.
constexpr int kNotEntered = 4;

/// Takes from this process, for good, all descriptors but `pipe` and all system calls but those for
/// memory that is not executable and for writing to `pipe`; limits its processor time and its
/// memory; lets it die with its parent. Ends the process with kNotEntered when the kernel does not
/// agree to all of it. For a child after fork, before it looks at what is not trusted.
void enter(int pipe, std::int64_t cpu_seconds = 20);

}  // namespace grader::confinement
