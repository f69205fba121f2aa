#include "grader/build/machine_fault.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <string>
#include <string_view>

#include "grader/base/fault.hpp"

namespace grader {
namespace {

void require_at_least(__rlimit_resource resource, std::int64_t needed, const std::string& what,
                      const std::string& option) {
  rlimit allowed{};
  if (getrlimit(resource, &allowed) != 0 || allowed.rlim_max == RLIM_INFINITY ||
      allowed.rlim_max >= static_cast<rlim_t>(needed)) {
    return;
  }
  constexpr std::int64_t kMegabyte = std::int64_t{1} << 20;
  throw EnvironmentFault(
      "The compiler failed where the limit on " + what + " is " +
          std::to_string(static_cast<std::int64_t>(allowed.rlim_max) / kMegabyte) +
          " MB; it may need " + std::to_string(needed / kMegabyte) + " MB.",
      "Raise the limit (" + option + " unlimited) and grade again.");
}

}  // namespace

bool may_be_the_machine(const BoxResult& result) {
  if (result.wall_exceeded || result.cpu_exceeded || result.exit_code == 0) return false;
  if (result.signal == SIGKILL) return true;
  constexpr std::array<std::string_view, 4> kMessages = {
      "Killed signal terminated", "Resource temporarily unavailable", "Too many open files",
      "No space left on device"};
  return std::ranges::any_of(kMessages, [&](std::string_view message) {
    return result.output.find(message) != std::string::npos;
  });
}

void require_unlimited_shell(const BoxLimits& limits) {
  require_at_least(RLIMIT_AS, limits.memory, "memory", "ulimit -v");
  require_at_least(RLIMIT_FSIZE, limits.file_size, "the size of files", "ulimit -f");
}

}  // namespace grader
