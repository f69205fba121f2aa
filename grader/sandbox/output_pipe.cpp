#include "grader/sandbox/output_pipe.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace grader {

OutputPipe::OutputPipe(std::size_t limit) : limit_(limit) {
  auto [read_end, write_end] = make_pipe();
  read_end_ = std::move(read_end);
  write_end_ = std::move(write_end);
  ::fcntl(read_end_.get(), F_SETFL, O_NONBLOCK);
}

void OutputPipe::drain(Clock::time_point deadline) {
  char buffer[16384];
  while (open_) {
    const ssize_t count = ::read(read_end_.get(), buffer, sizeof buffer);
    if (count <= 0) {
      open_ = count < 0 && (errno == EAGAIN || errno == EINTR);
      return;
    }
    const std::size_t kept = std::min(static_cast<std::size_t>(count), limit_ - text.size());
    text.append(buffer, kept);
    was_cut = was_cut || kept < static_cast<std::size_t>(count);
    if (was_cut && milliseconds_until(deadline) == 0) {
      return;
    }
  }
}

}  // namespace grader
