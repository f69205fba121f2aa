// A program that makes one call of a submission and ends. Linked with a submission that was
// compiled for the sanitizers, it shows where a call crashes; it decides nothing.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "grader/channel/dispatch.hpp"

// Options from here: the box has no /proc, in which the sanitizers look for the environment.
extern "C" const char* __asan_default_options() {
  return "handle_abort=1:handle_sigill=1:detect_leaks=0:"
         "hard_rss_limit_mb=1024:allocator_may_return_null=1";
}
extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1"; }

/// replay FUNCTION REQUEST: the number of the function, and the file with its encoded arguments.
int main(int count, char** arguments) {
  if (count != 3) return 2;
  std::FILE* file = std::fopen(arguments[2], "rb");
  if (file == nullptr) return 2;
  std::vector<unsigned char> request;
  for (int byte = std::fgetc(file); byte != EOF; byte = std::fgetc(file)) {
    request.push_back(static_cast<unsigned char>(byte));
  }
  std::fclose(file);
  std::vector<unsigned char> response(std::size_t{1} << 24U);
  const auto function = static_cast<std::uint32_t>(std::strtoul(arguments[1], nullptr, 10));
  attention_grader_dispatch(function, request.data(), request.size(), response.data(),
                            response.size());
  return 0;
}
