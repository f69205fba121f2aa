// Has the attempts of a plan graded and puts the results in place, whatever happens meanwhile.
//
// Theory of operation. Each group of identical attempts is graded once, by a process of the
// executor, into a folder of its own in the folder for work. When that process has ended well, the
// folder gets its attempt.json, is renamed to its place among the students, and is entered into the
// gradebook; the other attempts of the group get a copy under their own student's name. So at every
// moment a run is on the disk whole or not at all, and whatever this process had not finished is
// simply planned again. A process that ended otherwise is started once more where another try may
// help; then the attempt is entered as one that needs attention, with the reason and without a
// score.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "grader/batch/batch_folder.hpp"
#include "grader/batch/executor.hpp"
#include "grader/batch/plan.hpp"
#include "grader/batch/task_request.hpp"
#include "grader/gradebook/gradebook.hpp"

namespace grader {

struct BatchProgress {
  std::size_t total = 0;  ///< attempts
  std::size_t done = 0;   ///< of them, those that need attention too
  std::size_t needing_attention = 0;
};

/// Called for each attempt that is done, and with null now and then in between.
using BatchReport = std::function<void(const Attempt*, const RunRecord*, const BatchProgress&)>;

struct BatchOutcome {
  BatchProgress progress;
  std::size_t graded = 0;  ///< by a process; the others got the results of an identical attempt
  bool is_interrupted = false;
};

class Coordinator {
 public:
  struct Options {
    TaskRequest request;    ///< what all requests share
    int interruption = -1;  ///< a descriptor that is readable once work has to stop; -1: none
    /// A process that failed for the machine's sake is started again so often.
    int retries = 1;
  };

  Coordinator(const BatchFolder& folder, Gradebook& gradebook, Executor& executor, Options options,
              BatchReport report);

  /// Throws EnvironmentFault when results cannot be written; what was graded before is in place.
  BatchOutcome run(const Plan& plan);

 private:
  struct Task {
    const PlannedGroup* group = nullptr;
    std::filesystem::path place;  ///< in the folder for work
    int failures = 0;
  };

  bool share_stored(const PlannedGroup& group);
  void start_tasks();
  void settle(std::size_t id, const TaskEnd& end);
  void enter_graded(const Task& task);
  void enter_failed(const Task& task, const std::string& reason);
  void share(const Scorecard& scorecard, const std::filesystem::path& clean_tree,
             const PlannedAttempt& planned);
  void enter(const std::filesystem::path& files, const PlannedAttempt& planned, RunRecord run);
  [[nodiscard]] bool is_interrupted() const;

  const BatchFolder& folder_;
  Gradebook& gradebook_;
  Executor& executor_;
  Options options_;
  BatchReport report_;
  std::vector<Task> tasks_;
  std::vector<std::size_t> waiting_;  ///< places in tasks_, the next one last
  BatchOutcome outcome_;
};

}  // namespace grader
