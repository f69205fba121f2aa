#include "grader/sandbox/watcher.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace grader {
namespace {

TEST(WatcherTest, EndsWhatAKilledGraderHasStartedAndWhatThatHasStarted) {
  auto [read_end, write_end] = make_pipe();
  const pid_t grader = ::fork();
  if (grader == 0) {
    const Watcher watcher;
    SpawnOptions options;
    options.arguments = {"/bin/sh", "-c", "sleep 60 & echo; wait"};
    options.descriptors = {{write_end.get(), 1}};
    options.own_session = true;
    options.dies_with_us = false;  // as a box that was left before it was complete
    options.watcher = watcher.descriptor();
    const Process box = Process::spawn(options);
    char started = 0;
    while (::read(read_end.get(), &started, 1) != 1) {
    }
    ::raise(SIGKILL);
  }
  write_end.reset();
  int status = 0;
  ASSERT_EQ(::waitpid(grader, &status, 0), grader);
  ASSERT_TRUE(WIFSIGNALED(status));
  // The pipe closes with the last process that could write to it.
  pollfd closed{read_end.get(), POLLIN, 0};
  EXPECT_EQ(::poll(&closed, 1, 20'000), 1) << "a process is left";
}

}  // namespace
}  // namespace grader
