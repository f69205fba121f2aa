#include "grader/sandbox/isolation.hpp"

#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "grader/sandbox/bubblewrap.hpp"
#include "grader/sandbox/cgroup.hpp"

namespace grader {

bool seccomp_available() {
  const std::uint32_t action = SECCOMP_RET_TRAP;
  return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

int landlock_version() {
  constexpr unsigned kAskVersion = 1;  // LANDLOCK_CREATE_RULESET_VERSION
#ifdef SYS_landlock_create_ruleset
  constexpr long kCreateRuleset = SYS_landlock_create_ruleset;
#else
  constexpr long kCreateRuleset = 444;  // the same number on every architecture
#endif
  const long version = ::syscall(kCreateRuleset, nullptr, 0, kAskVersion);
  return version > 0 ? static_cast<int>(version) : 0;
}

bool cgroup_available() {
  constexpr std::int64_t kMemory = std::int64_t{64} << 20;
  return Cgroup::create(kMemory, 8).has_value();
}

Isolation probe_isolation() {
  Isolation isolation;
  const bool namespaces = bubblewrap().works;
  const bool seccomp = seccomp_available();
  const bool landlock = landlock_version() > 0;
  const bool cgroup = cgroup_available();
  const bool root = ::geteuid() == 0;
  if (!seccomp) {
    isolation.missing.emplace_back("filter of system calls (seccomp)");
  }
  if (!namespaces) {
    isolation.missing.emplace_back("namespaces (bwrap)");
    if (!root) {
      isolation.missing.emplace_back("a user of its own for the submission");
    }
    if (!landlock) {
      isolation.missing.emplace_back("restriction of files (Landlock)");
    }
  }
  if (!cgroup) {
    isolation.missing.emplace_back("limits on memory and processes together (control group)");
  }
  if (!seccomp) {
    isolation.level = "none";
  } else if (namespaces) {
    isolation.level = cgroup ? "L4" : "L3";
  } else if (landlock) {
    isolation.level = root ? "L2" : "L1";
  } else {
    isolation.level = "L0";
  }
  return isolation;
}

}  // namespace grader
