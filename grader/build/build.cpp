#include "grader/build/build.hpp"

#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <future>
#include <mutex>
#include <system_error>
#include <thread>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/build/diagnostics.hpp"
#include "grader/build/hints.hpp"
#include "grader/build/machine_fault.hpp"
#include "grader/build/prelude.hpp"
#include "grader/build/toolchain.hpp"
#include "grader/sandbox/box.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

using Strings = std::vector<std::string>;

constexpr const char* kSharedObject = "student.so";
constexpr std::size_t kLargestSource = std::size_t{16} << 20;
constexpr std::size_t kCompilers = 2;  // at the same time

void append(Strings& list, const Strings& more) {
  list.insert(list.end(), more.begin(), more.end());
}

// Relative names must not be read as options.
std::string argument_for(const fs::path& source) { return "./" + source.string(); }

std::string object_for(std::size_t index) {
  return std::string(kOutputInBox) + "/" + std::to_string(index) + ".o";
}

Strings link_flags(const Toolchain& toolchain) {
  Strings flags = {"-x", "none"};
  append(flags, prelude_objects());
  append(flags, {"-shared", "-Wl,-z,defs", "-Wl,--trace-symbol=main", "-o",
                 std::string(kOutputInBox) + "/" + kSharedObject});
  if (!toolchain.linker.empty()) append(flags, {"-fuse-ld=mold", "-Wl,--thread-count=1"});
  return flags;
}

// How many programs want each processor: time on the wall is a backstop behind the limit on the
// compiler's own time, and a busy machine must not cost a mark.
std::int64_t busyness() {
  constexpr double most = 10;
  double load = 0;
  if (getloadavg(&load, 1) != 1) return 1;
  const double processors = std::max(1U, std::thread::hardware_concurrency());
  return static_cast<std::int64_t>(std::ceil(std::clamp(load / processors, 1.0, most)));
}
constexpr std::int64_t kBusy = 4;

// What compiler and assembler say when a limit of the box ended them.
bool is_limit(const BoxResult& result) {
  if (result.wall_exceeded || result.cpu_exceeded || result.signal != 0) return true;
  if (result.exit_code == 0) return false;
  constexpr std::array<std::string_view, 8> messages = {
      "File size limit exceeded", "virtual memory exhausted",
      "out of memory allocating", "Cannot allocate memory",
      "CPU time limit exceeded",  "memory exhausted",
      "Killed signal terminated", "File too large"};
  return std::any_of(messages.begin(), messages.end(), [&](std::string_view message) {
    return result.output.find(message) != std::string::npos;
  });
}

/// Everything that one build shares between its compilers.
class Builder {
 public:
  Builder(const Submission& submission, const LoadedAssignment& assignment,
          const Toolchain& toolchain, const Prelude& prelude, const fs::path& output)
      : submission_(submission), assignment_(assignment), toolchain_(toolchain) {
    mounts_ = {{submission.directory, kSubmissionInBox, false},
               {assignment.directory / "contract", kContractInBox, false},
               {prelude.directory, kPreludeInBox, false},
               {output, kOutputInBox, true}};
  }

  /// Compiler and linker in one go for a single source; several compilers, then the linker, else.
  std::vector<BoxResult> run();

 private:
  [[nodiscard]] BoxResult run_compiler(const Strings& arguments) const;
  void require_working_compiler() const;
  [[nodiscard]] BoxCommand command_for(const Strings& arguments) const;
  [[nodiscard]] std::vector<BoxResult> compile_all() const;

  const Submission& submission_;
  const LoadedAssignment& assignment_;
  const Toolchain& toolchain_;
  std::vector<Mount> mounts_;
};

BoxCommand Builder::command_for(const Strings& arguments) const {
  const Limits& limits = assignment_.policy.limits;
  BoxCommand command;
  command.arguments = {toolchain_.compiler.string()};
  append(command.arguments, arguments);
  command.mounts = mounts_;
  command.environment = compiler_environment();
  command.directory = kSubmissionInBox;
  command.limits.cpu_ms = limits.build_cpu_ms;
  command.limits.wall_ms = limits.build_wall_ms * busyness();
  command.limits.memory = limits.build_memory;
  command.limits.file_size = limits.build_output;
  command.limits.output = limits.diagnostics;
  return command;
}

