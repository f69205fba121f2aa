#include "grader/build/prelude.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <future>
#include <system_error>

#include "grader/base/cache.hpp"
#include "grader/base/digest.hpp"
#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/build/embedded.hpp"
#include "grader/build/machine_fault.hpp"
#include "grader/sandbox/box.hpp"
#include "grader/sandbox/descriptor.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

using Strings = std::vector<std::string>;

constexpr std::size_t kLargestFile = std::size_t{4} << 20;
constexpr const char* kHeader = "prelude.hpp";
constexpr const char* kDispatch = "dispatch.cpp";
constexpr const char* kToolchain = "toolchain.txt";

// The header that comes before every submission.
std::string prelude_header(const Policy& policy) {
  std::string text = "#include \"assertions.hpp\"\n";
  for (const std::string& header : policy.contract_headers) {
    text += "#include <" + header + ">\n";
  }
  return text + "#include \"kernels.hpp\"\n";
}

std::string dispatch_source(const LoadedAssignment& assignment) {
  return read_file(assignment.directory / assignment.policy.dispatch, kLargestFile);
}

// Every file below the contract folder decides what a submission means.
void add_contract(Digest& digest, const LoadedAssignment& assignment) {
  const fs::path contract = assignment.directory / "contract";
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(contract, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->is_regular_file(error)) files.push_back(entry->path());
  }
  if (error) {
    throw UsageFault("Cannot read " + contract.string() + ": " + error.message() + ".",
                     "Check the folder of the assignment.");
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    digest.add(file.lexically_relative(contract).string()).add(read_file(file, kLargestFile));
  }
}

std::string key_of(const LoadedAssignment& assignment, const Toolchain& toolchain) {
  Digest digest;
  digest.add(toolchain.stamp);
  for (const std::string& flag : language_flags(assignment)) digest.add(flag);
  for (const EmbeddedFile& file : embedded_files()) digest.add(file.name).add(file.content);
  digest.add(prelude_header(assignment.policy)).add(dispatch_source(assignment));
  add_contract(digest, assignment);
  return digest.hex();
}

// Throws filesystem_error when a prelude does not fit. A precompiled header has some 110 MB.
void require_room(const fs::path& directory, std::uintmax_t bytes) {
  std::error_code error;
  const fs::space_info space = fs::space(directory, error);
  if (!error && space.available < bytes) {
    throw fs::filesystem_error("no room for a prelude", directory,
                               std::make_error_code(std::errc::no_space_on_device));
  }
}
constexpr std::uintmax_t kRoom = std::uintmax_t{256} << 20U;
constexpr std::uintmax_t kRemains = std::uintmax_t{4} << 20U;

// Runs the compiler on one of the prelude's files.
void compile(const LoadedAssignment& assignment, const Toolchain& toolchain,
             const fs::path& directory, const Strings& what) {
  BoxCommand command;
  command.arguments = {toolchain.compiler.string()};
  const Strings flags = language_flags(assignment);
  command.arguments.insert(command.arguments.end(), flags.begin(), flags.end());
  command.arguments.insert(command.arguments.end(), what.begin(), what.end());
  command.mounts = {{assignment.directory / "contract", kContractInBox, false},
                    {directory, kPreludeInBox, true}};
  command.environment = compiler_environment();
  command.directory = kPreludeInBox;
  command.limits.cpu_ms = 120'000;
  command.limits.wall_ms = 240'000;
  command.limits.memory = std::int64_t{4} << 30;
  command.limits.file_size = std::int64_t{1} << 30;
  const BoxResult result = run_in_box(command);
  if (result.exit_code == 0) return;
  require_room(directory, kRemains);  // somebody else may have filled the disk meanwhile
  constexpr std::size_t shown = 2000;
  const std::string output = plain_text(result.output, shown);
  require_unlimited_shell(command.limits);
  if (result.exit_code < 0 || may_be_the_machine(result)) {
    throw EnvironmentFault(
        "The compiler did not finish while it prepared the assignment: " + output,
        "Check that the machine has 1 GB of free memory and disk, and free processes.");
  }
  throw UsageFault("The assignment's contract or dispatch does not compile: " + output,
                   "Correct the files of " + assignment.directory.string() + ".");
}

