#include "grader/batch/coordinator.hpp"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/batch/result_files.hpp"
#include "grader/batch/run_files.hpp"
#include "grader/scorecard/json.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kReasonLimit = 500;

SubmissionRecord submission_of(const Attempt& attempt) {
  SubmissionRecord record;
  record.student = attempt.student;
  record.number = attempt.number;
  record.submitted_at = attempt.submitted_at;
  record.marked_late = attempt.marked_late;
  record.origin = attempt.origin;
  record.lms_ids = attempt.lms_ids;
  return record;
}

// What the process said before it ended: its first line, without the program's name.
std::string said_in(const fs::path& log) {
  constexpr std::size_t kLogLimit = std::size_t{1} << 20;
  constexpr std::string_view kProgram = "attention-grader: ";
  try {
    std::string text = read_file(log, kLogLimit);
    if (text.starts_with(kProgram)) text.erase(0, kProgram.size());
    return text.substr(0, text.find('\n'));
  } catch (const UsageFault&) {
    return {};
  }
}

bool may_help_to_repeat(TaskEnd::How how) {
  return how == TaskEnd::How::environment || how == TaskEnd::How::lost;
}

std::string reason_of(const TaskEnd& end, const fs::path& place) {
  std::string reason = end.reason.empty() ? said_in(place / "log.txt") : end.reason;
  if (reason.empty()) reason = "The grader's process ended without a word.";
  return plain_line(reason, kReasonLimit);
}

}  // namespace

Coordinator::Coordinator(const BatchFolder& folder, Gradebook& gradebook, Executor& executor,
                         Options options, BatchReport report)
    : folder_(folder),
      gradebook_(gradebook),
      executor_(executor),
      options_(std::move(options)),
      report_(std::move(report)) {}

BatchOutcome Coordinator::run(const Plan& plan) {
  outcome_ = {};
  outcome_.progress.total = plan.pending;
  for (const PlannedGroup& group : plan.groups) {
    if (!group.graded || !share_stored(group)) tasks_.push_back({&group, {}, 0});
  }
  for (std::size_t id = tasks_.size(); id > 0; --id) waiting_.push_back(id - 1);
  constexpr std::chrono::seconds kPatience(1);
  try {
    while (outcome_.progress.done < plan.pending) {
      if (is_interrupted()) {
        outcome_.is_interrupted = true;
        break;
      }
      start_tasks();
      for (const TaskEnd& end : executor_.wait(options_.interruption, kPatience)) {
        // What ends now may have been interrupted with us.
        if (is_interrupted()) break;
        settle(end.id, end);
      }
      report_(nullptr, nullptr, outcome_.progress);
    }
  } catch (...) {
    executor_.stop();
    throw;
  }
  if (outcome_.is_interrupted) executor_.stop();
  return outcome_;
}

bool Coordinator::is_interrupted() const {
  if (options_.interruption < 0) return false;
  pollfd watched{options_.interruption, POLLIN, 0};
  return poll(&watched, 1, 0) > 0;
}

bool Coordinator::share_stored(const PlannedGroup& group) {
  const fs::path source = folder_.layout().root() / *group.graded;
  Scorecard scorecard;
  try {
    scorecard = read_scorecard(source / kScorecardName);
  } catch (const UsageFault&) {
    return false;  // somebody has touched it: grade again
  }
  for (const PlannedAttempt& planned : group.attempts) {
    if (!is_interrupted()) share(scorecard, source / "submission", planned);
  }
  return true;
}

void Coordinator::start_tasks() {
  std::vector<ExecutorTask> starting;
  const std::size_t count = std::min(executor_.vacancies(), waiting_.size());
  for (; starting.size() < count; waiting_.pop_back()) {
    const std::size_t id = waiting_.back();
    Task& task = tasks_[id];
    task.place =
        folder_.workplace("task-" + std::to_string(id) + "-" + std::to_string(task.failures));
    TaskRequest request = options_.request;
    const Attempt& attempt = task.group->attempts.front().attempt;
    request.submission = fs::absolute(attempt.path);
    request.out = fs::absolute(task.place / "out");
    request.id = attempt.student;
    if (!task.group->earlier.empty()) {
      request.earlier = fs::absolute(folder_.layout().root() / task.group->earlier);
    }
    write_atomically(task.place / "request.json", request_to_json(request));
    starting.push_back({id, fs::absolute(task.place / "request.json"), task.place / "log.txt"});
  }
  if (!starting.empty()) executor_.start(starting);
}

