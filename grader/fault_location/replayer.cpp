#include "grader/fault_location/replayer.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/build/toolchain.hpp"
#include "grader/channel/message.hpp"
#include "grader/fault_location/running_loop.hpp"
#include "grader/fault_location/sanitizer_log.hpp"
#include "grader/sandbox/box.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestSource = std::size_t{16} << 20;
constexpr const char* kReplayInBox = "/replay";

LineCounts line_counts(const Submission& submission) {
  LineCounts counts;
  for (const SubmittedFile& file : submission.files) {
    const std::string text = read_file(submission.directory / file.name, kLargestSource);
    counts[file.name] = std::ranges::count(text, '\n') + 1;
  }
  return counts;
}

/// The places of `addresses` as the linker's tools print them, each address on a line before its
/// places. They read what the submission was compiled to, so they run in a box too.
std::string places_of(const std::vector<std::string>& addresses, const fs::path& folder) {
  if (addresses.empty()) return {};
  BoxCommand command;
  command.arguments = {"/usr/bin/addr2line", "-a", "-i", "-e",
                       std::string(kReplayInBox) + "/replay"};
  command.arguments.insert(command.arguments.end(), addresses.begin(), addresses.end());
  command.mounts = {{folder, kReplayInBox, false}};
  return run_in_box(command).output;
}

}  // namespace

Replayer::Replayer(const Submission& submission, const Contract& contract, Watch watch,
                   fs::path program, const fs::path& workspace)
    : contract_(contract),
      watch_(watch),
      lines_(line_counts(submission)),
      program_(std::move(program)),
      workspace_(workspace) {}

std::optional<FaultLocation> Replayer::replay(const RecordedCall& call) {
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
  const std::string log = log_of(function - contract_.begin(), folder);
  return watch_ == Watch::faults ? crash_in(log, folder) : loop_in(log, folder);
}

/// What the program writes; empty when the end of that is missing, which is what counts.
std::string Replayer::log_of(std::ptrdiff_t function, const fs::path& folder) const {
  const std::string input = kReplayInBox;
  BoxCommand command;
  command.arguments = {input + "/replay", std::to_string(function), input + "/request"};
  command.mounts = {{folder, kReplayInBox, false}};
  command.limits.cpu_ms = 8'000;
  command.limits.wall_ms = 20'000;
  command.limits.address_space = std::int64_t{1} << 46;
  command.limits.file_size = std::int64_t{1} << 20;
  command.limits.processes = 16;
  BoxResult result = run_in_box(command);
  return result.output_cut ? std::string() : std::move(result.output);
}

std::optional<FaultLocation> Replayer::crash_in(std::string_view log,
                                                const fs::path& folder) const {
  const std::string_view report = last_report_in(log);
  // Undefined arithmetic is reported with its place; a stack has to be looked up.
  auto location = location_in(report, kSubmissionInBox, lines_);
  if (!location) {
    location = location_in(places_of(addresses_in(report), folder), kSubmissionInBox, lines_);
  }
  if (!location) return location;
  location->access = access_in(report);
  // At which line of a recursion the stack is full differs from run to run.
  if (is_stack_overflow(report)) location->line = 0;
  return location;
}

std::optional<FaultLocation> Replayer::loop_in(std::string_view log, const fs::path& folder) const {
  const auto running = running_steps_in(log);
  if (!running) return std::nullopt;
  const auto chains = [&](std::string_view part) {
    return chains_in(places_of(addresses_in(part), folder), kSubmissionInBox, lines_);
  };
  return running_loop(chains(running->steps), chains(running->callers));
}

}  // namespace grader
