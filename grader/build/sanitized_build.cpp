#include "grader/build/sanitized_build.hpp"

#include <string>
#include <vector>

#include "grader/base/files.hpp"
#include "grader/build/prelude.hpp"
#include "grader/build/toolchain.hpp"
#include "grader/sandbox/box.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

}  // namespace

std::optional<fs::path> build_with_sanitizers(const Submission& submission,
                                              const LoadedAssignment& assignment,
                                              const fs::path& workspace) {
  const Toolchain toolchain = find_toolchain(assignment);
  const Prelude prelude = provide_prelude(assignment, toolchain);
  fs::create_directories(workspace);
  const Limits& limits = assignment.policy.limits;
  const std::string prelude_in_box = kPreludeInBox;
  BoxCommand command;
  command.arguments = {toolchain.compiler.string()};
  append(command.arguments, submission_flags(submission, assignment));
  append(command.arguments, {"-g1", "-fno-omit-frame-pointer", "-fsanitize=address,undefined",
                             "-fno-sanitize-recover=all", "-I" + prelude_in_box + "/machine"});
  for (const fs::path& source : submission.sources) {
    command.arguments.push_back("./" + source.string());
  }
  append(command.arguments, {prelude_in_box + "/replay.cpp", "-x", "none"});
  append(command.arguments, prelude_objects());
  append(command.arguments, {"-o", std::string(kOutputInBox) + "/replay"});
  if (!toolchain.linker.empty()) command.arguments.emplace_back("-fuse-ld=mold");
  command.mounts = {{submission.directory, kSubmissionInBox, false},
                    {assignment.directory / "contract", kContractInBox, false},
                    {prelude.directory, kPreludeInBox, false},
                    {workspace, kOutputInBox, true}};
  command.environment = compiler_environment();
  command.directory = kSubmissionInBox;
  // The sanitizers make code several times larger, and slower to compile.
  constexpr std::int64_t kDearer = 4;
  command.limits.cpu_ms = kDearer * limits.build_cpu_ms;
  command.limits.wall_ms = kDearer * limits.build_wall_ms;
  command.limits.memory = limits.build_memory;
  command.limits.file_size = kDearer * limits.build_output;
  const BoxResult result = run_in_box(command);
  const fs::path program = workspace / "replay";
  if (result.exit_code != 0 || !fs::is_regular_file(fs::symlink_status(program))) {
    return std::nullopt;
  }
  return program;
}

}  // namespace grader