void Coordinator::settle(std::size_t id, const TaskEnd& end) {
  Task& task = tasks_[id];
  if (end.how == TaskEnd::How::finished) {
    enter_graded(task);
  } else if (may_help_to_repeat(end.how) && task.failures < options_.retries) {
    ++task.failures;
    waiting_.insert(waiting_.begin(), id);  // last, when the machine may be well again
    return;
  } else {
    enter_failed(task, reason_of(end, task.place));
  }
  std::error_code ignored;  // removed with the folder for work
  fs::remove_all(task.place, ignored);
}

void Coordinator::enter_graded(const Task& task) {
  const std::vector<PlannedAttempt>& attempts = task.group->attempts;
  const fs::path out = task.place / "out";
  Scorecard scorecard;
  try {
    scorecard = read_scorecard(out / kScorecardName);
  } catch (const UsageFault& fault) {
    return enter_failed(
        task, plain_line(std::string("The results cannot be read: ") + fault.what(), kReasonLimit));
  }
  // A refused submission never came to the compiler, so its configuration says less.
  if (!scorecard.toolchain.empty() && scorecard.configuration != attempts.front().configuration) {
    return enter_failed(task,
                        "The assignment, the grader or the compiler changed while it was graded.");
  }
  ++outcome_.graded;
  for (std::size_t index = 1; index < attempts.size(); ++index) {
    share(scorecard, out / "submission", attempts[index]);
  }
  RunRecord run;
  run.grade = grade_record(scorecard);
  enter(out, attempts.front(), std::move(run));
}

void Coordinator::share(const Scorecard& scorecard, const fs::path& clean_tree,
                        const PlannedAttempt& planned) {
  const fs::path files = folder_.workplace("shared");
  Scorecard own = scorecard;
  own.submission_id = planned.attempt.student;
  write_result_files(files, clean_tree, own, options_.request.shown_assignment);
  RunRecord run;
  run.grade = grade_record(own);
  enter(files, planned, std::move(run));
}

void Coordinator::enter_failed(const Task& task, const std::string& reason) {
  for (const PlannedAttempt& planned : task.group->attempts) {
    const fs::path files = folder_.workplace("failed");
    std::error_code ignored;  // there may be nothing to keep
    fs::copy_file(task.place / "log.txt", files / "log.txt", ignored);
    RunRecord run;
    run.needs_attention = reason;
    enter(files, planned, std::move(run));
  }
}

void Coordinator::enter(const fs::path& files, const PlannedAttempt& planned, RunRecord run) {
  const Attempt& attempt = planned.attempt;
  const SubmissionRecord submission = submission_of(attempt);
  AttemptFile file{submission,          attempt.name,    planned.content, planned.configuration,
                   run.needs_attention, planned.regraded};
  write_atomically(files / kAttemptFileName, attempt_to_json(file));
  run.number = folder_.layout().next_run(attempt.student, attempt.number);
  run.folder = BatchLayout::run_folder(attempt.student, attempt.number, run.number);
  run.content = planned.content;
  run.configuration = planned.configuration;
  run.graded_at = std::chrono::duration_cast<std::chrono::seconds>(
                      std::chrono::system_clock::now().time_since_epoch())
                      .count();
  folder_.adopt(files, run.folder);
  const auto bundle = gradebook_.bundle();
  gradebook_.put_run(submission, run);
  gradebook_.put_student({attempt.student, attempt.name});
  bundle->commit();
  ++outcome_.progress.done;
  if (!run.needs_attention.empty()) ++outcome_.progress.needing_attention;
  report_(&attempt, &run, outcome_.progress);
}

}  // namespace grader
