// The box of one submission: the zygote in it, and at most one child that has the submission
// loaded. Mechanism only; sandboxed.hpp turns it into outcomes.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "grader/assignment/policy.hpp"
#include "grader/host/eager_wait.hpp"
#include "grader/host/protocol.hpp"
#include "grader/host/shared_memory.hpp"
#include "grader/sandbox/cgroup.hpp"
#include "grader/sandbox/launcher.hpp"
#include "grader/sandbox/process.hpp"

namespace grader::host {

/// Thrown when the zygote is gone. Either the kernel ended it for want of memory or somebody killed
/// it from outside; the submission cannot.
class HostGone : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Host {
 public:
  /// Makes the box. Throws EnvironmentFault, with the reason, where that is not possible.
  Host(const std::filesystem::path& host_program, const std::filesystem::path& submission,
       const Limits& limits);
  /// Ends every process in the box.
  ~Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  [[nodiscard]] bool child_running() const { return static_cast<bool>(child_descriptor_); }
  /// Forks a child that may use `cpu_seconds` of processor time. Call only when none is running.
  void start_child(std::uint32_t cpu_seconds);
  void kill_child();
  /// What the running child has had in memory at most, in bytes; 0 where that cannot be read.
  [[nodiscard]] std::uint64_t child_peak_memory() const;
  /// How the child ended, or nothing if it has not by `deadline`.
  std::optional<Ended> wait_for_end(Clock::time_point deadline);

  /// Where the next request's bytes go.
  [[nodiscard]] std::span<unsigned char> request_space() const {
    return {input_.data(), input_.size()};
  }
  /// Hands the child a call with `request_size` bytes of arguments.
  void send_request(std::uint32_t function, std::size_t request_size);

  enum class Reply { answered, ended, late };
  /// Waits for the answer to the latest request. `ended` is a claim until wait_for_end confirms it.
  Reply wait_for_reply(Clock::time_point deadline);
  /// The answer as it is now, which may change until it is copied. Its size is within bounds.
  [[nodiscard]] std::span<const unsigned char> answer_in_shared_memory() const;

  /// What the child claims to know about its end.
  [[nodiscard]] bool submission_was_loaded() const;
  [[nodiscard]] std::string forbidden_call() const;

  /// Takes what the submission has written to stdout and stderr since the last time, without ever
  /// waiting, and appends it to `kept` up to `limit` bytes. The rest is dropped.
  void drain_output(std::string& kept, std::size_t limit);

 private:
  void launch(const std::filesystem::path& host_program, const std::filesystem::path& submission,
              const Limits& limits);
  void wait_until_ready(const Limits& limits);
  /// The next message of type Message, and a descriptor if one came along.
  template <class Message>
  std::optional<Message> receive(Clock::time_point deadline, Descriptor* attached);
  [[nodiscard]] Control& control() const {
    return *reinterpret_cast<Control*>(control_memory_.data());
  }

  SharedMemory control_memory_;
  SharedMemory input_;
  SharedMemory output_;
  std::optional<Cgroup> cgroup_;  // outlives the processes in it
  StartedHost started_;
  Descriptor socket_;
  Descriptor printed_;
  Descriptor zygote_descriptor_;
  Descriptor child_descriptor_;
  std::uint32_t child_ = 0;
  std::uint32_t request_ = 0;
  EagerWait eager_wait_;
};

}  // namespace grader::host
