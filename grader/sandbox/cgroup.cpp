#include "grader/sandbox/cgroup.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <tuple>
#include <utility>

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "attention-grader-";

bool write_setting(const fs::path& file, const std::string& value) {
  std::ofstream stream(file);
  stream << value << std::flush;
  return stream.good();
}

std::string read_setting(const fs::path& file) {
  std::ifstream stream(file);
  std::string text;
  std::getline(stream, text);
  return text;
}

bool has_word(const std::string& list, const std::string& word, char separator) {
  std::istringstream stream(list);
  for (std::string item; std::getline(stream, item, separator);) {
    if (item == word) {
      return true;
    }
  }
  return false;
}

/// Where this process is in the hierarchy with `controller` ("" for version 2).
std::string own_group(const std::string& controller, const CgroupSystem& system) {
  std::ifstream stream(system.process / "cgroup");
  for (std::string line; std::getline(stream, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (controller.empty() ? controllers.empty() : has_word(controllers, controller, ',')) {
      return line.substr(second + 1);
    }
  }
  return "/";
}

/// Mount point of the hierarchy with `controller` ("" for version 2), or empty.
fs::path mount_point(const std::string& controller, const CgroupSystem& system) {
  std::ifstream stream(system.process / "mounts");
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string device;
    std::string directory;
    std::string type;
    std::string options;
    words >> device >> directory >> type >> options;
    if (controller.empty() ? type == "cgroup2"
                           : type == "cgroup" && has_word(options, controller, ',')) {
      return directory;
    }
  }
  return {};
}

/// Removes groups of graders that ended without the chance to clean up.
void sweep(const fs::path& parent) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    const std::string name = entry.path().filename();
    if (name.rfind(kPrefix, 0) != 0) {
      continue;
    }
    const pid_t owner = static_cast<pid_t>(std::atol(name.c_str() + std::string(kPrefix).size()));
    if (owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH) {
      ::rmdir(entry.path().c_str());  // refused by the kernel while anything lives in it
    }
  }
}

/// Ends what is left in a group of ours. Version 1 has no single command for that.
void kill_members(const std::string& directory) {
  std::ifstream members(directory + "/cgroup.procs");
  for (pid_t member = 0; members >> member;) {
    ::kill(member, SIGKILL);
  }
}

std::string fresh_name() {
  static std::atomic<unsigned> count{0};
  return kPrefix + std::to_string(::getpid()) + "-" + std::to_string(count++);
}

/// A new group under `parent` with `settings`, or empty; nothing is left behind then.
std::string make_group(const fs::path& parent,
                       const std::vector<std::pair<std::string, std::string>>& settings,
                       const CgroupSystem& system) {
  const fs::path group = parent / fresh_name();
  if (!system.make(group)) {
    return {};
  }
  for (const auto& [file, value] : settings) {
    if (::access((group / file).c_str(), W_OK) != 0 || !write_setting(group / file, value)) {
      ::rmdir(group.c_str());
      return {};
    }
  }
  return group;
}

/// Candidates for the parent of a new group, best first.
std::vector<fs::path> parents(const std::string& controller, const CgroupSystem& system) {
  const fs::path mount = mount_point(controller, system);
  if (mount.empty()) {
    return {};
  }
  const fs::path own = mount / fs::path(own_group(controller, system)).relative_path();
  std::vector<fs::path> candidates;
  if (own != mount / "") {
    candidates.push_back(own);
    // Version 2 forbids groups below one that has processes of its own; a sibling is allowed.
    candidates.push_back(own.parent_path());
  }
  candidates.push_back(mount);
  return candidates;
}

}  // namespace

const CgroupSystem& Cgroup::the_system() {
  static const CgroupSystem system{
      "/proc/self", [](const fs::path& group) { return ::mkdir(group.c_str(), 0755) == 0; }};
  return system;
}

std::optional<Cgroup> Cgroup::create(std::int64_t memory, std::int64_t processes,
                                     const CgroupSystem& system) {
  Cgroup group;
  for (const fs::path& parent : parents("", system)) {
    const std::string controllers = read_setting(parent / "cgroup.subtree_control");
    if (!has_word(controllers, "memory", ' ') || !has_word(controllers, "pids", ' ')) {
      continue;
    }
    sweep(parent);
    const std::string made = make_group(
        parent, {{"memory.max", std::to_string(memory)}, {"pids.max", std::to_string(processes)}},
        system);
    if (!made.empty()) {
      write_setting(made + "/memory.swap.max", "0");
      group.directories_ = {made};
      return group;
    }
  }
  for (const auto& [controller, file, value] :
       {std::tuple{"memory", "memory.limit_in_bytes", memory},
        std::tuple{"pids", "pids.max", processes}}) {
    for (const fs::path& parent : parents(controller, system)) {
      sweep(parent);
      const std::string made = make_group(parent, {{file, std::to_string(value)}}, system);
      if (!made.empty()) {
        group.directories_.push_back(made);
        break;
      }
    }
  }
  if (group.directories_.size() == 2) {
    return group;
  }
  return std::nullopt;
}

Cgroup::~Cgroup() {
  for (const std::string& directory : directories_) {
    // The last process of a group may take a moment to be gone after it was waited for.
    for (int attempt = 0; attempt < 500; ++attempt) {
      if (::rmdir(directory.c_str()) == 0 || errno != EBUSY) {
        break;
      }
      kill_members(directory);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
}

std::int64_t Cgroup::peak_memory() const {
  for (const std::string& directory : directories_) {
    for (const char* file : {"/memory.peak", "/memory.max_usage_in_bytes"}) {
      const std::string text = read_setting(directory + file);
      if (!text.empty()) {
        return std::atoll(text.c_str());
      }
    }
  }
  return 0;
}

}  // namespace grader
