#include "grader/build/watched_build.hpp"

#include <string>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/build/prelude.hpp"
#include "grader/build/toolchain.hpp"
#include "grader/sandbox/box.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

using Strings = std::vector<std::string>;

void append(Strings& list, const Strings& more) {
  list.insert(list.end(), more.begin(), more.end());
}

Strings flags_for(Watch watch) {
  Strings flags = {"-g1", "-fno-omit-frame-pointer"};
  if (watch == Watch::faults) {
    append(flags, {"-fsanitize=address,undefined", "-fno-sanitize-recover=all"});
  } else {
    // Without optimisation every step is where it was written.
    append(flags, {"-O0", "-fsanitize-coverage=trace-pc"});
  }
  return flags;
}

BoxCommand command_for(const Submission& submission, const LoadedAssignment& assignment,
                       const Toolchain& toolchain, const Prelude& prelude,
                       const fs::path& workspace) {
  BoxCommand command;
  command.arguments = {toolchain.compiler.string()};
  command.mounts = {{submission.directory, kSubmissionInBox, false},
                    {assignment.directory / "contract", kContractInBox, false},
                    {prelude.directory, kPreludeInBox, false},
                    {workspace, kOutputInBox, true}};
  command.environment = compiler_environment();
  command.directory = kSubmissionInBox;
  // The sanitizers make code several times larger, and slower to compile.
  constexpr std::int64_t kDearer = 4;
  const Limits& limits = assignment.policy.limits;
  command.limits.cpu_ms = kDearer * limits.build_cpu_ms;
  command.limits.wall_ms = kDearer * limits.build_wall_ms;
  command.limits.memory = limits.build_memory;
  command.limits.file_size = kDearer * limits.build_output;
  return command;
}

// Nothing at all can be built, or else it is up to the submission.
void require_working_compiler(BoxCommand command, const Strings& watching) {
  append(command.arguments, watching);
  append(command.arguments, {"-shared", "-fPIC", "-x", "c++", "/dev/null", "-o",
                             std::string(kOutputInBox) + "/empty.so"});
  const BoxResult result = run_in_box(command);
  if (result.exit_code == 0) return;
  constexpr std::size_t kShown = 400;
  throw EnvironmentFault(
      "The compiler cannot make programs that show where they fail: " +
          plain_line(result.output, kShown),
      "Install g++ again with its sanitizers: apt-get install --reinstall g++ libasan8 libubsan1.");
}

}  // namespace

std::optional<fs::path> build_watched(const Submission& submission,
                                      const LoadedAssignment& assignment, Watch watch,
                                      const fs::path& workspace) {
  const Toolchain toolchain = find_toolchain(assignment);
  const Prelude prelude = provide_prelude(assignment, toolchain);
  fs::create_directories(workspace);
  const std::string prelude_in_box = kPreludeInBox;
  const Strings watching = flags_for(watch);
  const BoxCommand plain = command_for(submission, assignment, toolchain, prelude, workspace);
  BoxCommand command = plain;
  append(command.arguments, submission_flags(submission, assignment));
  append(command.arguments, watching);
  command.arguments.push_back("-I" + prelude_in_box + "/machine");
  for (const fs::path& source : submission.sources) {
    command.arguments.push_back("./" + source.string());
  }
  command.arguments.push_back(prelude_in_box + "/replay.cpp");
  if (watch == Watch::steps) command.arguments.push_back(prelude_in_box + "/steps.cpp");
  append(command.arguments, {"-x", "none"});
  append(command.arguments, prelude_objects());
  append(command.arguments, {"-o", std::string(kOutputInBox) + "/replay"});
  if (!toolchain.linker.empty()) command.arguments.emplace_back("-fuse-ld=mold");
  const BoxResult result = run_in_box(command);
  const fs::path program = workspace / "replay";
  if (result.exit_code == 0 && fs::is_regular_file(fs::symlink_status(program))) return program;
  require_working_compiler(plain, watching);
  return std::nullopt;
}

}  // namespace grader
