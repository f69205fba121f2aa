#include <sched.h>

#include "grader/base/files.hpp"
#include "grader/batch/result_files.hpp"
#include "grader/batch/task_request.hpp"
#include "grader/cli/commands.hpp"
#include "grader/cli/no_verdict.hpp"

namespace grader::cli {
namespace {

// A neighbour's work shows less in the time a call takes when everybody keeps to a processor. Where
// that is refused, nothing is lost but speed.
void stay_on(std::int64_t core) {
  if (core < 0 || core >= CPU_SETSIZE) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(core), &set);
  static_cast<void>(sched_setaffinity(0, sizeof set, &set));
}

}  // namespace

int run(const GradeTaskCommand& command, Console& /*console*/) {
  constexpr std::size_t kRequestLimit = std::size_t{1} << 20;
  if (command.core) stay_on(*command.core);
  const TaskRequest request =
      request_from_json(read_file(command.request, kRequestLimit), command.request.string());
  apply({level_named(request.isolation), request.accepts_none});
  return complain_without_verdict(grade_task(request)).value_or(kDone);
}

}  // namespace grader::cli
