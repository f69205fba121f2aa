#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <system_error>

#include "grader/base/cache.hpp"
#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/base/suggestion.hpp"
#include "grader/batch/batch_folder.hpp"
#include "grader/batch/check_plan.hpp"
#include "grader/batch/class_text.hpp"
#include "grader/batch/collect.hpp"
#include "grader/batch/coordinator.hpp"
#include "grader/batch/handed_in.hpp"
#include "grader/batch/local_executor.hpp"
#include "grader/batch/plan.hpp"
#include "grader/batch/progress_text.hpp"
#include "grader/batch/reconcile.hpp"
#include "grader/batch/roster.hpp"
#include "grader/batch/slurm_executor.hpp"
#include "grader/build/toolchain.hpp"
#include "grader/cli/class_report.hpp"
#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/cli/interruption.hpp"
#include "grader/gradebook/gradebook.hpp"
#include "grader/pipeline/configuration.hpp"
#include "grader/report/number_text.hpp"

namespace grader::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kRosterLimit = std::size_t{64} << 20;

// The policy, when it knows the check that is asked for.
const Policy& known_check(const BatchCommand& command, const Policy& policy) {
  std::vector<std::string> ids;
  for (const CheckPolicy& check : policy.checks) ids.push_back(check.id);
  if (command.check.empty() || std::ranges::find(ids, command.check) != ids.end()) return policy;
  throw UsageFault("There is no check " + command.check + ".",
                   suggestion(command.check, ids) + "`attention-grader list checks` shows all.");
}

// One batch from its sources to the summary.
class Batch {
 public:
  Batch(const BatchCommand& command, Console& console)
      : command_(command),
        console_(console),
        assignment_(assignment_in(command.assignment)),
        folder_(command.out, known_check(command, assignment_.policy).id) {}

  /// False when it was interrupted.
  bool run(int interruption) {
    const std::vector<Attempt> attempts = take_stock();
    Gradebook gradebook(folder_.layout().gradebook(), Gradebook::Access::write);
    const Reconciled reconciled = reconcile(folder_.layout(), gradebook);
    for (const std::string& sentence : reconciled.damaged) console_.note(sentence);
    enter_students(gradebook, attempts);
    const Plan plan = plan_of(chosen(attempts), gradebook);
    announce(plan);
    const BatchOutcome outcome = grade(plan, gradebook, interruption);
    if (outcome.is_interrupted) {
      console_.note("Stopped with " + std::to_string(outcome.progress.done) + " of " +
                    counted(plan.pending, "submission") +
                    " graded. The same command goes on from here.");
      return false;
    }
    const ClassResults results = results_of(folder_.layout(), gradebook, command_.assignment);
    write_class_files(folder_.layout(), results, command_.assignment);
    console_.result(class_text(results));
    console_.note("Results: " + folder_.layout().page().string() + ", " +
                  folder_.layout().table().string() + " and " +
                  folder_.layout().gradebook().string());
    return true;
  }

 private:
  // What there is to grade; batch.json and the roster say the same afterwards.
  std::vector<Attempt> take_stock() {
    const std::optional<Roster> roster = take_roster();
    CollectOptions options;
    options.main_file = assignment_.policy.main_file;
    if (assignment_.policy.deadline) options.utc_offset = assignment_.policy.deadline->utc_offset;
    Collection collection = collect(command_.sources, folder_.workplace("sources"), options);
    BatchFile batch;
    batch.assignment_id = assignment_.policy.id;
    if (!command_.assignment.empty()) batch.assignment = fs::absolute(command_.assignment);
    batch.which = command_.which;
    for (const fs::path& source : command_.sources) batch.sources.push_back(source.string());
    batch.left_out = collection.left_out;
    batch.notices = collection.notices;
    std::vector<Attempt> attempts = std::move(collection.attempts);
    if (roster) {
      Roll roll = call_roll(std::move(attempts), *roster);
      attempts = std::move(roll.attempts);
      batch.notices.insert(batch.notices.end(), roster->problems.begin(), roster->problems.end());
      batch.notices.insert(batch.notices.end(), roll.notices.begin(), roll.notices.end());
      for (const std::string& student : roll.unmatched) {
        batch.notices.push_back(student + " is not on the roster.");
      }
    }
    for (const Attempt& attempt : attempts) {
      for (const std::string& note : attempt.notes) {
        batch.notices.push_back(attempt.student + ": " + note);
      }
    }
    batch.handed_in = several_attempts_in(attempts);
    for (const std::string& format : collection.formats) console_.note(format);
    // First of all files: a folder without batch.json that holds something is not ours.
    folder_.describe(batch);
    if (!command_.roster.empty()) {
      write_atomically(folder_.layout().roster(), read_file(command_.roster, kRosterLimit));
    }
    return attempts;
  }

  // The roster that is given, or the one that was given last.
  [[nodiscard]] std::optional<Roster> take_roster() const {
    if (!command_.roster.empty()) return read_roster(command_.roster);
    const fs::path kept = folder_.layout().roster();
    std::error_code error;
    if (!fs::exists(kept, error)) return std::nullopt;
    return read_roster(kept);
  }

  static void enter_students(Gradebook& gradebook, const std::vector<Attempt>& attempts) {
    const auto bundle = gradebook.bundle();
    for (const Attempt& attempt : attempts) gradebook.put_student({attempt.student, attempt.name});
    bundle->commit();
  }