void make_prelude(const LoadedAssignment& assignment, const Toolchain& toolchain,
                  const fs::path& directory) {
  require_room(directory, kRoom);
  for (const EmbeddedFile& file : embedded_files()) {
    fs::create_directories((directory / file.name).parent_path());
    write_atomically(directory / file.name, file.content);
  }
  write_atomically(directory / kHeader, prelude_header(assignment.policy));
  write_atomically(directory / kDispatch, dispatch_source(assignment));
  write_atomically(directory / kToolchain, describe_toolchain(toolchain, assignment));
  open_for_reading(directory);
  compile(assignment, toolchain, directory, {"-x", "c++-header", kHeader, "-o", "prelude.hpp.gch"});
  const auto object = [&](const char* source, const char* name) {
    compile(assignment, toolchain, directory,
            {"-include", kHeader, "-Imachine", "-fvisibility-inlines-hidden", "-c", source, "-o",
             name});
  };
  auto dispatch = std::async(std::launch::async, [&] { object(kDispatch, "dispatch.o"); });
  object("kernels.cpp", "kernels.o");
  object("assertions.cpp", "assertions.o");
  dispatch.get();
}

Prelude make_temporary(const LoadedAssignment& assignment, const Toolchain& toolchain,
                       const std::string& why) {
  Prelude prelude;
  prelude.temporary = std::make_unique<TemporaryDirectory>();
  prelude.directory = prelude.temporary->path();
  try {
    make_prelude(assignment, toolchain, prelude.directory);
  } catch (const fs::filesystem_error& failure) {
    throw EnvironmentFault("Cannot prepare the contract in " + prelude.directory.string() + ": " +
                               failure.code().message() + ".",
                           "Free some space, or set TMPDIR to a directory with 256 MB free.");
  }
  prelude.notices.push_back("The prepared contract could not be kept for the next run: " + why +
                            ".");
  return prelude;
}

// What was left by a process that was killed while it made `directory`, whose lock is held.
void remove_unfinished(const fs::path& directory) {
  const std::string prefix = directory.filename().string() + ".";
  std::error_code error;
  for (fs::directory_iterator entry(directory.parent_path(), error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;  // it costs space, nothing else
    if (entry->path().filename().string().starts_with(prefix) && entry->is_directory(ignored)) {
      fs::remove_all(entry->path(), ignored);
    }
  }
}

// Makes the prelude under another name beside `directory` and renames it. The lock spares
// parallel workers the same work; correctness rests on the rename alone.
void make_kept(const LoadedAssignment& assignment, const Toolchain& toolchain,
               const fs::path& directory) {
  const Descriptor lock(open((directory.string() + ".lock").c_str(),
                             O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (lock) {
    while (flock(lock.get(), LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  if (fs::exists(directory)) return;
  if (lock) remove_unfinished(directory);
  std::string name = directory.string() + ".XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    throw fs::filesystem_error("mkdtemp", name, std::error_code(errno, std::generic_category()));
  }
  try {
    fs::permissions(name, fs::perms(0755));  // the box may read it under another user id
    make_prelude(assignment, toolchain, name);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(name, ignored);
    throw;
  }
  if (rename(name.c_str(), directory.c_str()) != 0) {
    const int error = errno;
    std::error_code ignored;
    fs::remove_all(name, ignored);
    if (!is_trusted(directory)) {
      throw fs::filesystem_error("rename", directory,
                                 std::error_code(error, std::generic_category()));
    }
  }
  remove_unused(directory.parent_path());
}

}  // namespace

Strings prelude_objects() {
  const std::string folder = std::string(kPreludeInBox) + "/";
  return {folder + "dispatch.o", folder + "assertions.o", folder + "kernels.o"};
}

Prelude provide_prelude(const LoadedAssignment& assignment, const Toolchain& toolchain) {
  const fs::path cache = cache_directory();
  Prelude prelude;
  if (cache.empty()) {
    prelude =
        make_temporary(assignment, toolchain, "the cache directory is not writable for you alone");
  } else {
    prelude.directory = cache / key_of(assignment, toolchain);
    try {
      if (!fs::exists(prelude.directory)) make_kept(assignment, toolchain, prelude.directory);
    } catch (const fs::filesystem_error& failure) {
      prelude = make_temporary(assignment, toolchain, failure.code().message());
    }
    if (!prelude.temporary) note_use(prelude.directory);
  }
  prelude.toolchain = read_file(prelude.directory / kToolchain, kLargestFile);
  return prelude;
}

}  // namespace grader
