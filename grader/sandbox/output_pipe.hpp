// What a box prints, taken without ever waiting for it and cut at a limit.
#pragma once

#include <cstddef>
#include <string>

#include "grader/sandbox/process.hpp"

namespace grader {

class OutputPipe {
 public:
  /// Keeps the first `limit` bytes.
  explicit OutputPipe(std::size_t limit);

  /// The end that the box gets. Close it once the box has started.
  [[nodiscard]] Descriptor& write_end() { return write_end_; }
  [[nodiscard]] const Descriptor& write_end() const { return write_end_; }
  /// To be polled; -1 once nothing more can come.
  [[nodiscard]] int descriptor() const { return open_ ? read_end_.get() : -1; }
  /// Takes what is there; no longer than until `deadline`, since a box may write faster than we
  /// read.
  void drain(Clock::time_point deadline);

  std::string text;
  bool was_cut = false;

 private:
  std::size_t limit_;
  Descriptor read_end_;
  Descriptor write_end_;
  bool open_ = true;
};

}  // namespace grader
