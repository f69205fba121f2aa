#include "grader/intake/archive_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
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

// How the child ends. Everything but `finished` comes without a complete answer.
enum Ending : int { finished = 0, out_of_memory = 3, other_fault = 5 };

constexpr char kMemberTag = 'M';
constexpr char kRefusalTag = 'R';

constexpr const char* kDamaged = "is damaged: pack your folder again.";

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
        bytes, limits, [&] { confinement::enter(pipe, limits.cpu_seconds); },
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

// The child's answer as it comes in. The child is not trusted: what is no answer is nothing.
class Answer {
 public:
  /// No text of it is longer than `longest`.
  Answer(const std::function<void(Member&&)>& take, std::uint64_t longest)
      : take_(take), longest_(longest) {}

  void hear(std::string_view piece) {
    if (is_broken_) return;
    heard_.append(piece);
    while (understand()) {
    }
    heard_.erase(0, place_);
    place_ = 0;
  }
  /// Whether everything heard was an answer, and the last of it was whole.
  [[nodiscard]] bool is_whole() const { return !is_broken_ && heard_.empty(); }
  [[nodiscard]] const std::optional<std::string>& refusal() const { return refusal_; }

 private:
  // Takes one member or the refusal at place_; false when it is not whole yet, or broken.
  bool understand();
  std::optional<std::string_view> text_at(std::size_t& place) {
    std::uint64_t size = 0;
    if (heard_.size() - place < sizeof size) return std::nullopt;
    std::memcpy(&size, heard_.data() + place, sizeof size);
    is_broken_ = is_broken_ || size > longest_;
    if (is_broken_ || size > heard_.size() - place - sizeof size) return std::nullopt;
    const std::size_t begin = place + sizeof size;
    place = begin + static_cast<std::size_t>(size);
    return std::string_view(heard_).substr(begin, static_cast<std::size_t>(size));
  }

  const std::function<void(Member&&)>& take_;
  std::uint64_t longest_;
  std::string heard_;
  std::size_t place_ = 0;
  bool is_broken_ = false;
  std::optional<std::string> refusal_;
};

bool Answer::understand() {
  if (is_broken_ || place_ == heard_.size()) return false;
  std::size_t place = place_ + 1;
  if (heard_[place_] == kRefusalTag) {
    const auto reason = text_at(place);
    if (!reason) return false;
    refusal_ = std::string(*reason);
  } else if (heard_[place_] == kMemberTag) {
    if (heard_.size() - place < 2) return false;
    const auto kind = static_cast<unsigned char>(heard_[place]);
    const bool is_too_large = heard_[place + 1] != 0;
    place += 2;
    is_broken_ = kind > static_cast<unsigned char>(EntryKind::other);
    const auto name = text_at(place);
    const auto content = name ? text_at(place) : std::nullopt;
    if (is_broken_ || !content) return false;
    take_({static_cast<EntryKind>(kind), is_too_large, std::string(*name), std::string(*content)});
  } else {
    is_broken_ = true;
    return false;
  }
  place_ = place;
  return true;
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

// Hears the child to its end; false if it says more than it can have to say.
bool listen(const Descriptor& pipe, const ArchiveLimits& limits, Answer& answer) {
  constexpr std::int64_t overhead = 64;  // of a member, besides its name and content
  const std::int64_t most = limits.kept + overhead * (limits.entries + 1) + (1 << 16);
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::seconds(limits.wall_seconds);
  std::int64_t said = 0;
  std::array<char, std::size_t{1} << 16> buffer{};
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      fail("it took longer than " + std::to_string(limits.wall_seconds) + " seconds");
    }
    pollfd waiting{pipe.get(), POLLIN, 0};
    if (poll(&waiting, 1, static_cast<int>(left.count())) < 0 && errno != EINTR) {
      fail(std::strerror(errno));
    }
    if (waiting.revents == 0) continue;
    const ssize_t count = read(pipe.get(), buffer.data(), buffer.size());
    if (count < 0 && errno != EINTR) fail(std::strerror(errno));
    if (count == 0) return true;
    if (count < 0) continue;
    said += count;
    if (said > most) return false;
    answer.hear({buffer.data(), static_cast<std::size_t>(count)});
  }
}

// The refusal, if the way the child ended or what it said is one.
std::optional<std::string> judge(int status, const Answer& answer) {
  if (WIFSIGNALED(status)) {
    switch (WTERMSIG(status)) {
      case SIGXCPU: return "takes too long to unpack: hand in only your sources.";
      case SIGSEGV:
      case SIGBUS:
      case SIGABRT:
      case SIGFPE:
      case SIGILL:
      case SIGTRAP: return "is damaged: unpacking it crashed. Pack your folder again.";
      default: fail("it was ended by signal " + std::to_string(WTERMSIG(status)));
    }
  }
  switch (WEXITSTATUS(status)) {
    case Ending::finished: break;
    case Ending::out_of_memory:
      return "needs too much memory to unpack: pack it again as a common zip.";
    case confinement::kNotEntered: fail("the kernel refuses to confine it");
    default: fail("it ended with code " + std::to_string(WEXITSTATUS(status)));
  }
  if (!answer.is_whole()) return kDamaged;
  return answer.refusal();
}

}  // namespace

std::optional<std::string> stream_archive_apart(std::string_view bytes, const ArchiveLimits& limits,
                                                const std::function<void(Member&&)>& take,
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
  constexpr std::int64_t longest_name = 1 << 20;
  Answer answer(take, static_cast<std::uint64_t>(std::max(limits.file_bytes, longest_name)));
  if (!listen(from, limits, answer)) return kDamaged;
  return judge(child.wait(), answer);
}

ArchiveContent read_archive_apart(std::string_view bytes, const ArchiveLimits& limits,
                                  const ArchiveFunction& read) {
  ArchiveContent content;
  content.refusal = stream_archive_apart(
      bytes, limits, [&](Member&& member) { content.members.push_back(std::move(member)); }, read);
  if (content.refusal) content.members.clear();
  return content;
}

}  // namespace grader
