#include "grader/cli/interruption.hpp"

#include <pthread.h>
#include <sys/eventfd.h>

#include <atomic>
#include <csignal>
#include <initializer_list>
#include <system_error>
#include <thread>

#include "grader/base/files.hpp"
#include "grader/sandbox/process.hpp"

namespace grader::cli {
namespace {

/// Where the first signal is written to instead, or -1.
std::atomic<int> noted_at{-1};
/// The signal that was noted.
std::atomic<int> noted{SIGTERM};

bool is_noted(int number) {
  const int descriptor = noted_at.exchange(-1);
  if (descriptor < 0) return false;
  noted = number;
  return eventfd_write(descriptor, 1) == 0;
}

/// Ends the process by `number`, so that whoever waits for it knows why.
[[noreturn]] void end_by(int number) {
  std::signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  std::raise(number);
  std::_Exit(128 + number);
}

}  // namespace

void clean_up_when_interrupted() {
  sigset_t interruptions;
  sigemptyset(&interruptions);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    // nohup and shells without job control want some of them ignored.
    if (sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) {
      sigaddset(&interruptions, number);
    }
  }
  if (pthread_sigmask(SIG_BLOCK, &interruptions, nullptr) != 0) return;
  try {
    std::thread([interruptions] {
      int number = 0;
      while (sigwait(&interruptions, &number) != 0 || is_noted(number)) {
      }
      remove_temporary_directories();
      end_by(number);
    }).detach();
  } catch (const std::system_error&) {
    // Without a thread to wait for them they end the program at once; the next one cleans up.
    pthread_sigmask(SIG_UNBLOCK, &interruptions, nullptr);
  }
}

NotedInterruption::NotedInterruption() : descriptor_(eventfd(0, EFD_CLOEXEC)) {
  if (!descriptor_) throw_system_error("make an event");
  noted_at = descriptor_.get();
}

NotedInterruption::~NotedInterruption() { noted_at = -1; }

void NotedInterruption::end_program() {
  remove_temporary_directories();
  end_by(noted);
}

}  // namespace grader::cli
