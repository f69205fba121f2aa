// The system calls that a submission may make, as programs for the kernel.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <string>
#include <vector>

namespace grader::host {

/// A child installs `loading` before the submission is in its memory and adds `serving` before it
/// calls the submission; the kernel applies both, the stricter answer wins.
struct Filters {
  std::vector<sock_filter> loading;
  std::vector<sock_filter> serving;
};

/// For submissions that may start threads, or for those that may not. Built once and remembered.
/// Throws EnvironmentFault where this machine has no seccomp filters.
///
/// Three answers: calls that computing, printing and threads need are allowed; calls that honest
/// programs make in passing and can do without (opening a file, asking about a terminal) fail with
/// an error; every other call raises SIGSYS, which ends the process.
const Filters& filters(bool with_threads);

/// Name of system call `number` on this machine, or an empty string.
std::string system_call_name(std::uint32_t number);

}  // namespace grader::host