// An empty file with all that every submission gets compiles, or else the machine is at fault.
void Builder::require_working_compiler() const {
  Strings arguments = language_flags(assignment_);
  append(arguments, {"-include", std::string(kPreludeInBox) + "/prelude.hpp", "-x", "c++", "-c",
                     "/dev/null", "-o", std::string(kOutputInBox) + "/empty.o"});
  const BoxResult result = run_in_box(command_for(arguments));
  if (result.exit_code == 0) return;
  constexpr std::size_t kShown = 400;
  throw EnvironmentFault("The compiler does not work at the moment, not even on an empty file: " +
                             plain_line(result.output, kShown),
                         "Check that the machine has free memory, processes and disk, then grade "
                         "again.");
}

BoxResult Builder::run_compiler(const Strings& arguments) const {
  const BoxCommand command = command_for(arguments);
  BoxResult result = run_in_box(command);
  if (may_be_the_machine(result)) {
    require_working_compiler();
    result = run_in_box(command);
  }
  if (is_limit(result)) require_unlimited_shell(command.limits);
  if (result.wall_exceeded && !result.cpu_exceeded && busyness() > kBusy) {
    throw EnvironmentFault("The machine is too busy: the compiler got too little of its time.",
                           "Grade again when less is running.");
  }
  return result;
}

std::vector<BoxResult> Builder::compile_all() const {
  const Strings flags = submission_flags(submission_, assignment_);
  std::vector<BoxResult> results(submission_.sources.size());
  std::mutex mutex;
  std::size_t next = 0;
  const auto work = [&] {
    while (true) {
      std::size_t mine = 0;
      {
        const std::lock_guard lock(mutex);
        if (next == results.size()) return;
        mine = next++;
      }
      Strings arguments = flags;
      append(arguments, {"-c", argument_for(submission_.sources[mine]), "-o", object_for(mine)});
      results[mine] = run_compiler(arguments);
    }
  };
  std::vector<std::future<void>> workers;
  for (std::size_t worker = 1; worker < kCompilers; ++worker) {
    workers.push_back(std::async(std::launch::async, work));
  }
  work();
  for (std::future<void>& worker : workers) worker.get();
  return results;
}

std::vector<BoxResult> Builder::run() {
  if (submission_.sources.size() == 1) {
    Strings arguments = submission_flags(submission_, assignment_);
    arguments.push_back(argument_for(submission_.sources.front()));
    append(arguments, link_flags(toolchain_));
    return {run_compiler(arguments)};
  }
  std::vector<BoxResult> results = compile_all();
  const bool compiled = std::all_of(results.begin(), results.end(),
                                    [](const BoxResult& result) { return result.exit_code == 0; });
  if (!compiled) return results;
  Strings arguments;
  for (std::size_t index = 0; index < results.size(); ++index) {
    arguments.push_back(object_for(index));
  }
  append(arguments, link_flags(toolchain_));
  results.push_back(run_compiler(arguments));
  return results;
}

void require_space(const fs::path& directory) {
  struct statvfs status {};
  constexpr unsigned long needed = 1UL << 20U;
  if (statvfs(directory.c_str(), &status) == 0 && status.f_bavail * status.f_frsize < needed) {
    throw EnvironmentFault("There is no space left in " + directory.string() + ".",
                           "Free some space, or set TMPDIR to a directory with more.");
  }
}

// The contract's headers and the student's sources, for the hints.
std::string contract_text(const LoadedAssignment& assignment) {
  std::string text;
  for (const std::string& header : assignment.policy.contract_headers) {
    for (const std::string& directory : assignment.policy.include_directories) {
      const fs::path file = assignment.directory / "contract" / directory / header;
      std::error_code error;
      if (!fs::is_regular_file(file, error)) continue;
      text += read_file(file, kLargestSource);
      break;
    }
  }
  return text;
}

std::string source_text(const Submission& submission) {
  std::string text;
  for (const fs::path& source : submission.sources) {
    text += read_file(submission.directory / source, kLargestSource) + "\n";
  }
  return text;
}

