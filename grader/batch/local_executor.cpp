#include "grader/batch/local_executor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/batch/task_exit.hpp"

namespace grader {
namespace {

// How a process that was not ended by us ended, by what wait() says.
TaskEnd ended(std::size_t task, int status) {
  if (WIFEXITED(status)) return end_of_exit(task, WEXITSTATUS(status));
  const int number = WTERMSIG(status);
  const char* name = sigabbrev_np(number);
  return {task, TaskEnd::How::lost,
          "The grader's process was ended by the signal " +
              (name != nullptr ? "SIG" + std::string(name) : std::to_string(number)) +
              (number == SIGKILL ? ", by somebody or for want of memory." : ".")};
}

}  // namespace

std::vector<int> usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cores;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
      if (CPU_ISSET(core, &set)) cores.push_back(static_cast<int>(core));
    }
  }
  return cores;  // empty on machines with more than CPU_SETSIZE: there nothing is pinned
}

LocalExecutor::LocalExecutor(Options options) : options_(std::move(options)) {
  const std::vector<int> cores = usable_cores();
  workers_.resize(std::max<std::size_t>(options_.jobs, 1));
  for (std::size_t index = 0; index < workers_.size(); ++index) {
    if (!cores.empty()) workers_[index].core = cores[index % cores.size()];
  }
}

std::size_t LocalExecutor::vacancies() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      workers_, [](const Worker& worker) { return !worker.process.running(); }));
}

void LocalExecutor::start(const std::vector<ExecutorTask>& tasks) {
  auto worker = workers_.begin();
  for (const ExecutorTask& task : tasks) {
    worker = std::find_if(worker, workers_.end(),
                          [](const Worker& one) { return !one.process.running(); });
    if (worker == workers_.end()) throw InternalFault("more tasks than vacancies");
    constexpr mode_t kMode = 0644;
    const Descriptor log(open(task.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode));
    if (!log) throw_system_error("write " + task.log.string());
    SpawnOptions spawn;
    spawn.arguments = {options_.program, "grade-task", task.request.string()};
    if (worker->core >= 0) {
      spawn.arguments.insert(spawn.arguments.end(), {"--core", std::to_string(worker->core)});
    }
    spawn.environment = options_.environment;
    spawn.descriptors = {{log.get(), STDERR_FILENO}};
    // Ctrl-C is for us to hear, and to end them by.
    spawn.own_session = true;
    worker->process = Process::spawn(spawn);
    worker->task = task.id;
    worker->deadline = Clock::now() + options_.limit;
  }
}

std::vector<TaskEnd> LocalExecutor::wait(int descriptor, std::chrono::milliseconds patience) {
  std::vector<pollfd> watched;
  if (descriptor >= 0) watched.push_back({descriptor, POLLIN, 0});
  Clock::time_point until = Clock::now() + patience;
  for (const Worker& worker : workers_) {
    if (!worker.process.running()) continue;
    watched.push_back({worker.process.descriptor(), POLLIN, 0});
    until = std::min(until, worker.deadline);
  }
  poll(watched.data(), watched.size(), milliseconds_until(until));
  std::vector<TaskEnd> ends;
  for (Worker& worker : workers_) {
    if (!worker.process.running()) continue;
    if (const auto end = worker.process.wait_until(Clock::now())) {
      ends.push_back(ended(worker.task, end->status));
    } else if (Clock::now() >= worker.deadline) {
      worker.process = Process();  // ends it
      ends.push_back(
          {worker.task, TaskEnd::How::lost,
           "Grading took longer than " +
               std::to_string(std::chrono::ceil<std::chrono::minutes>(options_.limit).count()) +
               " minutes and was stopped."});
    }
  }
  return ends;
}

void LocalExecutor::stop() {
  for (const Worker& worker : workers_) {
    if (worker.process.running()) kill(worker.process.pid(), SIGTERM);
  }
  // They remove what they have in the system's temporary directory.
  const Clock::time_point deadline = Clock::now() + std::chrono::seconds(10);
  for (Worker& worker : workers_) {
    if (worker.process.running()) worker.process.wait_until(deadline);
    worker.process = Process();
  }
}

}  // namespace grader
