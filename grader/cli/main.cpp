// attention-grader: parses the command line, runs one command, and turns faults into messages and
// exit codes. Nothing else in the project prints or decides an exit code.

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <system_error>
#include <variant>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/cli/command_line.hpp"
#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/cli/interruption.hpp"

namespace grader::cli {

LoadedAssignment assignment_in(const std::filesystem::path& directory) {
  return load_assignment(directory.empty() ? default_assignment() : directory);
}

void apply(const IsolationChoice& choice) {
  if (choice.highest) limit_isolation(*choice.highest);
  if (choice.accepts_none) accept_no_isolation();
}

namespace {

// Judging makes and drops matrices without end: memory that is given back to the system after each
// has to be asked for, and cleared, for the next. Where the system has large pages, the heap is
// made of them, since thousands of small ones cost a fault each; but not its beginning, which is
// all that a command needs that grades nothing.
void keep_freed_memory() {
  constexpr int kMegabyte = 1 << 20;
  constexpr int kGrowth = 64 * kMegabyte;  // of addresses; memory is taken as it is used
  constexpr std::size_t kSmallPages = std::size_t{8} << 20;
  constexpr std::size_t kLargePage = std::size_t{2} << 20;
  mallopt(M_MMAP_THRESHOLD, 4 * kMegabyte);
  mallopt(M_TRIM_THRESHOLD, 2 * kGrowth);
  mallopt(M_TOP_PAD, kGrowth);
  void* volatile grows = std::malloc(kMegabyte);
  std::free(grows);
  char* const end = static_cast<char*>(sbrk(0));
  const std::size_t beyond_last_large_page = reinterpret_cast<std::uintptr_t>(end) % kLargePage;
  constexpr std::size_t kLarge = kGrowth - kSmallPages;
  madvise(end - beyond_last_large_page - kLarge, kLarge, MADV_HUGEPAGE);
}

int run_program(int count, const char* const* arguments) {
  const Parsed parsed = parse_command_line(count, arguments);
  if (!parsed.command) {
    Console({}).result(parsed.help);
    return kDone;
  }
  return std::visit(
      [](const auto& command) {
        Console console(command.console);
        return run(command, console);
      },
      *parsed.command);
}

}  // namespace
}  // namespace grader::cli

int main(int count, char** arguments) {
  using namespace grader;
  // A file beyond the limit of its size is an error of write(), as a full disk is.
  std::signal(SIGXFSZ, SIG_IGN);
  cli::keep_freed_memory();
  cli::clean_up_when_interrupted();
  try {
    remove_abandoned_directories();
    return cli::run_program(count, arguments);
  } catch (const UsageFault& fault) {
    cli::complain(fault.what(), fault.hint());
    return cli::kUsage;
  } catch (const EnvironmentFault& fault) {
    cli::complain(fault.what(), fault.hint());
    return cli::kEnvironment;
  } catch (const std::bad_alloc&) {
    cli::complain("There is not enough memory.", "Free some memory and try again.");
    return cli::kEnvironment;
  } catch (const std::system_error& fault) {
    cli::complain(
        std::string("The machine refused something that grading needs: ") + fault.what() + ".",
        "Free what it names (descriptors, processes, space) and try again.");
    return cli::kEnvironment;
  } catch (const std::exception& fault) {
    cli::complain(std::string("A bug of the grader: ") + fault.what(),
                  "Please report it with the command that you ran.");
    return cli::kInternal;
  }
}
