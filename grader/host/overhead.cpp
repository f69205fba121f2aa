// Measures what the sandbox costs a submission's own calls, in instructions:
//
//   overhead ASSIGNMENT CALLS SUBMISSION…
//
// Grades each submission with few cases, keeps CALLS of the calls that this makes, and makes them
// again, in the sandbox and in a plain process that has loaded the same shared object, while the
// process is stepped through one instruction at a time. What counts is what runs between the entry
// into the shared object and the return to whoever called it: the submission's code and the
// libraries that it calls. The figure is exact and the same on a busy machine. Filters of system
// calls run in the kernel, so the system calls are counted too.
//
// Only the thread that was called is followed. Needs the right to trace the sandbox: root.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "grader/assignment/load.hpp"
#include "grader/base/files.hpp"
#include "grader/build/build.hpp"
#include "grader/channel/dispatch.hpp"
#include "grader/channel/message.hpp"
#include "grader/engine/engine.hpp"
#include "grader/host/sandboxed.hpp"
#include "grader/intake/intake.hpp"

namespace {

namespace fs = std::filesystem;
using grader::Arguments;
using grader::FunctionId;
using grader::Outcome;

constexpr std::int64_t kCases = 10;          // random cases a check, to have calls to choose from
constexpr std::int64_t kPatience = 600'000;  // milliseconds of a call that is stepped through
constexpr double kLargestRatio = 1.05;

struct Call {
  FunctionId function = 0;
  Arguments arguments;
};

struct Cost {
  std::uint64_t instructions = 0;
  std::uint64_t system_calls = 0;
};

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

/// Notes the calls that pass through.
class Recorder : public grader::Implementation {
 public:
  explicit Recorder(grader::Implementation& implementation) : implementation_(implementation) {}
  Outcome call(FunctionId function, const Arguments& arguments) override {
    calls_.push_back({function, arguments});
    return implementation_.call(function, arguments);
  }
  void start_fresh() override { implementation_.start_fresh(); }
  [[nodiscard]] const std::vector<Call>& calls() const { return calls_; }

 private:
  grader::Implementation& implementation_;
  std::vector<Call> calls_;
};

/// Addresses of the file `name` in the memory of `process`.
class Range {
 public:
  Range(pid_t process, const std::string& name) {
    std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
    for (std::string line; std::getline(maps, line);) {
      // What a box shows under a name is gone outside of it.
      if (!line.ends_with(name) && !line.ends_with(name + " (deleted)")) continue;
      std::uintptr_t begin = 0;
      std::uintptr_t end = 0;
      if (std::sscanf(line.c_str(), "%lx-%lx", &begin, &end) != 2) continue;
      begin_ = begin_ == 0 ? begin : std::min(begin_, begin);
      end_ = std::max(end_, end);
    }
    if (end_ == 0) throw std::runtime_error("the process has not loaded " + name);
  }
  [[nodiscard]] bool holds(std::uintptr_t address) const {
    return begin_ <= address && address < end_;
  }

 private:
  std::uintptr_t begin_ = 0;
  std::uintptr_t end_ = 0;
};

/// Steps through a process that this thread traces.
class Stepper {
 public:
  Stepper(pid_t process, const std::string& caller, const std::string& submission)
      : process_(process), caller_(process, caller), submission_(process, submission) {}

  /// One instruction. False when the process has stopped for something else or has ended.
  bool step() {
    if (::ptrace(PTRACE_SINGLESTEP, process_, nullptr, signal_) != 0) fail("step");
    int status = 0;
    if (::waitpid(process_, &status, __WALL) != process_ || !WIFSTOPPED(status)) return false;
    signal_ = 0;
    if (WSTOPSIG(status) != SIGTRAP) {
      stopped_by_ = WSTOPSIG(status);
      return false;
    }
    errno = 0;
    const auto place = static_cast<std::uintptr_t>(
        ::ptrace(PTRACE_PEEKUSER, process_, offsetof(user_regs_struct, rip), nullptr));
    if (errno != 0) fail("read a register");
    if (submission_.holds(place)) is_inside_ = true;
    if (caller_.holds(place)) is_inside_ = false;
    // A repeated instruction stops after every repetition and is one all the same.
    if (is_inside_ && place != last_) {
      ++cost_.instructions;
      if (is_system_call(place)) ++cost_.system_calls;
    }
    last_ = place;
    return true;
  }

  [[nodiscard]] const Cost& cost() const { return cost_; }
  [[nodiscard]] int stopped_by() const { return stopped_by_; }

