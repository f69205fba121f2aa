#include "grader/cli/interruption.hpp"

#include <pthread.h>

#include <csignal>
#include <initializer_list>
#include <system_error>
#include <thread>

#include "grader/base/files.hpp"

namespace grader::cli {
namespace {

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
      while (sigwait(&interruptions, &number) != 0) {
      }
      remove_temporary_directories();
      end_by(number);
    }).detach();
  } catch (const std::system_error&) {
    // Without a thread to wait for them they end the program at once; the next one cleans up.
    pthread_sigmask(SIG_UNBLOCK, &interruptions, nullptr);
  }
}

}  // namespace grader::cli
