#include "grader/fault_location/locate_faults.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/build/sanitized_build.hpp"
#include "grader/build/toolchain.hpp"
#include "grader/channel/message.hpp"
#include "grader/fault_location/sanitizer_log.hpp"
#include "grader/sandbox/box.hpp"
#include "grader/sandbox/level.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostReplays = 4;
constexpr std::size_t kLargestSource = std::size_t{16} << 20;
constexpr const char* kReplayInBox = "/replay";

/// Faults with the same function and the same ending have one cause as far as anybody knows.
using FaultKind = std::pair<std::string, std::string>;

FaultKind kind_of(const CheckResult& result) {
  return {result.fault->function, result.fault->kind};
}

/// Calls that crashed. An exit or a forbidden system call has a name of its own, and where a loop
/// is when it is stopped differs from run to run.
bool can_be_located(const CheckResult& result) {
  return result.fault && result.status == CheckStatus::crashed &&
         result.fault->kind.starts_with("SIG");
}

LineCounts line_counts(const Submission& submission) {
  LineCounts counts;
  for (const SubmittedFile& file : submission.files) {
    const std::string text = read_file(submission.directory / file.name, kLargestSource);
    counts[file.name] = std::ranges::count(text, '\n') + 1;
  }
  return counts;
}

class Replayer {
 public:
  Replayer(const Submission& submission, const LoadedAssignment& assignment,
           const fs::path& workspace, fs::path program)
      : contract_(assignment.judge->contract),
        lines_(line_counts(submission)),
        workspace_(workspace),
        program_(std::move(program)) {}

  std::optional<FaultLocation> replay(const RecordedCall& call) {
    const auto function = std::ranges::find(contract_, call.function, &Function::name);
    if (function == contract_.end()) throw InternalFault("no function " + call.function);
    const fs::path folder = workspace_ / ("replay" + std::to_string(++count_));
    fs::create_directories(folder);
    std::vector<unsigned char> request;
    encode_request(*function, call.arguments, request);
    write_atomically(folder / "request",
                     {reinterpret_cast<const char*>(request.data()), request.size()});
    fs::copy(program_, folder / "replay");
    open_for_reading(folder);
    const std::string log = run_in_box(command_for(function - contract_.begin(), folder)).output;
    // Undefined arithmetic is reported with its place; a stack has to be looked up.
    auto location = location_in(log, kSubmissionInBox, lines_);
    if (!location) location = location_in(places_of(log, folder), kSubmissionInBox, lines_);
    if (!location) return location;
    location->access = access_in(log);
    // At which line of a recursion the stack is full differs from run to run.
    if (is_stack_overflow(log)) location->line = 0;
    return location;
  }

 private:
  static BoxCommand command_for(std::ptrdiff_t function, const fs::path& folder) {
    const std::string input = kReplayInBox;
    BoxCommand command;
    command.arguments = {input + "/replay", std::to_string(function), input + "/request"};
    command.mounts = {{folder, kReplayInBox, false}};
    command.limits.cpu_ms = 8'000;
    command.limits.wall_ms = 20'000;
    command.limits.address_space = std::int64_t{1} << 46;
    command.limits.file_size = std::int64_t{1} << 20;
    command.limits.processes = 16;
    return command;
  }

  /// The places of the stack in `log`, the innermost first, as the linker's tools print them. They
  /// read what the submission was compiled to, so they run in a box too.
  static std::string places_of(const std::string& log, const fs::path& folder) {
    const std::vector<std::string> addresses = stack_in(log);
    if (addresses.empty()) return {};
    BoxCommand command;
    command.arguments = {"/usr/bin/addr2line", "-i", "-e", std::string(kReplayInBox) + "/replay"};
    command.arguments.insert(command.arguments.end(), addresses.begin(), addresses.end());
    command.mounts = {{folder, kReplayInBox, false}};
    return run_in_box(command).output;
  }

  const Contract& contract_;
  LineCounts lines_;
  const fs::path& workspace_;
  fs::path program_;
  int count_ = 0;
};

}  // namespace

void locate_faults(std::vector<CheckResult>& results, const Submission& submission,
                   const LoadedAssignment& assignment, const fs::path& workspace) {
  std::map<FaultKind, const RecordedCall*> calls;
  for (const CheckResult& result : results) {
    if (can_be_located(result) && result.faulting_call && calls.size() < kMostReplays) {
      calls.try_emplace(kind_of(result), &*result.faulting_call);
    }
  }
  if (calls.empty() || !layers().namespaces) return;
  const auto program = build_with_sanitizers(submission, assignment, workspace);
  if (!program) return;

  Replayer replayer(submission, assignment, workspace, *program);
  std::map<FaultKind, FaultLocation> found;
  for (const auto& [kind, call] : calls) {
    if (auto location = replayer.replay(*call)) found.emplace(kind, std::move(*location));
  }
  for (CheckResult& result : results) {
    if (!can_be_located(result)) continue;
    const auto location = found.find(kind_of(result));
    if (location == found.end()) continue;
    result.fault->file = location->second.file;
    result.fault->line = location->second.line;
    result.fault->access = location->second.access;
  }
}

}  // namespace grader
