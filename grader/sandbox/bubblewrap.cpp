#include "grader/sandbox/bubblewrap.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdio>
#include <set>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/sandbox/transient_user.hpp"
#include "grader/sandbox/watcher.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

using Strings = std::vector<std::string>;

void append(Strings& arguments, const Strings& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
}

std::string find_program(const std::string& name) {
  for (const char* directory : {"/usr/bin", "/usr/local/bin", "/bin"}) {
    const fs::path candidate = fs::path(directory) / name;
    if (::access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
  }
  return {};
}

/// Makes a box, as another user unless that is root, and runs bwrap's own program in it. True when
/// that works.
bool try_box(Bubblewrap& bwrap, uid_t user) {
  Strings arguments = {bwrap.program};
  append(arguments, namespace_arguments(bwrap));
  append(arguments, toolchain_arguments());
  SpawnOptions options;
  const Descriptor place(::open("/usr", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (user != 0) {
    options.credentials = Credentials{user, user};
    options.private_places = {place.get()};
    append(arguments, {"--ro-bind", private_place(0), "/place"});
  }
  append(arguments, {bwrap.program, "--version"});
  auto [read_end, write_end] = make_pipe();
  const Watcher watcher;
  options.arguments = arguments;
  options.descriptors = {{write_end.get(), 1}, {write_end.get(), 2}};
  options.own_session = true;
  options.watcher = watcher.descriptor();
  try {
    Process process = Process::spawn(options);
    write_end.reset();
    const auto end = process.wait_until(Clock::now() + std::chrono::seconds(10));
    if (end && end->status == 0) {
      return true;
    }
  } catch (const EnvironmentFault& fault) {
    bwrap.failure = fault.what();
    return false;
  }
  char text[512];
  const ssize_t count = ::read(read_end.get(), text, sizeof text);
  bwrap.failure.assign(text, count > 0 ? static_cast<std::size_t>(count) : 0);
  return false;
}

Bubblewrap probe() {
  Bubblewrap bwrap;
  bwrap.program = find_program("bwrap");
  if (bwrap.program.empty()) {
    bwrap.failure = "the program bwrap is not installed";
    return bwrap;
  }
  const auto help = ask_command({bwrap.program, "--help"}, std::chrono::seconds(5));
  bwrap.disables_userns = help && help->output.find("--disable-userns") != std::string::npos;
  if (::geteuid() == 0) {
    // As root first give up root for good: then the kernel counts processes per user, and what
    // breaks out of the box is nobody. Where only root may make namespaces, stay root outside.
    const TransientUser user;
    bwrap.gives_up_root = try_box(bwrap, user.id());
  }
  bwrap.works = bwrap.gives_up_root || try_box(bwrap, 0);
  return bwrap;
}

/// Binds `directory` at its own place, or recreates it if it is a symbolic link.
void add_system_directory(Strings& arguments, const fs::path& directory) {
  std::error_code error;
  if (fs::is_symlink(directory, error)) {
    append(arguments,
           {"--symlink", fs::read_symlink(directory, error).string(), directory.string()});
  } else if (fs::is_directory(directory, error)) {
    append(arguments, {"--ro-bind", directory.string(), directory.string()});
  }
}

}  // namespace

const Bubblewrap& bubblewrap() {
  static const Bubblewrap found = probe();
  return found;
}

const Bubblewrap& require_bubblewrap() {
  const Bubblewrap& bwrap = bubblewrap();
  if (bwrap.program.empty()) {
    throw EnvironmentFault("the sandbox program bwrap is not installed",
                           "Install it: apt-get install bubblewrap.");
  }
  if (!bwrap.works) {
    throw EnvironmentFault(
        "this machine does not let bwrap make namespaces, so submissions cannot be isolated: " +
            bwrap.failure,
        "Run outside a container or start the container with the right to make namespaces; on "
        "Ubuntu 24.04 run with sudo or set kernel.apparmor_restrict_unprivileged_userns=0. "
        "`attention-grader doctor` says more.");
  }
  return bwrap;
}

Strings namespace_arguments(const Bubblewrap& bwrap) {
  Strings arguments = {"--unshare-all",
                       "--unshare-user",
                       "--die-with-parent",
                       "--cap-drop",
                       "ALL",
                       "--clearenv",
                       "--hostname",
                       "box",
                       "--uid",
                       std::to_string(kBoxUser),
                       "--gid",
                       std::to_string(kBoxUser)};
  if (bwrap.disables_userns) {
    arguments.emplace_back("--disable-userns");
  }
  return arguments;
}

bool process_limit_counts_box(const Bubblewrap& bwrap) {
  if (bwrap.gives_up_root) {
    return true;
  }
  utsname names{};
  int major = 0;
  int minor = 0;
  ::uname(&names);
  return std::sscanf(names.release, "%d.%d", &major, &minor) == 2 &&
         std::pair(major, minor) >= std::pair(5, 14);
}

std::vector<fs::path> library_directories() {
  // The directories of the libraries that this program itself uses, and the loader's.
  std::set<fs::path> directories;
  for (const char* library : {"libc.so.6", "libstdc++.so.6", "libgcc_s.so.1", "libm.so.6"}) {
    void* handle = ::dlopen(library, RTLD_LAZY);
    char origin[4096];
    if (handle != nullptr && ::dlinfo(handle, RTLD_DI_ORIGIN, origin) == 0) {
      std::error_code error;
      directories.insert(fs::canonical(origin, error));
    }
    if (handle != nullptr) {
      ::dlclose(handle);
    }
  }
  for (const char* loader : {"/usr/lib64", "/usr/lib32"}) {
    std::error_code error;
    if (fs::is_directory(loader, error)) {
      directories.insert(loader);
    }
  }
  return {directories.begin(), directories.end()};
}

Strings library_arguments() {
  Strings arguments;
  for (const fs::path& directory : library_directories()) {
    append(arguments, {"--ro-bind", directory.string(), directory.string()});
  }
  for (const char* link : {"/lib", "/lib64", "/lib32"}) {
    add_system_directory(arguments, link);
  }
  return arguments;
}

Strings toolchain_arguments() {
  Strings arguments = {"--ro-bind", "/usr", "/usr"};
  for (const char* directory : {"/bin", "/lib", "/lib64", "/lib32", "/libx32", "/sbin"}) {
    add_system_directory(arguments, directory);
  }
  for (const char* path : {"/etc/alternatives", "/etc/ld.so.cache"}) {
    append(arguments, {"--ro-bind-try", path, path});
  }
  return arguments;
}

}  // namespace grader
