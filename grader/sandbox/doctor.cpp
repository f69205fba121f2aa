#include "grader/sandbox/doctor.hpp"

#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "grader/sandbox/bubblewrap.hpp"
#include "grader/sandbox/process.hpp"

namespace grader {
namespace {

using State = MachineFact::State;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// A program of the distribution: present when `program --version` works.
MachineFact program_fact(const std::string& name, const std::string& program,
                         State state_if_missing, const std::string& remedy) {
  const auto answer = ask_command({program, "--version"}, std::chrono::seconds(5));
  if (answer && answer->exit_code == 0) {
    return {name, State::present, first_line(answer->output), ""};
  }
  return {name, state_if_missing, program + " does not run", remedy};
}

MachineFact kernel_fact() {
  utsname names{};
  ::uname(&names);
  const std::string detail =
      std::string(names.sysname) + " " + names.release + " on " + names.machine;
  const Descriptor self(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0U)));
  if (!self) {
    return {"kernel", State::missing_needed, detail + ", without process descriptors",
            "Use Linux 5.3 or later."};
  }
  return {"kernel", State::present, detail, ""};
}

MachineFact namespaces_fact() {
  const Bubblewrap& bwrap = bubblewrap();
  if (bwrap.works) {
    std::string detail = "bwrap makes all of them";
    if (::geteuid() == 0) {
      detail += bwrap.credentials ? ", as a user without rights" : ", but only as root";
    }
    return {"namespaces", State::present, detail, ""};
  }
  return {"namespaces", State::missing_needed, first_line(bwrap.failure),
          "Run outside a container or start the container with the right to make namespaces; on "
          "Ubuntu 24.04 run with sudo or set kernel.apparmor_restrict_unprivileged_userns=0."};
}

MachineFact seccomp_fact() {
  if (seccomp_available()) {
    return {"filter of system calls (seccomp)", State::present, "available", ""};
  }
  return {"filter of system calls (seccomp)", State::missing_needed, "refused by the kernel",
          "Use a Linux kernel with CONFIG_SECCOMP_FILTER."};
}

MachineFact landlock_fact() {
  const int version = landlock_version();
  if (version > 0) {
    return {"restriction of files (Landlock)", State::present,
            "interface version " + std::to_string(version), ""};
  }
  return {"restriction of files (Landlock)", State::missing_helpful, "not in this kernel",
          "Needed only where namespaces are refused: use Linux 5.13 or later."};
}

MachineFact cgroup_fact() {
  if (cgroup_available()) {
    return {"control group", State::present, "memory and processes of a box can be limited", ""};
  }
  return {"control group", State::missing_helpful,
          "none with the controllers memory and pids can be made here",
          "Run as root, or under systemd: systemd-run --user --scope -p Delegate=yes "
          "attention-grader …"};
}

MachineFact processors_fact() {
  const unsigned count = std::max(1U, std::thread::hardware_concurrency());
  return {"processors", State::present, std::to_string(count), ""};
}

MachineFact scratch_fact() {
  std::error_code error;
  const auto directory = std::filesystem::temp_directory_path(error);
  const auto space = std::filesystem::space(directory, error);
  constexpr std::uintmax_t kEnough = std::uintmax_t{256} << 20;
  if (error || ::access(directory.c_str(), W_OK) != 0) {
    return {"scratch space", State::missing_needed, "no writable directory for temporary files",
            "Set TMPDIR to a directory that you can write to."};
  }
  const std::string detail =
      std::to_string(space.available >> 20) + " MiB free in " + directory.string();
  if (space.available < kEnough) {
    return {"scratch space", State::missing_needed, detail,
            "Free some space there or set TMPDIR to another directory."};
  }
  return {"scratch space", State::present, detail, ""};
}

}  // namespace

bool MachineReport::can_grade() const {
  return std::none_of(facts.begin(), facts.end(),
                      [](const MachineFact& fact) { return fact.state == State::missing_needed; });
}

MachineReport examine_machine() {
  MachineReport report;
  const std::string bwrap = bubblewrap().program.empty() ? "bwrap" : bubblewrap().program;
  report.facts = {
      kernel_fact(),
      processors_fact(),
      scratch_fact(),
      program_fact("compiler g++", "/usr/bin/g++", State::missing_needed,
                   "Install it: apt-get install g++."),
      program_fact("linker mold", "/usr/bin/mold", State::missing_helpful,
                   "Install it for faster builds: apt-get install mold."),
      program_fact("sandbox bwrap", bwrap, State::missing_needed,
                   "Install it: apt-get install bubblewrap."),
      namespaces_fact(),
      seccomp_fact(),
      landlock_fact(),
      cgroup_fact(),
  };
  report.isolation = probe_isolation();
  return report;
}

}  // namespace grader