Replacements replacements_for(const Submission& submission, const Policy& policy) {
  Replacements replacements;
  for (std::size_t index = submission.sources.size(); index-- > 0;) {
    replacements.emplace_back(object_for(index), submission.sources[index].string());
    replacements.emplace_back(argument_for(submission.sources[index]),
                              submission.sources[index].string());
  }
  const Replacements paths = path_replacements(policy.include_directories, policy.system_includes);
  replacements.insert(replacements.end(), paths.begin(), paths.end());
  return replacements;
}

BuildReport report_on(const std::vector<BoxResult>& results, const Submission& submission,
                      const LoadedAssignment& assignment) {
  BuildReport report;
  report.status = BuildStatus::built;
  std::string output;
  bool was_cut = false;
  for (const BoxResult& result : results) {
    output += result.output;
    was_cut = was_cut || result.output_cut;
    if (is_limit(result)) {
      report.status = BuildStatus::limit_exceeded;
    } else if (result.exit_code != 0 && report.status == BuildStatus::built) {
      report.status = BuildStatus::failed;
    }
  }
  const Policy& policy = assignment.policy;
  report.diagnostics = clean_diagnostics(output, replacements_for(submission, policy), was_cut,
                                         static_cast<std::size_t>(policy.limits.diagnostics));
  if (report.status == BuildStatus::limit_exceeded) {
    report.problem = "The compiler was stopped at its limits.";
    report.hint =
        "Compiling took more time, memory or space than is allowed: look for huge constants, very "
        "deep templates or a file that includes itself.";
  } else if (report.status == BuildStatus::failed) {
    FailedBuild failed{report.diagnostics, contract_text(assignment), source_text(submission), {}};
    for (const Function& function : assignment.judge->contract) {
      failed.function_names.push_back(function.name);
    }
    BuildAdvice advice = advice_for(failed);
    report.problem = std::move(advice.problem);
    report.hint = std::move(advice.hint);
  }
  return report;
}

bool defines_main(const std::vector<BoxResult>& results) {
  return results.back().output.find("definition of main") != std::string::npos;
}

// Moves the linker's product out of the box's reach; false when it left nothing usable there.
bool collect(const fs::path& product, const fs::path& target) {
  struct stat status {};
  if (lstat(product.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  fs::rename(product, target);
  fs::permissions(target, fs::perms(0755));  // the host runs under another user id
  return true;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

BuildOutcome build(const Submission& submission, const LoadedAssignment& assignment,
                   const fs::path& workspace) {
  BuildOutcome outcome;
  auto start = std::chrono::steady_clock::now();
  const Toolchain toolchain = find_toolchain(assignment);
  const Prelude prelude = provide_prelude(assignment, toolchain);
  outcome.toolchain = prelude.toolchain;
  outcome.notices = prelude.notices;
  outcome.timing["prelude"] = seconds_since(start);

  start = std::chrono::steady_clock::now();
  const fs::path output = workspace / "objects";
  try {
    fs::create_directories(output);
    std::vector<BoxResult> results =
        Builder(submission, assignment, toolchain, prelude, output).run();
    outcome.report = report_on(results, submission, assignment);
    if (outcome.report.status == BuildStatus::built) {
      outcome.shared_object = workspace / kSharedObject;
      if (!collect(output / kSharedObject, outcome.shared_object)) {
        throw EnvironmentFault("The linker reported success but left no shared object.",
                               "Check the disk, then grade again.");
      }
      if (outcome.report.diagnostics.find("[-Wreturn-type]") != std::string::npos) {
        outcome.notices.emplace_back(
            "A function of yours can end without a return statement (see the compiler's messages): "
            "what happens then is undefined.");
      }
      if (defines_main(results)) {
        outcome.notices.emplace_back(
            "Your code has a main() of its own: it is never called when it is graded.");
      }
    } else {
      require_space(output);
    }
    fs::remove_all(output);
  } catch (const fs::filesystem_error& failure) {
    throw EnvironmentFault(
        "Cannot write to " + workspace.string() + ": " + failure.code().message() + ".",
        "Free some space, or set TMPDIR to a directory you may write to.");
  }
  outcome.timing["compile"] = seconds_since(start);
  return outcome;
}

std::string toolchain_description(const LoadedAssignment& assignment) {
  return describe_toolchain(find_toolchain(assignment), assignment);
}

}  // namespace grader
