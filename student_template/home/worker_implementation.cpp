#include "home/worker_implementation.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/channel/message.hpp"

namespace attention_home {
namespace {

using Clock = std::chrono::steady_clock;
using grader::Ending;
using grader::Outcome;

enum class Transfer : std::uint8_t { done, ended, late };

/// Moves exactly `size` bytes through `socket` with `move(data, size)` (recv or send).
template <class Byte, class Move>
Transfer transfer(int socket, Byte* data, std::size_t size, short event, Clock::time_point deadline,
                  Move move) {
  while (size > 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return Transfer::late;
    pollfd waiting{socket, event, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::min<long long>(left, 60'000)));
    if (ready < 0 && errno != EINTR) return Transfer::ended;
    if (ready <= 0) continue;
    const ssize_t moved = move(socket, data, size);
    if (moved == 0 || (moved < 0 && errno != EINTR && errno != EAGAIN)) return Transfer::ended;
    if (moved < 0) continue;
    data += moved;
    size -= static_cast<std::size_t>(moved);
  }
  return Transfer::done;
}

Transfer receive(int socket, void* data, std::size_t size, Clock::time_point deadline) {
  return transfer(socket, static_cast<char*>(data), size, POLLIN, deadline,
                  [](int from, char* to, std::size_t count) { return recv(from, to, count, 0); });
}

Transfer send_all(int socket, const void* data, std::size_t size, Clock::time_point deadline) {
  return transfer(
      socket, static_cast<const char*>(data), size, POLLOUT, deadline,
      [](int to, const char* from, std::size_t count) { return send(to, from, count, 0); });
}

struct RequestHeader {
  std::uint32_t function = 0;
  std::uint64_t size = 0;
};

void limit(int resource, std::size_t value) {
  const rlimit bound{static_cast<rlim_t>(value), static_cast<rlim_t>(value)};
  // A system that refuses the limit runs without it; nobody is protected from anybody here.
  static_cast<void>(setrlimit(resource, &bound));
}

}  // namespace

WorkerImplementation::WorkerImplementation(const grader::Contract& contract,
                                           grader::DispatchFunction dispatch, WorkerLimits limits,
                                           std::filesystem::path printed)
    : contract_(contract), dispatch_(dispatch), limits_(limits), printed_(std::move(printed)) {
  // A worker that is gone is noticed by its answer, not by a signal here.
  static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
}

WorkerImplementation::~WorkerImplementation() { stop(); }

void WorkerImplementation::start() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) {
    throw grader::EnvironmentFault(std::string("no socket pair: ") + std::strerror(errno),
                                   "Close other programs and try again.");
  }
  worker_ = fork();
  if (worker_ == 0) {
    close(ends[0]);
    serve(ends[1]);
  }
  close(ends[1]);
  socket_ = ends[0];
  if (worker_ < 0) {
    stop();
    throw grader::EnvironmentFault(std::string("no new process: ") + std::strerror(errno),
                                   "Close other programs and try again.");
  }
}

void WorkerImplementation::stop() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  if (worker_ > 0) {
    kill(worker_, SIGKILL);
    while (waitpid(worker_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  worker_ = -1;
}

void WorkerImplementation::serve(int socket) const {
  static_cast<void>(std::signal(SIGPIPE, SIG_DFL));
  limit(RLIMIT_CORE, 0);
  if (limits_.memory > 0) limit(RLIMIT_AS, limits_.memory);
  if (const int file = open(printed_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644); file >= 0) {
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    close(file);
  }
  const std::unique_ptr<unsigned char[]> response(new unsigned char[limits_.answer_bytes]);
  std::vector<unsigned char> request;
  const auto never = Clock::now() + std::chrono::hours(24);
  for (;;) {
    RequestHeader header;
    if (receive(socket, &header, sizeof header, never) != Transfer::done) break;
    request.resize(header.size);
    if (receive(socket, request.data(), request.size(), never) != Transfer::done) break;
    const std::uint64_t size = dispatch_(header.function, request.data(), request.size(),
                                         response.get(), limits_.answer_bytes);
    std::fflush(nullptr);
    if (send_all(socket, &size, sizeof size, never) != Transfer::done) break;
    if (send_all(socket, response.get(), size, never) != Transfer::done) break;
  }
  // The parent is gone: nobody is left to answer to, and no exit handler may run twice.
  _exit(0);
}

Outcome WorkerImplementation::how_it_ended() {
  int status = 0;
  close(socket_);
  socket_ = -1;
  while (waitpid(worker_, &status, 0) < 0 && errno == EINTR) {
  }
  worker_ = -1;
  Outcome outcome;
  if (WIFSIGNALED(status)) {
    outcome.ending = Ending::crashed;
    outcome.signal = WTERMSIG(status);
  } else {
    outcome.ending = Ending::exited;
    outcome.message = "exit code " + std::to_string(WEXITSTATUS(status));
  }
  return outcome;
}

Outcome WorkerImplementation::call(grader::FunctionId function,
                                   const grader::Arguments& arguments) {
  if (function >= contract_.size()) {
    throw grader::InternalFault("the contract has no function " + std::to_string(function));
  }
  grader::encode_request(contract_[function], arguments, request_);
  if (worker_ < 0) start();
  ++calls_made_;
  const RequestHeader header{static_cast<std::uint32_t>(function), request_.size()};
  const auto deadline = Clock::now() + limits_.call;
  std::uint64_t size = 0;
  Transfer state = send_all(socket_, &header, sizeof header, deadline);
  if (state == Transfer::done) {
    state = send_all(socket_, request_.data(), request_.size(), deadline);
  }
  if (state == Transfer::done) state = receive(socket_, &size, sizeof size, deadline);
  if (state == Transfer::done && size <= limits_.answer_bytes) {
    response_.resize(size);
    state = receive(socket_, response_.data(), size, deadline);
  }
  if (state == Transfer::late) {
    stop();
    Outcome outcome;
    outcome.ending = Ending::timed_out;
    return outcome;
  }
  if (state == Transfer::ended || size > limits_.answer_bytes) return how_it_ended();
  return grader::decode_outcome(contract_[function].result, std::span(response_));
}

}  // namespace attention_home
