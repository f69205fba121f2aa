#include "grader/sandbox/isolation.hpp"

#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "grader/base/fault.hpp"
#include "grader/sandbox/cgroup.hpp"
#include "grader/sandbox/level.hpp"

namespace grader {

bool seccomp_available() {
  const std::uint32_t action = SECCOMP_RET_TRAP;
  return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

bool cgroup_available() {
  constexpr std::int64_t kMemory = std::int64_t{64} << 20;
  return Cgroup::create(kMemory, 8).has_value();
}

Isolation probe_isolation() {
  const Layers used = layers();
  Isolation isolation;
  isolation.level = name_of(used.level());
  const auto require = [&](bool present, const char* layer) {
    if (!present) {
      isolation.missing.emplace_back(layer);
    }
  };
  require(used.filter, "filter of system calls (seccomp)");
  require(used.namespaces, "namespaces (bwrap)");
  if (!used.namespaces) {
    require(used.own_user, "a user of its own for the submission");
    require(used.landlock, "restriction of files (Landlock)");
  }
  require(used.cgroup, "limits on memory and processes together (control group)");
  return isolation;
}

std::string isolation_notice(const Isolation& isolation) {
  const auto level = level_named(isolation.level);
  if (!level) throw InternalFault("there is no level of isolation " + isolation.level);
  if (*level == Level::none) {
    return "NOT ISOLATED: nothing kept the submission from the machine, the results and this "
           "report (--accept-unsafe). Trust them as far as you trust who wrote it.";
  }
  if (*level >= Level::l3) return {};
  std::string missing;
  for (const std::string& layer : isolation.missing) {
    missing += (missing.empty() ? "" : ", ") + layer;
  }
  return "Isolated at level " + isolation.level + ", without: " + missing +
         ". `attention-grader doctor` says how to get more.";
}

}  // namespace grader
