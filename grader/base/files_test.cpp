#include "grader/base/files.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <iterator>
#include <string>

#include "grader/base/digest.hpp"
#include "grader/base/fault.hpp"
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
