#include "grader/sandbox/launcher.hpp"

#include "grader/base/fault.hpp"
#include "grader/sandbox/level.hpp"

namespace grader {
namespace {

/// bwrap follows links while it makes the place for a mount, so that a mount below a directory
/// which a submission could have filled may write outside the box (CVE-2026-87766). Never do that.
void refuse_nested_mounts(const std::vector<Mount>& mounts) {
  for (const Mount& outer : mounts) {
    for (const Mount& inner : mounts) {
      const auto relative =
          inner.target.lexically_normal().lexically_relative(outer.target.lexically_normal());
      if (&outer != &inner && !relative.empty() && *relative.begin() != "..") {
        throw InternalFault("box: mount target " + inner.target.string() + " lies within " +
                            outer.target.string());
      }
    }
  }
}

}  // namespace

const Launcher& launcher() {
  return require_layers().namespaces ? namespace_launcher() : bare_launcher();
}

BoxResult run_in_box(const BoxCommand& command) {
  if (command.arguments.empty()) {
    throw InternalFault("box: no command");
  }
  refuse_nested_mounts(command.mounts);
  return launcher().run(command);
}

std::vector<ResourceLimit> resource_limits(const BoxLimits& limits) {
  const auto seconds = static_cast<rlim_t>((limits.cpu_ms + 999) / 1000);
  const auto addresses =
      static_cast<rlim_t>(limits.address_space == 0 ? limits.memory : limits.address_space);
  const auto file_size = static_cast<rlim_t>(limits.file_size);
  constexpr rlim_t kStack = rlim_t{64} << 20;
  return {{RLIMIT_CPU, seconds, seconds + 1},
          {RLIMIT_AS, addresses, addresses},
          {RLIMIT_FSIZE, file_size, file_size},
          {RLIMIT_STACK, kStack, kStack},
          {RLIMIT_NOFILE, 256, 256},
          {RLIMIT_CORE, 0, 0},
          {RLIMIT_MSGQUEUE, 0, 0},
          {RLIMIT_MEMLOCK, 0, 0}};
}

}  // namespace grader
