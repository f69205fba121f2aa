// Runs one command in the strongest box that this machine offers, with every limit enforced on the
// grader's side: the compiler in the build stage; the host has its own launcher (host/).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace grader {

/// A file or directory that the box can see.
struct Mount {
  std::filesystem::path source;
  std::filesystem::path target;  ///< inside the box
  bool writable = false;
};

struct BoxLimits {
  std::int64_t cpu_ms = 10'000;
  std::int64_t wall_ms = 20'000;
  std::int64_t memory = std::int64_t{1} << 30;
  /// Addresses that a process may reserve, used or not; 0: as many bytes as `memory`. A program
  /// that the sanitizers watch reserves terabytes, and only a control group bounds its memory then.
  std::int64_t address_space = 0;
  std::int64_t file_size = std::int64_t{64} << 20;
  std::int64_t processes = 64;
  std::int64_t output = 64 << 10;  ///< bytes of stdout and stderr together that are kept
};

struct BoxCommand {
  std::vector<std::string> arguments;    ///< argv; arguments[0] is an absolute path in the box
  std::vector<Mount> mounts;             ///< besides the toolchain (/usr, read only)
  std::vector<std::string> environment;  ///< "NAME=value"; nothing is inherited
  std::filesystem::path directory = "/";
  BoxLimits limits;
};

struct BoxResult {
  int exit_code = -1;  ///< when it exited
  int signal = 0;      ///< when a signal ended it
  bool wall_exceeded = false;
  bool cpu_exceeded = false;
  std::string output;  ///< stdout and stderr as they came, cut at limits.output
  bool output_cut = false;
  double cpu_seconds = 0;
  double wall_seconds = 0;
};

/// Runs `command`. Throws EnvironmentFault when the box itself cannot be made; how the command
/// ended is in the result.
BoxResult run_in_box(const BoxCommand& command);

}  // namespace grader
