#include "grader/base/files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "grader/base/digest.hpp"
#include "grader/base/fault.hpp"
#include "grader/base/output.hpp"
#include "grader/base/suggestion.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t entries_in(const fs::path& directory) {
  return std::distance(fs::directory_iterator(directory), fs::directory_iterator());
}

TEST(FilesTest, WritesWholeFilesAndReplacesThem) {
  const TemporaryDirectory directory;
  const fs::path file = directory.path() / "file";
  write_atomically(file, "first");
  write_atomically(file, std::string("sec\0nd", 6));
  EXPECT_EQ(read_file(file, 6), std::string("sec\0nd", 6));
  EXPECT_EQ(entries_in(directory.path()), 1);
}

TEST(FilesTest, FailedWritesLeaveNoTrace) {
  const TemporaryDirectory directory;
  fs::create_directory(directory.path() / "taken");
  write_atomically(directory.path() / "taken" / "inside", "");
  EXPECT_THROW(write_atomically(directory.path() / "taken", "x"), EnvironmentFault);
  EXPECT_THROW(write_atomically(directory.path() / "missing" / "file", "x"), EnvironmentFault);
  EXPECT_EQ(entries_in(directory.path()), 1);
}

TEST(FilesTest, WhatIsNoFileIsWrittenIntoAndNeverReplaced) {
  const TemporaryDirectory directory;
  const fs::path pipe = directory.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  const fs::path link = directory.path() / "link";
  fs::create_symlink("pipe", link);
  write_atomically(pipe, "one ");
  write_atomically(link, "two");
  std::string content(7, '\0');
  EXPECT_EQ(read(reader, content.data(), content.size()), 7);
  EXPECT_EQ(content, "one two");
  close(reader);
  EXPECT_TRUE(fs::is_fifo(fs::symlink_status(pipe)));
  EXPECT_TRUE(fs::is_symlink(fs::symlink_status(link)));
  EXPECT_EQ(entries_in(directory.path()), 2);
}

TEST(FilesTest, SocketsAndLinksToNothingAreRefused) {
  const TemporaryDirectory directory;
  const fs::path socket = directory.path() / "socket";
  ASSERT_EQ(mknod(socket.c_str(), S_IFSOCK | 0600, 0), 0);
  EXPECT_THROW(write_atomically(socket, "x"), EnvironmentFault);
  EXPECT_TRUE(fs::is_socket(fs::symlink_status(socket)));
  const fs::path link = directory.path() / "link";
  fs::create_symlink("nowhere", link);
  EXPECT_THROW(write_atomically(link, "x"), EnvironmentFault);
  EXPECT_TRUE(fs::is_symlink(fs::symlink_status(link)));
  EXPECT_EQ(entries_in(directory.path()), 2);
}

TEST(FilesTest, ALinkStaysAndItsFileIsWritten) {
  const TemporaryDirectory directory;
  fs::create_directory(directory.path() / "other");
  const fs::path file = directory.path() / "other" / "file";
  write_atomically(file, "before");
  const fs::path link = directory.path() / "link";
  fs::create_symlink("other/file", link);
  write_atomically(link, "after");
  EXPECT_TRUE(fs::is_symlink(fs::symlink_status(link)));
  EXPECT_EQ(read_file(file, 100), "after");
}

TEST(FilesTest, StandardOutputIsWrittenIntoWhateverItIs) {
  const TemporaryDirectory directory;
  const fs::path file = directory.path() / "file";
  write_atomically(file, "before, ");
  const pid_t child = fork();
  if (child == 0) {
    const int out = open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (dup2(out, STDOUT_FILENO) < 0) _exit(1);
    try {
      write_atomically("/proc/self/fd/1", "after");
    } catch (const EnvironmentFault&) {
      _exit(2);
    }
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read_file(file, 100), "before, after");
}

TEST(FilesTest, WhatAKilledProcessLeftUnfinishedIsRemovedByTheNext) {
  const TemporaryDirectory directory;
  const fs::path left = directory.path() / ".attention-grader-unfinished-a1B2c3";
  const fs::path held = directory.path() / ".attention-grader-unfinished-D4e5F6";
  std::ofstream(left) << "half";
  std::ofstream(held) << "half";
  const int holder = open(held.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(flock(holder, LOCK_EX), 0);
  write_atomically(directory.path() / "file", "whole");
  close(holder);
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(held)) << "somebody is at work on it";
  EXPECT_TRUE(is_unfinished_file(left.filename().string()));
  EXPECT_EQ(entries_in(directory.path()), 2);
}