  // The attempts that may count, or those of the one student that was asked for.
  [[nodiscard]] std::vector<Attempt> chosen(const std::vector<Attempt>& attempts) const {
    std::optional<std::int64_t> limit;
    if (assignment_.policy.deadline) limit = assignment_.policy.deadline->attempts;
    std::vector<Attempt> chosen;
    for (const std::size_t place : attempts_to_grade(attempts, command_.which, limit)) {
      const Attempt& attempt = attempts[place];
      if (command_.only.empty() || attempt.student == command_.only) chosen.push_back(attempt);
    }
    if (!command_.only.empty() && chosen.empty()) {
      std::set<std::string> students;
      for (const Attempt& attempt : attempts) students.insert(attempt.student);
      throw UsageFault("There is no submission of " + command_.only + " in the sources.",
                       suggestion(command_.only, {students.begin(), students.end()}) +
                           "Name a student as the results do.");
    }
    return chosen;
  }

  Plan plan_of(const std::vector<Attempt>& attempts, const Gradebook& gradebook) {
    const bool grades_again = command_.grades_again || !command_.only.empty();
    const auto content_of = [&](const Attempt& attempt) {
      return content_digest(attempt.path, assignment_.policy);
    };
    if (command_.check.empty()) {
      return make_plan(attempts, gradebook,
                       {configuration_here(assignment_, command_.options), grades_again},
                       content_of);
    }
    const Regrading now{assignment_, command_.options,
                        describe_toolchain(find_toolchain(assignment_), assignment_)};
    CheckPlan checks = plan_check(command_.check, attempts, gradebook, folder_.layout(), now,
                                  grades_again, content_of);
    if (checks.plan.pending + checks.plan.finished == 0) {
      throw UsageFault("In no result of " + command_.out.string() + " can " + command_.check +
                           " be graded again alone. " + checks.left_alone.front(),
                       "Leave --check out: what changed is graded whole, with --force everything.");
    }
    for (const std::string& sentence : checks.left_alone) console_.note(sentence);
    return std::move(checks.plan);
  }

  void announce(const Plan& plan) const {
    const auto graded_once = static_cast<std::size_t>(std::ranges::count_if(
        plan.groups, [](const PlannedGroup& group) { return !group.graded; }));
    std::string line = counted(plan.pending, "submission") + " to grade";
    if (graded_once < plan.pending) {
      line += ", " + std::to_string(plan.pending - graded_once) + " like another one";
    }
    if (plan.finished > 0) line += "; " + std::to_string(plan.finished) + " finished before";
    console_.note(line + ".");
  }

  BatchOutcome grade(const Plan& plan, Gradebook& gradebook, int interruption) {
    const std::unique_ptr<Executor> executor = make_executor();
    Coordinator::Options options;
    options.interruption = interruption;
    // A task may be lost with its node, and the next one with the next node.
    if (command_.executor.is_slurm) options.retries = 3;
    options.request.assignment = fs::absolute(assignment_.directory);
    options.request.shown_assignment = command_.assignment.string();
    options.request.options = command_.options;
    options.request.check = command_.check;
    if (command_.isolation.highest)
      options.request.isolation = name_of(*command_.isolation.highest);
    options.request.accepts_none = command_.isolation.accepts_none;
    const bool has_terminal = isatty(STDERR_FILENO) == 1;
    const Clock::time_point begin = Clock::now();
    const auto report = [&](const Attempt* attempt, const RunRecord* run,
                            const BatchProgress& progress) {
      // A terminal shows one line that changes; a log gets a line a submission.
      if (attempt != nullptr && (!has_terminal || !run->grade)) {
        console_.note(result_line(*attempt, *run));
      }
      console_.progress(progress_line(progress, Clock::now() - begin));
    };
    return Coordinator(folder_, gradebook, *executor, options, report).run(plan);
  }

  [[nodiscard]] std::unique_ptr<Executor> make_executor() const {
    const std::string program = fs::read_symlink("/proc/self/exe");
    if (command_.executor.is_slurm) {
      SlurmExecutor::Options options;
      options.program = program;
      options.folder = fs::absolute(folder_.workplace("slurm"));
      options.jobs = command_.jobs;
      options.partition = command_.executor.partition;
      options.account = command_.executor.account;
      options.time = command_.executor.time;
      options.environment = environment_of_tasks();
      return std::make_unique<SlurmExecutor>(options);
    }
    LocalExecutor::Options options;
    options.program = program;
    options.jobs = command_.jobs ? static_cast<std::size_t>(*command_.jobs)
                                 : std::max<std::size_t>(usable_cores().size(), 1);
    options.environment = environment_of_tasks();
    return std::make_unique<LocalExecutor>(options);
  }

  [[nodiscard]] std::vector<std::string> environment_of_tasks() const {
    std::vector<std::string> variables;
    for (char** variable = environ; *variable != nullptr; ++variable) {
      variables.emplace_back(*variable);
    }
    // What is compiled once for all submissions has to be kept somewhere.
    if (cache_directory().empty()) {
      std::erase_if(variables,
                    [](const std::string& one) { return one.starts_with("XDG_CACHE_HOME="); });
      variables.push_back("XDG_CACHE_HOME=" + fs::absolute(folder_.workplace("cache")).string());
    }
    return variables;
  }

  const BatchCommand& command_;
  Console& console_;
  LoadedAssignment assignment_;
  BatchFolder folder_;
};

}  // namespace

int run(const BatchCommand& command, Console& console) {
  apply(command.isolation);
  const NotedInterruption interruption;
  bool is_finished = false;
  {
    Batch batch(command, console);
    is_finished = batch.run(interruption.descriptor());
  }
  if (!is_finished) NotedInterruption::end_program();
  return kDone;
}

}  // namespace grader::cli
