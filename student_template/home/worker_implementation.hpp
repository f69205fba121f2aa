// The student's functions in a process of their own, so that a crash, an exit or an endless loop is
// a result like any other and can be made as small as a wrong number.
//
// Theory of operation. A worker is a fork of this program that waits at the other end of a socket,
// makes the calls that come in, and sends the answers back, in the bytes that the grader uses. It
// lives until something ends it: a crash, a deadline, or start_fresh(). The next call then forks a
// new one, which knows nothing of the earlier calls. Nothing is isolated beyond that: these are the
// student's own functions on the student's own machine.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/channel/dispatch.hpp"
#include "grader/contract/implementation.hpp"

namespace attention_home {

struct WorkerLimits {
  std::chrono::milliseconds call{2000};        ///< wall clock, for one call
  std::size_t memory = std::size_t{1} << 30U;  ///< address space of the worker, 0 = no limit
  std::size_t answer_bytes = std::size_t{16} << 20U;
};

class WorkerImplementation final : public grader::Implementation {
 public:
  /// `contract` outlives this object. What the functions print goes to the end of `printed`.
  WorkerImplementation(const grader::Contract& contract, grader::DispatchFunction dispatch,
                       WorkerLimits limits, std::filesystem::path printed);
  ~WorkerImplementation() override;

  grader::Outcome call(grader::FunctionId function, const grader::Arguments& arguments) override;
  void start_fresh() override { stop(); }
  [[nodiscard]] std::uint64_t calls_made() const override { return calls_made_; }

 private:
  using Deadline = std::chrono::steady_clock::time_point;

  void start();
  void stop();
  [[noreturn]] void serve(int socket) const;
  grader::Outcome how_it_ended();

  const grader::Contract& contract_;
  grader::DispatchFunction dispatch_;
  WorkerLimits limits_;
  std::filesystem::path printed_;
  pid_t worker_ = -1;
  int socket_ = -1;
  std::uint64_t calls_made_ = 0;
  std::vector<unsigned char> request_;
  std::vector<unsigned char> response_;
};

}  // namespace attention_home
