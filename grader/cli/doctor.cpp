#include "grader/sandbox/doctor.hpp"

#include <algorithm>

#include "grader/base/fault.hpp"
#include "grader/build/file_escapes.hpp"
#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/host/escapes.hpp"
#include "grader/report/layout.hpp"
#include "grader/report/number_text.hpp"
#include "grader/sandbox/level.hpp"

namespace grader::cli {
namespace {

using Lines = std::vector<std::string>;

std::string mark(MachineFact::State state, const Paint& paint) {
  switch (state) {
    case MachineFact::State::present: return paint.good("✓");
    case MachineFact::State::missing_helpful: return paint.faint("–");
    case MachineFact::State::missing_needed: break;
  }
  return paint.bad("✗");
}

Lines fact_lines(const std::vector<MachineFact>& facts, const Paint& paint) {
  std::size_t width = 0;
  for (const MachineFact& fact : facts) width = std::max(width, display_width(fact.name));
  Lines lines;
  for (const MachineFact& fact : facts) {
    lines.push_back(mark(fact.state, paint) + " " + padded(fact.name, width + 2) + fact.detail);
    if (fact.state != MachineFact::State::present) append(lines, wrapped(fact.remedy, width + 4));
  }
  return lines;
}

Lines isolation_lines(const Isolation& isolation) {
  const Level limit = isolation_limit();
  Lines lines{"", "isolation " + isolation.level +
                      (limit == Level::l4 ? "" : ", no more than " + name_of(limit) + " as asked")};
  for (const std::string& layer : isolation.missing) append(lines, wrapped("without " + layer, 2));
  return lines;
}

template <class Attempt>
Lines escape_lines(const std::string& what, const std::vector<Attempt>& attempts,
                   const Paint& paint) {
  std::size_t succeeded = 0;
  Lines escaped;
  for (const Attempt& attempt : attempts) {
    if (!attempt.succeeded) continue;
    ++succeeded;
    escaped.push_back("  " + paint.bad("✗") + " " + attempt.name);
  }
  Lines lines{what + " probe: " + counted(attempts.size(), "escape") + " tried, " +
              std::to_string(succeeded) + " succeeded"};
  append(lines, escaped);
  return lines;
}

/// False when something gets out.
bool try_to_escape(const Paint& paint, Console& console) {
  console.progress("trying to escape from the sandbox");
  const std::vector<EscapeAttempt> attempts = try_escapes();
  console.result(joined(escape_lines("sandbox", attempts, paint)));
  console.progress("looking out of the compiler's box");
  const std::vector<FileEscape> looks = try_file_escapes();
  console.result(joined(escape_lines("compiler", looks, paint)));
  return std::ranges::none_of(attempts, &EscapeAttempt::succeeded) &&
         std::ranges::none_of(looks, &FileEscape::succeeded);
}

}  // namespace

int run(const DoctorCommand& command, Console& console) {
  apply(command.isolation);
  const Paint paint(console.result_is_colored());
  console.progress("examining this machine");
  const MachineReport report = examine_machine();
  console.result(joined(fact_lines(report.facts, paint)) +
                 joined(isolation_lines(report.isolation)));
  bool is_tight = true;
  if (layers().level() == Level::none) {
    console.result("sandbox probe: none tried, for nothing isolates a submission here\n");
  } else {
    is_tight = try_to_escape(paint, console);
  }
  if (!is_tight) {
    throw EnvironmentFault("The sandbox of this machine can be escaped from.",
                           "Do not grade here; please report it with the lines above.");
  }
  if (!report.can_grade()) {
    throw EnvironmentFault("This machine cannot grade submissions yet.",
                           "Do what is said beside each ✗ above.");
  }
  return kDone;
}

}  // namespace grader::cli