 private:
  bool is_system_call(std::uintptr_t place) {
    const auto [known, is_new] = system_calls_.try_emplace(place, false);
    if (is_new) {
      errno = 0;
      const long word = ::ptrace(PTRACE_PEEKTEXT, process_, place, nullptr);
      constexpr long kMask = 0xffff;
      constexpr long kSystemCall = 0x050f;
      known->second = errno == 0 && (word & kMask) == kSystemCall;
    }
    return known->second;
  }

  pid_t process_;
  Range caller_;
  Range submission_;
  bool is_inside_ = false;
  std::uintptr_t last_ = 0;
  int signal_ = 0;
  int stopped_by_ = 0;
  Cost cost_;
  std::unordered_map<std::uintptr_t, bool> system_calls_;
};

/// The descendant of this process that has loaded the submission in the sandbox.
pid_t sandboxed_process() {
  std::map<pid_t, pid_t> parents;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::string number;
    std::string name;
    std::string state;
    pid_t parent = 0;
    std::ifstream(entry.path() / "stat") >> number >> name >> state >> parent;
    if (name == "(host)") parents[std::stoi(number)] = parent;
  }
  pid_t found = 0;
  for (const auto& [process, parent] : parents) {
    std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
    std::ostringstream text;
    text << maps.rdbuf();
    if (text.str().find("/submission.so") == std::string::npos) continue;
    for (pid_t above = parent; above > 1;) {
      if (above == ::getpid()) found = process;
      pid_t next = 0;
      std::string word;
      std::ifstream(("/proc/" + std::to_string(above) + "/stat")) >> word >> word >> word >> next;
      above = next;
    }
  }
  if (found == 0) throw std::runtime_error("the process in the sandbox is not to be seen");
  return found;
}

/// Costs of `calls` in the sandbox.
Cost cost_in_sandbox(grader::Implementation& implementation, const std::vector<Call>& calls) {
  implementation.start_fresh();
  implementation.call(calls.front().function, calls.front().arguments);  // loads the submission
  const pid_t process = sandboxed_process();
  std::atomic<bool> is_traced{false};
  std::atomic<bool> is_done{false};
  Cost cost;
  std::string failure;
  std::thread tracer([&] {
    try {
      if (::ptrace(PTRACE_SEIZE, process, nullptr, nullptr) != 0 ||
          ::ptrace(PTRACE_INTERRUPT, process, nullptr, nullptr) != 0 ||
          ::waitpid(process, nullptr, __WALL) != process) {
        fail("trace the process in the sandbox");
      }
      Stepper stepper(process, "/host", "/submission.so");
      is_traced = true;
      while (!is_done && stepper.step()) {
      }
      cost = stepper.cost();
      ::ptrace(PTRACE_DETACH, process, nullptr, nullptr);
    } catch (const std::exception& error) {
      failure = error.what();
      is_traced = true;
    }
  });
  while (!is_traced) std::this_thread::yield();
  for (const Call& call : calls) {
    if (!failure.empty()) break;
    implementation.call(call.function, call.arguments);
  }
  is_done = true;
  implementation.call(calls.front().function, calls.front().arguments);  // wakes the last step
  tracer.join();
  if (!failure.empty()) throw std::runtime_error(failure);
  return cost;
}

/// overhead --plain OBJECT REQUESTS: makes all calls between two stops. A program of its own,
/// because a heap that was used before makes allocating dearer.
int make_calls_plainly(const char* object, const char* file) {
  std::ifstream stored(file, std::ios::binary);
  std::vector<std::pair<std::uint32_t, std::vector<unsigned char>>> requests;
  std::uint32_t function = 0;
  std::uint32_t size = 0;
  while (stored.read(reinterpret_cast<char*>(&function), sizeof function) &&
         stored.read(reinterpret_cast<char*>(&size), sizeof size)) {
    std::vector<unsigned char> bytes(size);
    stored.read(reinterpret_cast<char*>(bytes.data()), size);
    requests.emplace_back(function, std::move(bytes));
  }
  void* library = ::dlopen(object, RTLD_NOW | RTLD_LOCAL);
  auto* dispatch = library == nullptr ? nullptr
                                      : reinterpret_cast<grader::DispatchFunction>(
                                            ::dlsym(library, "attention_grader_dispatch"));
  if (dispatch == nullptr || requests.empty()) return 1;
  std::vector<unsigned char> response(std::size_t{16} << 20U);
  const auto make = [&](const auto& request) {
    dispatch(request.first, request.second.data(), request.second.size(), response.data(),
             response.size());
  };
  make(requests.front());
  ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
  ::raise(SIGSTOP);
  for (const auto& request : requests) make(request);
  ::raise(SIGSTOP);
  return 0;
}

