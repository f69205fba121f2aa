// The two streams of a command: the result on stdout, everything for people on stderr.
#pragma once

#include <string>
#include <string_view>

namespace grader::cli {

class Console {
 public:
  struct Options {
    bool is_quiet = false;
    bool has_no_color = false;
  };

  /// Looks at the terminal, NO_COLOR and TERM.
  explicit Console(const Options& options);
  /// Wipes the progress line.
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  /// Appends to the result. Throws EnvironmentFault when stdout takes no more (a full disk; a
  /// closed pipe ends the program quietly instead).
  void result(std::string_view text);
  /// One line for people, on stderr; nothing with --quiet.
  void note(std::string_view line);
  /// Replaces the progress line. Only on a terminal, never with --quiet.
  void progress(std::string_view step);
  void end_progress();

  [[nodiscard]] bool result_is_colored() const { return is_colored_; }

 private:
  bool is_quiet_;
  bool is_colored_;
  bool shows_progress_;
  bool progress_is_shown_ = false;
};

/// The message of a fault on stderr, whatever the options: what happened, then what to do.
void complain(std::string_view what, std::string_view hint);

}  // namespace grader::cli
