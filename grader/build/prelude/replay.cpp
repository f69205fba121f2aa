// A program that makes one call of a submission and ends. Linked with a submission that was
// compiled for the sanitizers, it shows where a call crashes or hangs; it decides nothing.
#include <sys/time.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "grader/channel/dispatch.hpp"

extern "C" void __sanitizer_print_stack_trace();

// Options from here: the box has no /proc, in which the sanitizers look for the environment.
extern "C" const char* __asan_default_options() {
  return "handle_abort=1:handle_sigill=1:detect_leaks=0:"
         "hard_rss_limit_mb=1024:allocator_may_return_null=1";
}
extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1"; }

namespace {

/// Whoever still computes by now hangs, and this shows where. The line in front tells the stack of
/// a loop from that of a crash.
void show_where_it_hangs(int /*signal*/) {
  __sanitizer_print_stack_trace();
  _Exit(0);
}

}  // namespace

/// replay FUNCTION REQUEST SECONDS: the number of the function, the file with its encoded
/// arguments, and how long the call may compute.
int main(int count, char** arguments) {
  if (count != 4) return 2;
  std::FILE* file = std::fopen(arguments[2], "rb");
  if (file == nullptr) return 2;
  std::vector<unsigned char> request;
  for (int byte = std::fgetc(file); byte != EOF; byte = std::fgetc(file)) {
    request.push_back(static_cast<unsigned char>(byte));
  }
  std::fclose(file);
  std::signal(SIGPROF, show_where_it_hangs);
  const itimerval limit{{0, 0}, {std::atol(arguments[3]), 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
  std::vector<unsigned char> response(std::size_t{1} << 24U);
  const auto function = static_cast<std::uint32_t>(std::strtoul(arguments[1], nullptr, 10));
  attention_grader_dispatch(function, request.data(), request.size(), response.data(),
                            response.size());
  return 0;
}