/// Costs of `calls` in a process as it is.
Cost cost_in_plain_process(const grader::Contract& contract, const fs::path& object,
                           const std::vector<Call>& calls) {
  const fs::path file = object.parent_path() / "requests";
  std::ofstream stored(file, std::ios::binary);
  for (const Call& call : calls) {
    std::vector<unsigned char> request;
    grader::encode_request(contract[call.function], call.arguments, request);
    const auto function = static_cast<std::uint32_t>(call.function);
    const auto size = static_cast<std::uint32_t>(request.size());
    stored.write(reinterpret_cast<const char*>(&function), sizeof function);
    stored.write(reinterpret_cast<const char*>(&size), sizeof size);
    stored.write(reinterpret_cast<const char*>(request.data()), size);
  }
  stored.close();
  const std::string own = fs::read_symlink("/proc/self/exe");
  std::fflush(stdout);
  const pid_t process = ::fork();
  if (process == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    ::execl(own.c_str(), own.c_str(), "--plain", object.c_str(), file.c_str(), nullptr);
    ::_exit(1);
  }
  int status = 0;
  if (process < 0 || ::waitpid(process, &status, 0) != process || !WIFSTOPPED(status)) {
    fail("start a plain process");
  }
  Stepper stepper(process, own, object.string());
  while (stepper.step()) {
  }
  if (stepper.stopped_by() != SIGSTOP) throw std::runtime_error("a call in a plain process failed");
  ::kill(process, SIGKILL);
  ::waitpid(process, nullptr, 0);
  return stepper.cost();
}

/// `count` of `calls`, spread evenly.
std::vector<Call> some_of(const std::vector<Call>& calls, std::size_t count) {
  std::vector<Call> chosen;
  for (std::size_t index = 0; index < count && !calls.empty(); ++index) {
    chosen.push_back(calls[index * calls.size() / count]);
  }
  return chosen;
}

bool measure(const grader::LoadedAssignment& assignment, std::size_t count, const fs::path& path) {
  const grader::TemporaryDirectory folder;
  const auto intake = grader::take_in(path, assignment.policy, folder.path() / "submission",
                                      assignment.directory / "contract");
  const auto* submission = std::get_if<grader::Submission>(&intake);
  if (submission == nullptr) throw std::runtime_error(path.string() + " is refused");
  const auto built = grader::build(*submission, assignment, folder.path() / "build");
  if (built.report.status != grader::BuildStatus::built) {
    throw std::runtime_error(path.string() + " does not compile");
  }
  const grader::Contract& contract = assignment.judge->contract;
  grader::Limits limits = assignment.policy.limits;
  limits.call_wall_ms = kPatience;
  limits.run_cpu_ms = kPatience;
  grader::SandboxedImplementation sandboxed(contract, built.shared_object, limits);
  Recorder recorder(sandboxed);
  grader::EngineOptions options;
  options.seed = assignment.policy.seed;
  options.cases = kCases;
  grader::run_checks(assignment.judge->checks, contract, recorder, options);
  const std::vector<Call> calls = some_of(recorder.calls(), count);

  const Cost inside = cost_in_sandbox(sandboxed, calls);
  const Cost outside = cost_in_plain_process(contract, built.shared_object, calls);
  const double ratio =
      static_cast<double>(inside.instructions) / static_cast<double>(outside.instructions);
  const bool is_reached = ratio <= kLargestRatio;
  std::printf("%-28s %12llu %12llu   %6.4f %8llu %8llu%s\n", submission->id.c_str(),
              static_cast<unsigned long long>(outside.instructions),
              static_cast<unsigned long long>(inside.instructions), ratio,
              static_cast<unsigned long long>(outside.system_calls),
              static_cast<unsigned long long>(inside.system_calls),
              is_reached ? "" : "   NOT reached");
  std::fflush(stdout);
  return is_reached;
}

int run(int count, char** arguments) {
  if (count == 4 && std::string(arguments[1]) == "--plain") {
    return make_calls_plainly(arguments[2], arguments[3]);
  }
  if (count < 4) throw std::runtime_error("usage: overhead ASSIGNMENT CALLS SUBMISSION…");
  const auto assignment = grader::load_assignment(arguments[1]);
  const std::size_t calls = std::stoul(arguments[2]);
  std::printf("%-28s %12s %12s   %6s %8s %8s\n", "submission", "plain", "sandboxed", "ratio",
              "sys.", "sys. s.");
  bool is_reached = true;
  for (int index = 3; index < count; ++index) {
    is_reached = measure(assignment, calls, arguments[index]) && is_reached;
  }
  return is_reached ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "overhead: %s\n", error.what());
    return 2;
  }
}
