#include "grader/sandbox/doctor.hpp"

#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "grader/sandbox/bubblewrap.hpp"
#include "grader/sandbox/landlock.hpp"
#include "grader/sandbox/level.hpp"
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

bool is_container() {
  return ::access("/.dockerenv", F_OK) == 0 || ::access("/run/.containerenv", F_OK) == 0;
}

// Why namespaces are refused is for the kernel to know; the ways to get them are few.
std::string way_to_namespaces() {
  std::ifstream restricted("/proc/sys/kernel/apparmor_restrict_unprivileged_userns");
  char value = '0';
  if (restricted >> value && value == '1' && ::geteuid() != 0) {
    return "Run with sudo, or give bwrap a profile once: put `abi <abi/4.0>, profile bwrap "
           "/usr/bin/bwrap flags=(unconfined) { userns, }` into /etc/apparmor.d/bwrap and run "
           "`sudo apparmor_parser -r /etc/apparmor.d/bwrap`.";
  }
  if (is_container()) {
    return "Start the container with `docker run --security-opt seccomp=unconfined --security-opt "
           "apparmor=unconfined --security-opt systempaths=unconfined --cap-add SYS_ADMIN`, or "
           "grade outside of it. Where that cannot be had, level L2 is what there is.";
  }
  return "Ask the administrator to allow user namespaces (sysctl user.max_user_namespaces and "
         "kernel.unprivileged_userns_clone), or run with sudo.";
}

MachineFact namespaces_fact() {
  const Bubblewrap& bwrap = bubblewrap();
  if (bwrap.works) {
    std::string detail = "bwrap makes all of them";
    if (::geteuid() == 0) {
      detail += bwrap.gives_up_root ? ", as a user without rights" : ", but only as root";
    }
    return {"namespaces", State::present, detail, ""};
  }
  if (bwrap.program.empty()) {
    return {"namespaces", State::missing_helpful, "bwrap would make them",
            "Install it: apt-get install bubblewrap."};
  }
  return {"namespaces", State::missing_helpful, first_line(bwrap.failure), way_to_namespaces()};
}

MachineFact user_fact() {
  if (user_can_be_changed()) {
    return {"user of its own", State::present, "root gives itself up for each box", ""};
  }
  return {"user of its own", State::missing_helpful,
          ::geteuid() == 0 ? "root may not become another user here" : "only root can give one",
          "Needed only where namespaces are refused: run as root with the capabilities SETUID, "
          "SETGID, CHOWN and KILL (Docker's default)."};
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
          "Run as root, or with a delegated group: systemd-run --user --scope -p Delegate=yes "
          "attention-grader …; limit a container as a whole: docker run --memory 4g --pids-limit "
          "512."};
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
      program_fact("sandbox bwrap", bwrap, State::missing_helpful,
                   "Install it: apt-get install bubblewrap."),
      seccomp_fact(),
      namespaces_fact(),
      cgroup_fact(),
      user_fact(),
      landlock_fact(),
  };
  report.isolation = probe_isolation();
  return report;
}

}  // namespace grader
