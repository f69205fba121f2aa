#include "grader/host/host.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>

#include "grader/base/fault.hpp"
#include "grader/host/filters.hpp"
#include "grader/sandbox/level.hpp"

namespace grader::host {
namespace {

constexpr std::chrono::seconds kPatience{10};  // for what the submission cannot delay
constexpr std::size_t kPage = 4096;
// What a child maps besides the submission's own memory: libraries and the shared blocks.
constexpr std::int64_t kOwnAddressSpace = std::int64_t{128} << 20;
// What the box may take besides: that, the zygote, the two programs' bytes, the kernel's own
// tables.
constexpr std::int64_t kOwnMemory = kOwnAddressSpace + (std::int64_t{256} << 20);
constexpr std::uint64_t kStack = std::uint64_t{8} << 20;
constexpr std::uint64_t kOwnProcesses = 3;

std::size_t pages(std::int64_t size) {
  return (static_cast<std::size_t>(size) + kPage - 1) / kPage * kPage;
}

Descriptor open_program(const std::filesystem::path& file, const std::string& what) {
  Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct stat status {};
  if (!descriptor || ::fstat(descriptor.get(), &status) != 0) {
    throw_system_error("open the " + what + " " + file.string());
  }
  if (!S_ISREG(status.st_mode)) {
    throw EnvironmentFault("the " + what + " " + file.string() + " is not a regular file",
                           "Install the grader again.");
  }
  return descriptor;
}

Descriptor write_filters(bool with_threads) {
  const Filters programs = layers().filter ? filters(with_threads) : Filters{};
  if (programs.loading.size() > kMostFilterInstructions ||
      programs.serving.size() > kMostFilterInstructions) {
    throw InternalFault("a filter of system calls is too long");
  }
  for (const std::vector<sock_filter>* program : {&programs.loading, &programs.serving}) {
    const auto compares = [](const sock_filter& instruction) {
      return instruction.code == (BPF_JMP | BPF_JEQ | BPF_K) && instruction.k == kOwnProcessId;
    };
    if (!program->empty() && std::none_of(program->begin(), program->end(), compares)) {
      throw InternalFault("a filter of system calls has no place for the process's own id");
    }
  }
  Descriptor file(::memfd_create("filters", MFD_CLOEXEC));
  const FilterHead head{static_cast<std::uint32_t>(programs.loading.size()),
                        static_cast<std::uint32_t>(programs.serving.size())};
  const auto write_all = [&](const void* source, std::size_t size) {
    if (::write(file.get(), source, size) != static_cast<ssize_t>(size)) {
      throw_system_error("pass on the filters of system calls");
    }
  };
  write_all(&head, sizeof head);
  write_all(programs.loading.data(), programs.loading.size() * sizeof(sock_filter));
  write_all(programs.serving.data(), programs.serving.size() * sizeof(sock_filter));
  return file;
}

void wait_on(std::atomic<std::uint32_t>& word, std::uint32_t value, Clock::duration limit) {
  const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(limit).count();
  timespec time{};
  time.tv_sec = nanoseconds / 1'000'000'000;
  time.tv_nsec = nanoseconds % 1'000'000'000;
  ::syscall(SYS_futex, &word, FUTEX_WAIT, value, &time, nullptr, 0);
}

}  // namespace

Host::Host(const std::filesystem::path& host_program, const std::filesystem::path& submission,
           const Limits& limits)
    : control_memory_("control", kControlSize, SharedMemory::Sharing::both_write),
      input_("input", pages(limits.answer), SharedMemory::Sharing::only_here_write),
      output_("output", pages(limits.answer), SharedMemory::Sharing::both_write) {
  new (control_memory_.data()) Control{};
#ifndef __SANITIZE_ADDRESS__  // whose leak check reads its own process from outside
  // Nobody may read the grader's memory, whatever else goes wrong with the box.
  ::prctl(PR_SET_DUMPABLE, 0);
#endif
  launch(host_program, submission, limits);
  wait_until_ready(limits);
}

void Host::launch(const std::filesystem::path& host_program,
                  const std::filesystem::path& submission, const Limits& limits) {
  const Descriptor host_file = open_program(host_program, "host program");
  const Descriptor submission_file = open_program(submission, "built submission");
  const Descriptor filter_file = write_filters(limits.threads > 0);
  const Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  int sockets[2] = {-1, -1};
  if (!nothing || ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
    throw_system_error("make a channel to the sandbox");
  }
  socket_.reset(sockets[0]);
  const Descriptor their_socket(sockets[1]);
  auto [printed_read, printed_write] = make_pipe();
  printed_ = std::move(printed_read);
  // Neither side ever waits on this pipe: a submission that floods it loses what does not fit.
  ::fcntl(printed_.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(printed_write.get(), F_SETFL, O_NONBLOCK);
  HostCommand command;
  if (layers().cgroup) {
    // Above what the limit on a child's address space allows, so that it stays a backstop: the
    // kernel would not choose whom of the box it ends.
    cgroup_ = Cgroup::create(limits.run_memory + kOwnMemory + 2 * limits.answer,
                             limits.threads + static_cast<std::int64_t>(kOwnProcesses) + 2);
    if (cgroup_) {
      command.cgroups = cgroup_->directories();
    }
  }
  command.program = host_file.get();
  command.submission = submission_file.get();
  command.program_path = kHostPath;
  command.submission_path = kSubmissionPath;
  // Fresh memory is filled with a pattern, so that a read of it shows instead of being zero by
  // luck. The cache of each thread stays, though it hands out small blocks as they were given back:
  // without it, submissions with many small vectors need a quarter more instructions. All threads
  // share one heap: a heap for each reserves 64 MB of address space, so that whether eight threads
  // fit into the limit would depend on how many of them meet.
  command.environment = {"GLIBC_TUNABLES=glibc.malloc.perturb=128:glibc.malloc.arena_max=1"};
  command.descriptors = {{nothing.get(), 0},
                         {printed_write.get(), 1},
                         {printed_write.get(), 2},
                         {control_memory_.descriptor(), kControlDescriptor},
                         {input_.descriptor(), kInputDescriptor},
                         {output_.descriptor(), kOutputDescriptor},
                         {their_socket.get(), kSocketDescriptor},
                         {filter_file.get(), kFiltersDescriptor}};
  started_ = launcher().start_host(command);
}

void Host::wait_until_ready(const Limits& limits) {
  Setup setup{};
  setup.input_capacity = input_.size();
  setup.output_capacity = output_.size();
  setup.address_space =
      static_cast<std::uint64_t>(limits.run_memory + kOwnAddressSpace + 2 * limits.answer);
  setup.stack = kStack;
  setup.processes = started_.process_limit_counts_box
                        ? static_cast<std::uint64_t>(limits.threads) + kOwnProcesses
                        : kNoLimit;
  setup.submission_descriptor = started_.submission_descriptor;
  if (started_.submission_path.size() >= sizeof setup.submission_path) {
    throw InternalFault("the path of the submission in the sandbox is too long");
  }
  started_.submission_path.copy(setup.submission_path, sizeof setup.submission_path - 1);
  std::string reason;
  try {
    if (::send(socket_.get(), &setup, sizeof setup, MSG_NOSIGNAL) != sizeof setup) {
      throw HostGone("the sandbox ended while it started");
    }
    const auto ready = receive<Ready>(Clock::now() + kPatience, &zygote_descriptor_);
    if (ready && ready->error == 0) {
      return;
    }
    reason = ready ? "could not " +
                         std::string(ready->step, ::strnlen(ready->step, sizeof ready->step)) +
                         ": " + std::strerror(ready->error)
                   : "it did not start in time";
  } catch (const HostGone& gone) {
    reason = gone.what();
  }
  std::string printed;
  drain_output(printed, 1000);
  throw EnvironmentFault("the sandbox for the submission could not be made: " + reason +
                             (printed.empty() ? "" : " (" + printed + ")"),
                         "Run `attention-grader doctor` to see what this machine lacks.");
}

Host::~Host() {
  if (started_.process.running() && zygote_descriptor_) {
    // With the first process of its namespace all others die; bwrap outside sees it and ends.
    ::syscall(SYS_pidfd_send_signal, zygote_descriptor_.get(), SIGKILL, nullptr, 0U);
    started_.process.await_end(kPatience);
  }
  // ~Process ends the launcher itself if that was not enough.
}

template <class Message>
std::optional<Message> Host::receive(Clock::time_point deadline, Descriptor* attached) {
  pollfd watched{socket_.get(), POLLIN, 0};
  while (::poll(&watched, 1, milliseconds_until(deadline)) <= 0) {
    if (milliseconds_until(deadline) == 0) {
      return std::nullopt;
    }
  }
  Message message{};
  iovec part{&message, sizeof message};
  msghdr head{};
  head.msg_iov = &part;
  head.msg_iovlen = 1;
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
  head.msg_control = space;
  head.msg_controllen = sizeof space;
  const ssize_t size = ::recvmsg(socket_.get(), &head, MSG_CMSG_CLOEXEC);
  if (size <= 0) {
    throw HostGone("the sandbox ended unexpectedly");
  }
  if (const cmsghdr* attachment = CMSG_FIRSTHDR(&head);
      attachment != nullptr && attachment->cmsg_type == SCM_RIGHTS) {
    int descriptor = -1;
    std::memcpy(&descriptor, CMSG_DATA(attachment), sizeof descriptor);
    Descriptor owned(descriptor);
    if (attached != nullptr) {
      *attached = std::move(owned);
    }
  }
  if (size != static_cast<ssize_t>(sizeof message)) {
    throw InternalFault("the sandbox sent a message of another kind");
  }
  return message;
}

void Host::start_child(std::uint32_t cpu_seconds) {
  ++child_;
  // What the child before has left here must not speak for this one.
  control().answer.store(request_);
  control().ended.store(0);
  const Start start{child_, cpu_seconds, request_};
  if (::send(socket_.get(), &start, sizeof start, MSG_NOSIGNAL) != sizeof start) {
    throw HostGone("the sandbox ended unexpectedly");
  }
  const auto started = receive<Started>(Clock::now() + kPatience, &child_descriptor_);
  if (!started) {
    throw HostGone("the sandbox does not respond");
  }
  if (started->child != child_) {
    throw InternalFault("the sandbox started another process than asked");
  }
  if (started->error != 0) {
    errno = started->error;
    throw_system_error("start a process for the submission");
  }
}

void Host::kill_child() {
  if (child_descriptor_) {
    ::syscall(SYS_pidfd_send_signal, child_descriptor_.get(), SIGKILL, nullptr, 0U);
  }
}

std::uint64_t Host::child_peak_memory() const {
  const auto number_after = [](const std::string& file, const std::string& name) {
    std::ifstream lines(file);
    std::uint64_t number = 0;
    for (std::string word; lines >> word;) {
      if (word == name && lines >> number) return number;
    }
    return std::uint64_t{0};
  };
  const std::uint64_t process =
      number_after("/proc/self/fdinfo/" + std::to_string(child_descriptor_.get()), "Pid:");
  return number_after("/proc/" + std::to_string(process) + "/status", "VmHWM:") * 1024;
}

std::optional<Ended> Host::wait_for_end(Clock::time_point deadline) {
  auto ended = receive<Ended>(deadline, nullptr);
  if (ended) {
    if (ended->child != child_) {
      throw InternalFault("the sandbox reported the end of another process");
    }
    child_descriptor_.reset();
  }
  return ended;
}

void Host::send_request(std::uint32_t function, std::size_t request_size) {
  request_ = request_ % (kDeath - 1) + 1;
  Control& page = control();
  page.function = function;
  page.request_size = request_size;
  page.response_size = 0;
  page.request.store(request_, std::memory_order_release);
  ::syscall(SYS_futex, &page.request, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

Host::Reply Host::wait_for_reply(Clock::time_point deadline) {
  Control& page = control();
  const auto is_answered = [&] {
    return (page.answer.load(std::memory_order_acquire) & ~kDeath) == request_;
  };
  if (eager_wait_.for_some_time(is_answered)) return Reply::answered;
  for (;;) {
    const std::uint32_t seen = page.answer.load(std::memory_order_acquire);
    if ((seen & ~kDeath) == request_) {
      return Reply::answered;
    }
    if (page.ended.load() == child_) {
      return Reply::ended;
    }
    const Clock::duration left = deadline - Clock::now();
    if (left <= Clock::duration::zero()) {
      return Reply::late;
    }
    wait_on(page.answer, seen, left);
  }
}

std::span<const unsigned char> Host::answer_in_shared_memory() const {
  // Read once: the submission may change it at any time.
  const std::uint64_t claimed =
      *static_cast<const volatile std::uint64_t*>(&control().response_size);
  return {output_.data(), claimed <= output_.size() ? static_cast<std::size_t>(claimed) : 0};
}

bool Host::submission_was_loaded() const { return control().loaded.load() != 0; }

std::string Host::forbidden_call() const {
  const std::uint32_t noted = control().forbidden_call.load();
  return noted == 0 ? std::string() : system_call_name(noted - 1);
}

void Host::drain_output(std::string& kept, std::size_t limit) {
  char buffer[16384];
  // A bounded number of rounds: the submission may write faster than we read.
  for (int round = 0; round < 64; ++round) {
    const ssize_t count = ::read(printed_.get(), buffer, sizeof buffer);
    if (count <= 0) {
      return;
    }
    const std::size_t room = limit > kept.size() ? limit - kept.size() : 0;
    kept.append(buffer, std::min(static_cast<std::size_t>(count), room));
  }
}

}  // namespace grader::host
