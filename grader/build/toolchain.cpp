#include "grader/build/toolchain.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <system_error>

#include "grader/base/digest.hpp"
#include "grader/base/fault.hpp"
#include "grader/sandbox/process.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

fs::path find_program(const std::string& name, const std::vector<std::string>& directories) {
  for (const std::string& directory : directories) {
    fs::path candidate = fs::path(directory) / name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

// Size and time of last change: an upgrade of a package changes them.
void add_stamp(Digest& digest, const std::string& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return;
  digest.add(file).add(std::to_string(status.st_size)).add(std::to_string(status.st_mtim.tv_sec));
}

void add_stamps_below(Digest& digest, const fs::path& directory) {
  std::vector<std::string> files;  // as texts, since a thousand paths take a while to be compared
  std::error_code error;
  for (fs::recursive_directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->is_regular_file(error)) files.push_back(entry->path().native());
  }
  if (error) {
    throw EnvironmentFault("Cannot read " + directory.string() + ": " + error.message() + ".",
                           "Check its permissions.");
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) add_stamp(digest, file);
}

std::string number_after(const std::string& text, const std::string& name) {
  const std::size_t place = text.find("#define " + name + " ");
  if (place == std::string::npos) return "?";
  const std::size_t begin = text.find_first_of("0123456789", place);
  const std::size_t end = text.find_first_not_of("0123456789", begin);
  return text.substr(begin, end - begin);
}

// ", Eigen 3.4.0" when one of the directories holds it.
std::string eigen_version(const Policy& policy) {
  for (const std::string& directory : policy.system_includes) {
    std::ifstream file(fs::path(directory) / "Eigen/src/Core/util/Macros.h");
    if (!file) continue;
    std::string text(4096, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    return ", Eigen " + number_after(text, "EIGEN_WORLD_VERSION") + "." +
           number_after(text, "EIGEN_MAJOR_VERSION") + "." +
           number_after(text, "EIGEN_MINOR_VERSION");
  }
  return {};
}

}  // namespace

Toolchain find_toolchain(const LoadedAssignment& assignment,
                         const std::vector<std::string>& directories) {
  Toolchain toolchain;
  toolchain.compiler = find_program("g++", directories);
  if (toolchain.compiler.empty()) {
    throw EnvironmentFault("The compiler g++ is not installed.",
                           "Install it: apt-get install g++.");
  }
  toolchain.linker = find_program("mold", directories);
  Digest digest;
  add_stamp(digest, toolchain.compiler);
  add_stamp(digest, toolchain.linker);
  add_stamp(digest, "/usr/include/features.h");
  for (const std::string& directory : assignment.policy.system_includes) {
    if (access(directory.c_str(), R_OK | X_OK) != 0) {
      throw EnvironmentFault("The library headers in " + directory + " are not installed.",
                             "Install them; for Eigen: apt-get install libeigen3-dev.");
    }
    add_stamps_below(digest, directory);
  }
  toolchain.stamp = digest.hex();
  return toolchain;
}

std::string describe_toolchain(const Toolchain& toolchain, const LoadedAssignment& assignment) {
  // Long, because a machine that grades on all processors may be slow to start anything.
  const auto answer =
      ask_command({toolchain.compiler.string(), "--version"}, std::chrono::seconds(60));
  if (!answer || answer->exit_code != 0) {
    throw EnvironmentFault("The compiler " + toolchain.compiler.string() + " does not start.",
                           "Install it again: apt-get install --reinstall g++.");
  }
  return answer->output.substr(0, answer->output.find('\n')) + eigen_version(assignment.policy);
}

std::vector<std::string> language_flags(const LoadedAssignment& assignment) {
  std::vector<std::string> flags = {
      "-std=c++20", "-O1", "-fPIC", "-pthread", "-pipe",
      // Correctness first: no reassociation, no contraction, no assumption that NaN is absent.
      "-fno-fast-math", "-ffp-contract=off",
      // Assertions on; what was never written is seen.
      "-UNDEBUG", "-D_GLIBCXX_ASSERTIONS", "-DEIGEN_INITIALIZE_MATRICES_BY_NAN",
      "-ftrivial-auto-var-init=pattern",
      // Diagnostics are for a report.
      "-fmax-errors=20", "-fdiagnostics-plain-output",
      // A collection walks the whole precompiled header (a seventh of the time); the box bounds
      // the memory.
      "--param=ggc-min-heapsize=524288", "--param=ggc-min-expand=200"};
  for (const std::string& directory : assignment.policy.include_directories) {
    flags.push_back("-I" + (fs::path(kContractInBox) / directory).lexically_normal().string());
  }
  for (const std::string& directory : assignment.policy.system_includes) {
    flags.insert(flags.end(), {"-isystem", directory});
  }
  flags.insert(flags.end(), assignment.policy.compile_flags.begin(),
               assignment.policy.compile_flags.end());
  return flags;
}

std::vector<std::string> submission_flags(const Submission& submission,
                                          const LoadedAssignment& assignment) {
  std::vector<std::string> flags = language_flags(assignment);
  // The student's own headers are found by quoted includes from everywhere, and by angle brackets
  // only after everything else: they cannot replace the contract or a library.
  for (const char* folder : {"", "/include"}) {
    std::error_code error;
    if (*folder != '\0' && !fs::is_directory(submission.directory / "include", error)) continue;
    const std::string place = std::string(kSubmissionInBox) + folder;
    flags.insert(flags.end(), {"-iquote", place, "-idirafter", place});
  }
  flags.insert(flags.end(), {"-include", std::string(kPreludeInBox) + "/prelude.hpp", "-x", "c++"});
  return flags;
}

std::vector<std::string> compiler_environment() {
  return {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TMPDIR=/tmp", "HOME=/tmp"};
}

}  // namespace grader
