// A class to grade without a compiler: an executor that hands out what the test wants.
#pragma once

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <deque>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/base/files.hpp"
#include "grader/batch/coordinator.hpp"
#include "grader/batch/reconcile.hpp"
#include "grader/batch/result_files.hpp"
#include "grader/batch/run_files.hpp"
#include "grader/scorecard/example_scorecards.hpp"
#include "grader/scorecard/json.hpp"

namespace grader {

/// "Grades" a submission by its text: "right", "wrong", "refused"; "environment", "internal" and
/// "lost" end the process so; "recovers" fails once.
class ScriptedExecutor : public Executor {
 public:
  [[nodiscard]] std::size_t vacancies() const override { return 2 - running_.size(); }
  void start(const std::vector<ExecutorTask>& tasks) override {
    for (const ExecutorTask& task : tasks) running_.push_back(task);
    started += tasks.size();
  }
  std::vector<TaskEnd> wait(int /*descriptor*/, std::chrono::milliseconds /*patience*/) override {
    if (running_.empty()) return {};
    const ExecutorTask task = running_.front();
    running_.pop_front();
    return {end_of(task)};
  }
  void stop() override {
    running_.clear();
    is_stopped = true;
  }

  std::size_t started = 0;
  bool is_stopped = false;

 private:
  TaskEnd end_of(const ExecutorTask& task) {
    constexpr std::size_t kLimit = 1 << 20;
    const TaskRequest request = request_from_json(read_file(task.request, kLimit), "request");
    const std::string text = read_file(request.submission, kLimit);
    std::ofstream(task.log) << "attention-grader: The disk is full.\n  Free some space.\n";
    if (text == "environment") return {task.id, TaskEnd::How::environment, ""};
    if (text == "internal") return {task.id, TaskEnd::How::internal, ""};
    if (text == "lost") return {task.id, TaskEnd::How::lost, "It crashed."};
    if (text == "recovers" && !std::exchange(has_failed_, true)) {
      return {task.id, TaskEnd::How::environment, ""};
    }
    if (text == "damaged") {
      std::filesystem::create_directories(request.out);
      std::ofstream(request.out / kScorecardName) << "{";
      return {task.id, TaskEnd::How::finished, ""};
    }
    Scorecard scorecard = text == "wrong"     ? examples::masked_too_late()
                          : text == "refused" ? examples::refused()
                                              : examples::all_right();
    scorecard.submission_id = request.id;
    scorecard.configuration = text == "changed" ? "another" : "configuration";
    scorecard.timing["total"] = ++seconds_;
    const TemporaryDirectory tree;
    std::ofstream(tree.path() / "attention.cpp") << text;
    write_result_files(request.out, tree.path(), scorecard, "");
    return {task.id, TaskEnd::How::finished, ""};
  }

  std::deque<ExecutorTask> running_;
  bool has_failed_ = false;
  double seconds_ = 0;
};

class BatchTest : public testing::Test {
 protected:
  /// An attempt at handing in `text`.
  Attempt attempt(const std::string& student, const std::string& text, std::int64_t number = 1) {
    Attempt one;
    one.student = student;
    one.name = "The name of " + student;
    one.number = number;
    one.path = place_.path() / (student + std::to_string(number) + ".cpp");
    std::ofstream(one.path) << text;
    return one;
  }

  static std::string content_of(const Attempt& attempt) {
    constexpr std::size_t kLimit = 1 << 20;
    return read_file(attempt.path, kLimit);
  }

  /// What one start of the program does with `attempts`.
  BatchOutcome grade(const std::vector<Attempt>& attempts, bool grades_again = false) {
    BatchFolder folder(results_, "causal-attention");
    folder.describe({"causal-attention", "", WhichAttempts::last, {}, {}, {}});
    Gradebook gradebook(folder.layout().gradebook(), Gradebook::Access::write);
    reconcile(folder.layout(), gradebook);
    const Plan plan =
        make_plan(attempts, gradebook, {"configuration", grades_again}, &BatchTest::content_of);
    executor_ = ScriptedExecutor();
    Coordinator::Options options;
    options.interruption = interruption_;
    return Coordinator(folder, gradebook, executor_, options,
                       [&](const Attempt* done, const RunRecord* run, const BatchProgress& now) {
                         if (report_) report_(done, run, now);
                       })
        .run(plan);
  }

  [[nodiscard]] std::vector<Standing> standings() const {
    return Gradebook(BatchLayout(results_).gradebook(), Gradebook::Access::read).standings();
  }
  [[nodiscard]] Standing standing(const std::string& student) const {
    for (Standing& one : standings()) {
      if (one.submission.student == student) return one;
    }
    ADD_FAILURE() << student;
    return {};
  }
  [[nodiscard]] Scorecard scorecard(const std::string& folder) const {
    return read_scorecard(results_ / folder / kScorecardName);
  }

  /// Every file of the results but the gradebook, without what may differ: the timing.
  [[nodiscard]] std::map<std::string, std::string> everything() const {
    constexpr std::size_t kLimit = 1 << 24;
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(results_)) {
      const std::string name = std::filesystem::relative(entry.path(), results_).string();
      if (!entry.is_regular_file() || name.starts_with("gradebook")) continue;
      if (entry.path().filename() == kScorecardName) {
        Scorecard scorecard = read_scorecard(entry.path());
        scorecard.timing.clear();
        files[name] = scorecard_to_json(scorecard);
      } else if (entry.path().filename() != "report.html") {
        files[name] = read_file(entry.path(), kLimit);
      } else {
        files[name] = "a page";
      }
    }
    return files;
  }

  const TemporaryDirectory place_;
  std::filesystem::path results_ = place_.path() / "results";
  ScriptedExecutor executor_;
  BatchReport report_;
  int interruption_ = -1;
};

}  // namespace grader
