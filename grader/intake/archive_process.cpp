#include "grader/intake/archive_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <new>

#include "grader/base/fault.hpp"
#include "grader/intake/confinement.hpp"
#include "grader/sandbox/descriptor.hpp"

namespace grader {
namespace {

constexpr auto kWallTime = std::chrono::seconds(180);  // for a machine that is very busy

// How the child ends. Everything but `finished` comes without a complete answer.
enum Ending : int { finished = 0, out_of_memory = 3, other_fault = 5 };

constexpr char kMemberTag = 'M';
constexpr char kRefusalTag = 'R';

std::string_view bytes_of(const std::uint64_t& number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

// ------------------------------------------------------------------------------------- the child

void write_all(int pipe, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(pipe, content.data(), content.size());
    if (written > 0) {
      content.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      _exit(Ending::other_fault);  // nobody listens any more
    }
  }
}

void write_text(int pipe, std::string_view text) {
  write_all(pipe, bytes_of(text.size()));
  write_all(pipe, text);
}

[[noreturn]] void run_child(std::string_view bytes, const ArchiveLimits& limits,
                            const ArchiveFunction& read_members, int pipe) {
  try {
    const auto refusal = read_members(
        bytes, limits, [&] { confinement::enter(pipe); },
        [&](Member&& member) {
          const std::array<char, 3> head = {kMemberTag, static_cast<char>(member.kind),
                                            static_cast<char>(member.is_too_large)};
          write_all(pipe, {head.data(), head.size()});
          write_text(pipe, member.name);
          write_text(pipe, member.content);
          return true;
        });
    if (refusal) {
      write_all(pipe, {&kRefusalTag, 1});
      write_text(pipe, *refusal);
    }
  } catch (const std::bad_alloc&) {
    _exit(Ending::out_of_memory);
  } catch (...) {  // crosses no fork: the parent's handlers must not run twice
    _exit(Ending::other_fault);
  }
  _exit(Ending::finished);
}

// ------------------------------------------------------------------------------------ the parent

[[noreturn]] void fail(const std::string& what) {
  throw EnvironmentFault("Cannot unpack the archive in a process of its own: " + what + ".",
                         "Try again, or unpack it and hand in the folder.");
}

// The child's answer, piece by piece. The child is not trusted: an answer that is not one is
// nothing.
class Answer {
 public:
  explicit Answer(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] bool is_at_end() const { return bytes_.empty(); }
  std::optional<std::string_view> take(std::uint64_t size) {
    if (size > bytes_.size()) return std::nullopt;
    const std::string_view piece = bytes_.substr(0, static_cast<std::size_t>(size));
    bytes_.remove_prefix(piece.size());
    return piece;
  }
  std::optional<std::string_view> take_text() {
    std::uint64_t size = 0;
    const auto number = take(sizeof size);
    if (!number) return std::nullopt;
    std::memcpy(&size, number->data(), sizeof size);
    return take(size);
  }

 private:
  std::string_view bytes_;
};

std::optional<Member> take_member(Answer& answer) {
  const auto head = answer.take(2);
  const auto name = answer.take_text();
  const auto content = answer.take_text();
  if (!head || !name || !content) return std::nullopt;
  const auto kind = static_cast<unsigned char>((*head)[0]);
  if (kind > static_cast<unsigned char>(EntryKind::other)) return std::nullopt;
  return Member{static_cast<EntryKind>(kind), (*head)[1] != 0, std::string(*name),
                std::string(*content)};
}

std::optional<ArchiveContent> understand(std::string_view bytes) {
  ArchiveContent result;
  for (Answer answer(bytes); !answer.is_at_end();) {
    const char tag = answer.take(1)->front();
    if (tag == kRefusalTag) {
      const auto reason = answer.take_text();
      if (!reason) return std::nullopt;
      result.refusal = std::string(*reason);
    } else if (auto member = tag == kMemberTag ? take_member(answer) : std::nullopt) {
      result.members.push_back(std::move(*member));
    } else {
      return std::nullopt;
    }
  }
  return result;
}

// Ends the child, however this scope is left.
class Child {
 public:
  explicit Child(pid_t number) : number_(number) {}
  ~Child() {
    if (number_ < 0) return;
    kill(number_, SIGKILL);
    while (waitpid(number_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int wait() {
    int status = 0;
    while (waitpid(number_, &status, 0) < 0) {
      if (errno != EINTR) fail(std::strerror(errno));
    }
    number_ = -1;
    return status;
  }

 private:
  pid_t number_;
};

// Everything the child says; nothing if that is more than it can have to say.
std::optional<std::string> listen(const Descriptor& pipe, const ArchiveLimits& limits) {
  constexpr std::int64_t overhead = 64;  // of a member, besides its name and content
  const auto most = static_cast<std::size_t>(limits.kept + overhead * (limits.entries + 1)) +
                    (std::size_t{1} << 16);
  const auto deadline = std::chrono::steady_clock::now() + kWallTime;
  std::string said;
  std::array<char, std::size_t{1} << 16> buffer{};
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) fail("it took longer than three minutes");
    pollfd waiting{pipe.get(), POLLIN, 0};
    if (poll(&waiting, 1, static_cast<int>(left.count())) < 0 && errno != EINTR) {
      fail(std::strerror(errno));
    }
    if (waiting.revents == 0) continue;
    const ssize_t count = read(pipe.get(), buffer.data(), buffer.size());
    if (count < 0 && errno != EINTR) fail(std::strerror(errno));
    if (count == 0) return said;
    if (count > 0) said.append(buffer.data(), static_cast<std::size_t>(count));
    if (said.size() > most) return std::nullopt;
  }
}

ArchiveContent refused(std::string reason) { return {{}, std::move(reason)}; }

ArchiveContent judge(int status, std::string_view said) {
  if (WIFSIGNALED(status)) {
    switch (WTERMSIG(status)) {
      case SIGXCPU: return refused("takes too long to unpack: hand in only your sources.");
      case SIGSEGV:
      case SIGBUS:
      case SIGABRT:
      case SIGFPE:
      case SIGILL:
      case SIGTRAP: return refused("is damaged: unpacking it crashed. Pack your folder again.");
      default: fail("it was ended by signal " + std::to_string(WTERMSIG(status)));
    }
  }
  switch (WEXITSTATUS(status)) {
    case Ending::finished: break;
    case Ending::out_of_memory:
      return refused("needs too much memory to unpack: pack it again as a common zip.");
    case confinement::kNotEntered: fail("the kernel refuses to confine it");
    default: fail("it ended with code " + std::to_string(WEXITSTATUS(status)));
  }
  auto content = understand(said);
  if (!content) return refused("is damaged: pack your folder again.");
  return std::move(*content);
}

}  // namespace

ArchiveContent read_archive_apart(std::string_view bytes, const ArchiveLimits& limits,
                                  const ArchiveFunction& read) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail(std::strerror(errno));
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  const pid_t number = fork();
  if (number < 0) fail(std::strerror(errno));
  if (number == 0) run_child(bytes, limits, read, to.get());
  Child child(number);
  to.reset();  // so that the end of the child is the end of the pipe
  const auto said = listen(from, limits);
  if (!said) return refused("is damaged: pack your folder again.");
  return judge(child.wait(), *said);
}

}  // namespace grader
