// The system calls that a compiler has no use for, as a program for the kernel. Submissions get a
// list of what is allowed instead (host/filters.hpp); a compiler starts programs and opens files.
#pragma once

#include <linux/filter.h>

#include <vector>

namespace grader {

/// Refuses with EPERM, whoever makes them: sockets, tracing, namespaces, mounts, keys, io_uring,
/// kernel programs, performance counters, System V objects, clocks and modules;
/// and leaving the process group, by which a box is ended, or signalling it. Other architectures'
/// calls end the process. Built once and remembered.
const std::vector<sock_filter>& toolchain_filter();

}  // namespace grader