TEST(FilesTest, AProcessThatEndsFirstRemovesWhatIsUnfinished) {
  // No TemporaryDirectory: the child would remove it as well.
  const fs::path place = fs::temp_directory_path() / ("files-test-" + std::to_string(getpid()));
  fs::create_directory(place);
  const pid_t child = fork();
  if (child == 0) {
    std::thread([&] {
      const std::string content(1U << 20U, 'x');
      while (true) write_atomically(place / "file", content);
    }).detach();
    usleep(50'000);
    remove_temporary_directories();
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_LE(entries_in(place), 1) << "the file, or nothing";
  fs::remove_all(place);
}

TEST(FilesTest, FoldersAreMadeOrSaidToBeImpossible) {
  const TemporaryDirectory directory;
  make_folder(directory.path() / "a" / "b");
  make_folder(directory.path() / "a" / "b");
  EXPECT_TRUE(fs::is_directory(directory.path() / "a" / "b"));
  write_atomically(directory.path() / "file", "");
  for (const char* way : {"file", "file/below"}) {
    try {
      make_folder(directory.path() / way);
      ADD_FAILURE() << way;
    } catch (const EnvironmentFault& fault) {
      EXPECT_TRUE(
          std::string(fault.what()).starts_with("Cannot write " + directory.path().string()))
          << fault.what();
      EXPECT_NE(fault.hint().find("--out"), std::string::npos);
    }
  }
}

TEST(FilesTest, ReadsRegularFilesOfBoundedSizeOnly) {
  const TemporaryDirectory directory;
  const fs::path file = directory.path() / "file";
  write_atomically(file, "12345");
  EXPECT_THROW(read_file(file, 4), UsageFault);
  EXPECT_THROW(read_file(directory.path(), 100), UsageFault);
  EXPECT_THROW(read_file(directory.path() / "missing", 100), UsageFault);
  const fs::path pipe = directory.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(read_file(pipe, 100), UsageFault) << "and does not wait for a writer";
}

TEST(FilesTest, AMachineWithoutDescriptorsIsNoFaultOfTheFile) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer needs descriptors to look at what is thrown";
#endif
  const TemporaryDirectory directory;
  const fs::path file = directory.path() / "file";
  write_atomically(file, "12345");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  EXPECT_THROW(read_file(file, 100), EnvironmentFault);
  EXPECT_THROW(read_file(directory.path() / "missing", 100), EnvironmentFault) << "nobody knows";
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(read_file(file, 100), "12345");
}

TEST(FilesTest, TemporaryDirectoriesArePrivateAndVanish) {
  fs::path path;
  {
    const TemporaryDirectory directory;
    path = directory.path();
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    write_atomically(path / "file", "x");
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(FilesTest, DirectoriesOfKilledProcessesAreRemovedAndNoOthers) {
  const TemporaryDirectory place;
  setenv("TMPDIR", place.path().c_str(), 1);
  const fs::path stranger = place.path() / "attention-grader-other";
  fs::create_directory(stranger);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const TemporaryDirectory directory;
    write_atomically(directory.path() / "file", "content");
    static_cast<void>(write(ends[1], "x", 1));
    pause();
  }
  char ready = 0;
  ASSERT_EQ(read(ends[0], &ready, 1), 1);
  remove_abandoned_directories();
  EXPECT_EQ(entries_in(place.path()), 2) << "the child's is in use";
  kill(child, SIGKILL);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_EQ(entries_in(place.path()), 2);
  remove_abandoned_directories();
  EXPECT_EQ(entries_in(place.path()), 1);
  EXPECT_TRUE(fs::exists(stranger));
  unsetenv("TMPDIR");
}

TEST(DigestTest, OfAFileIsThatOfItsBytesHoweverManyPiecesItHas) {
  const TemporaryDirectory directory;
  const fs::path file = directory.path() / "file";
  for (const std::size_t size : {std::size_t{0}, std::size_t{65'536}, std::size_t{200'001}}) {
    const std::string content(size, 'x');
    write_new(file, content, "");
    EXPECT_EQ(sha256_of_file(file, size), sha256_of_bytes(content));
    EXPECT_EQ(read_file(file, size), content);
    if (size > 0) {
      EXPECT_THROW(sha256_of_file(file, size - 1), UsageFault);
    }
    fs::remove(file);
  }
}

TEST(DigestTest, IsSha256AndKeepsPartsApart) {
  EXPECT_EQ(sha256_of_bytes("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_NE(Digest().add("ab").add("c").hex(), Digest().add("a").add("bc").hex());
}

TEST(SuggestionTest, NamesWhatIsCloseAndNothingElse) {
  EXPECT_EQ(suggestion("softmax.value", {"mask.future", "softmax.values"}),
            "Did you mean softmax.values? ");
  EXPECT_EQ(suggestion("xyz", {"softmax.values"}), "");
  EXPECT_EQ(suggestion(std::string(100'000, 'x'), {"softmax.values"}), "");
}

}  // namespace
}  // namespace grader
