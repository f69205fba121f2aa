#include "grader/cli/console.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"

namespace grader::cli {
namespace {

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool is_dumb_terminal() {
  const char* terminal = std::getenv("TERM");
  return terminal == nullptr || std::strcmp(terminal, "dumb") == 0;
}

void to_stderr(std::string_view text) {
  // When even stderr cannot be written, there is nobody left to tell.
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

}  // namespace

Console::Console(const Options& options)
    : is_quiet_(options.is_quiet),
      is_colored_(!options.has_no_color && !is_set("NO_COLOR") && !is_dumb_terminal() &&
                  isatty(STDOUT_FILENO) == 1),
      shows_progress_(!options.is_quiet && !is_dumb_terminal() && isatty(STDERR_FILENO) == 1) {}

Console::~Console() { end_progress(); }

void Console::result(std::string_view text) {
  end_progress();
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (written == text.size() && std::fflush(stdout) == 0) return;
  throw EnvironmentFault(std::string("Cannot write the result: ") + std::strerror(errno) + ".",
                         "Free some space where the output goes.");
}

void Console::note(std::string_view line) {
  if (is_quiet_) return;
  end_progress();
  to_stderr(std::string(line) + "\n");
}

void Console::progress(std::string_view step) {
  if (!shows_progress_) return;
  to_stderr("\r\x1b[K" + std::string(step) + " …");
  progress_is_shown_ = true;
}

void Console::end_progress() {
  if (!progress_is_shown_) return;
  to_stderr("\r\x1b[K");
  progress_is_shown_ = false;
}

void complain(std::string_view what, std::string_view hint) {
  constexpr std::size_t kLimit = 4'000;  // paths and messages may hold any bytes
  std::string text = "attention-grader: " + plain_text(what, kLimit) + "\n";
  if (!hint.empty()) text += "  " + plain_text(hint, kLimit) + "\n";
  to_stderr(text);
}

}  // namespace grader::cli
