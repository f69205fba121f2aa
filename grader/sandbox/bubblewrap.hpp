// The bubblewrap program (bwrap), which makes the namespaces: where it is, what it can do here, and
// the arguments that every box of ours shares.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/sandbox/process.hpp"

namespace grader {

/// What bwrap can do on this machine, found by running it.
struct Bubblewrap {
  std::string program;           ///< absolute path; empty when it is not installed
  bool works = false;            ///< it can make all namespaces
  bool disables_userns = false;  ///< knows --disable-userns (0.8 and later)
  /// The grader is root, and boxes work when they are started as another user: a TransientUser.
  bool gives_up_root = false;
  std::string failure;  ///< what bwrap said when it does not work
};

/// Found once and remembered.
const Bubblewrap& bubblewrap();

/// The same, or an EnvironmentFault that says how to get it when it does not work.
const Bubblewrap& require_bubblewrap();

/// All namespaces new, no capabilities, no inherited environment, another user inside, ends with
/// its parent. The session is the caller's to make new: bwrap would leave its process group.
std::vector<std::string> namespace_arguments(const Bubblewrap& bwrap);

/// The directories of the libraries that this program uses, and the program loader's below /usr.
std::vector<std::filesystem::path> library_directories();

/// Read-only binds of the directories that hold the C and C++ libraries and the program loader,
/// for a box that runs one dynamically linked program and has nothing else of /usr.
std::vector<std::string> library_arguments();

/// Read-only binds of /usr and what belongs to it, for a box that runs the toolchain.
std::vector<std::string> toolchain_arguments();

/// True where RLIMIT_NPROC, set inside a box, counts the box's processes alone. Before Linux 5.14
/// it counts every process of the user on the machine, so that only a user of its own makes it
/// useful.
bool process_limit_counts_box(const Bubblewrap& bwrap);

/// User and group inside a box.
inline constexpr unsigned kBoxUser = 1000;

}  // namespace grader
