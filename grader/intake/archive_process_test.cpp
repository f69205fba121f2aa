#include "grader/intake/archive_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <iterator>
#include <new>
#include <stdexcept>

#include "grader/base/fault.hpp"
#include "grader/intake/confinement.hpp"
#include "grader/intake/pack.hpp"

namespace grader {
namespace {

// The status of a child that runs `body` confined; what `body` returns is its exit code.
int confined(const std::function<int(int pipe)>& body) {
  std::array<int, 2> pipe{};
  EXPECT_EQ(::pipe(pipe.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    confinement::enter(pipe[1]);
    _exit(body(pipe[1]));
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  close(pipe[0]);
  close(pipe[1]);
  return status;
}

TEST(ConfinementTest, LeavesMemoryAndThePipe) {
  EXPECT_EQ(confined([](int pipe) {
              const std::string much(std::size_t{1} << 20, 'a');
              return much.size() > 1 && write(pipe, "x", 1) == 1 ? 0 : 1;
            }),
            0);
}

TEST(ConfinementTest, TakesFilesProcessesNetworkCodeAndOtherDescriptors) {
  EXPECT_EQ(confined([](int) { return open("/etc/passwd", O_RDONLY) < 0 ? 0 : 1; }), 0);
  EXPECT_EQ(confined([](int) { return fork() < 0 ? 0 : 1; }), 0);
  EXPECT_EQ(confined([](int) { return socket(AF_UNIX, SOCK_STREAM, 0) < 0 ? 0 : 1; }), 0);
  EXPECT_EQ(confined([](int) { return kill(getppid(), 0) < 0 ? 0 : 1; }), 0);
  EXPECT_EQ(confined([](int) { return write(2, "x", 1) < 0 ? 0 : 1; }), 0);
  EXPECT_EQ(confined([](int) {
              return mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                          0) == MAP_FAILED
                         ? 0
                         : 1;
            }),
            0);
}

#ifndef __SANITIZE_ADDRESS__
TEST(ConfinementTest, LimitsMemory) {
  EXPECT_EQ(
      confined([](int) {
        constexpr std::size_t much = std::size_t{2} << 30;
        return mmap(nullptr, much, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? 0
                                                                                                : 1;
      }),
      0);
}
#endif

TEST(ArchiveProcessTest, HandsBackMembersInTheirOrder) {
  Pack pack("ustar");
  pack.folder("work").file("work/a.cpp", "int a;").file("work/a.txt", "text");
  pack.symbolic_link("work/b", "a.cpp").special("work/c", AE_IFIFO);
  ArchiveLimits limits;
  limits.file_bytes = 1000;
  const ArchiveContent content = read_archive_apart(pack.bytes(), limits);
  ASSERT_FALSE(content.refusal) << *content.refusal;
  ASSERT_EQ(content.members.size(), 5U);
  EXPECT_EQ(content.members[0].kind, EntryKind::folder);
  EXPECT_EQ(content.members[1].name, "work/a.cpp");
  EXPECT_EQ(content.members[1].content, "int a;");
  EXPECT_EQ(content.members[2].content, "");  // of no use, so not kept
  EXPECT_EQ(content.members[3].kind, EntryKind::link);
  EXPECT_EQ(content.members[4].kind, EntryKind::other);
}

TEST(ArchiveProcessTest, LimitsHoldWhileItInflates) {
  Pack pack("zip");
  const std::string text(1000, 'a');
  pack.file("a.cpp", text).file("b.cpp", text).file("c.txt", text);
  const std::string bytes = pack.bytes();
  const auto refusal = [&](auto change) {
    ArchiveLimits limits;
    limits.file_bytes = 1000;
    change(limits);
    return read_archive_apart(bytes, limits).refusal.value_or("none");
  };
  const auto says = [](const std::string& text_, const char* part) {
    return text_.find(part) != std::string::npos;
  };
  EXPECT_EQ(refusal([](ArchiveLimits&) {}), "none");
  EXPECT_TRUE(says(refusal([](ArchiveLimits& l) { l.entries = 2; }), "more than 2 files"));
  EXPECT_TRUE(says(refusal([](ArchiveLimits& l) { l.kept = 1500; }), "of sources"));
  EXPECT_TRUE(says(refusal([](ArchiveLimits& l) { l.inflated = 2500; }), "unpacks to more than"));
  EXPECT_TRUE(says(refusal([](ArchiveLimits& l) {
                     l.free_ratio = 100;
                     l.ratio = 2;
                   }),
                   "more than 2 times its size"));
}

// What becomes of a child whose reader does `misdeed` after it is confined.
ArchiveContent after(const std::function<void(const std::function<bool(Member&&)>&)>& misdeed) {
  ArchiveLimits limits;
  limits.kept = 1000;
  limits.entries = 10;
  return read_archive_apart(
      "", limits,
      [&](std::string_view, const ArchiveLimits&, const std::function<void()>& ready,
          const std::function<bool(Member &&)>& take) {
        ready();
        misdeed(take);
        return std::optional<std::string>();
      });
}

TEST(ArchiveProcessTest, ACrashIsTheArchivesDoing) {
  const auto refusal = [](const auto& misdeed) { return after(misdeed).refusal.value_or("none"); };
  constexpr const char* sentence = "is damaged: unpacking it crashed. Pack your folder again.";
  EXPECT_EQ(refusal([](const auto&) { __builtin_trap(); }), sentence);
#ifndef __SANITIZE_ADDRESS__  // which ends the process in its own way
  EXPECT_EQ(refusal([](const auto&) {
              volatile int* volatile nowhere = nullptr;
              *nowhere = 0;
            }),
            sentence);
#endif
}

TEST(ArchiveProcessTest, TooMuchMemoryIsTheArchivesDoing) {
  EXPECT_NE(after([](const auto&) { throw std::bad_alloc(); }).refusal.value_or("").find("memory"),
            std::string::npos);
}

TEST(ArchiveProcessTest, AFloodOfMembersIsCutOff) {
  const ArchiveContent content = after([](const auto& take) {
    while (true) take(Member{EntryKind::file, false, "a.cpp", std::string(10'000, 'a')});
  });
  EXPECT_TRUE(content.members.empty());
  EXPECT_NE(content.refusal.value_or("").find("damaged"), std::string::npos);
}

TEST(ArchiveProcessTest, AnAnswerThatEndsEarlyIsNoSubmission) {
  // The child ends well, as an intruder could make it, and has said half of a member.
  const ArchiveContent content = after([](const auto&) {
    for (int descriptor = 3; descriptor < 100; ++descriptor) {
      [[maybe_unused]] const ssize_t written = write(descriptor, "M\0\0abc", 6);
    }
    _exit(0);
  });
  EXPECT_TRUE(content.members.empty());
  EXPECT_NE(content.refusal.value_or("").find("damaged"), std::string::npos);
}

TEST(ArchiveProcessTest, FaultsThatAreNotTheArchivesCostNoMark) {
  EXPECT_THROW(after([](const auto&) { throw std::runtime_error("x"); }), EnvironmentFault);
  EXPECT_THROW(after([](const auto&) { _exit(confinement::kNotEntered); }), EnvironmentFault);
}

TEST(ArchiveProcessTest, NoDescriptorStaysBehind) {
  const auto descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  };
  const auto before = descriptors();
  after([](const auto&) {});
  after([](const auto&) { __builtin_trap(); });
  EXPECT_EQ(descriptors(), before);
}

TEST(ArchiveProcessTest, AFileTooLargeIsMarkedAndNotKept) {
  ArchiveLimits limits;
  limits.file_bytes = 10;
  const auto content =
      read_archive_apart(Pack("zip").file("a.cpp", std::string(11, 'a')).bytes(), limits);
  ASSERT_EQ(content.members.size(), 1U);
  EXPECT_TRUE(content.members[0].is_too_large);
  EXPECT_EQ(content.members[0].content, "");
}

TEST(ArchiveProcessTest, StreamsMembersWholeAndInOrder) {
  Pack pack("zip");
  std::vector<std::string> names;
  for (int index = 0; index < 500; ++index) {
    names.push_back("folder/notes" + std::to_string(index) + ".txt");
    pack.file(names.back(), std::string(static_cast<std::size_t>(index) * 7, 'a'));
  }
  ArchiveLimits limits;
  limits.file_bytes = 10'000;
  limits.keeps = [](std::string_view) { return true; };
  std::vector<std::string> heard;
  const auto refusal = stream_archive_apart(pack.bytes(), limits, [&](Member&& member) {
    EXPECT_EQ(member.content.size(), heard.size() * 7);
    heard.push_back(member.name);
  });
  EXPECT_FALSE(refusal);
  EXPECT_EQ(heard, names);
}

TEST(ArchiveProcessTest, WhoeverTakesMembersMayFail) {
  const auto fail = [](Member&&) {
    throw EnvironmentFault("The disk is full.", "Free some space.");
  };
  ArchiveLimits limits;
  limits.file_bytes = 10;
  EXPECT_THROW(stream_archive_apart(Pack("zip").file("a.cpp", "").bytes(), limits, fail),
               EnvironmentFault);
}

}  // namespace
}  // namespace grader
