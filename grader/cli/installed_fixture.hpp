// What the tests share that run the installed program as another user or with less than usual.
#pragma once

#include "grader/cli/cli_fixture.hpp"

namespace grader {

/// Installs the program, the toy assignment and a right submission to a place that every user can
/// read. Only root can become others, so everybody else skips these tests.
class InstalledTest : public CliTest {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "only root can become others and take things away";
    CliTest::SetUp();
    // Open to every user, and so must be all folders above.
    prefix_ = folder_.path() / "prefix";
    const std::string install =
        "umask 022; cmake --install " BUILD " --prefix " + prefix_.string() + " >/dev/null";
    ASSERT_EQ(std::system(install.c_str()), 0);
    fs::copy(TOY, folder_.path() / "toy", fs::copy_options::recursive);
    fs::copy(right_, folder_.path() / "mean.cpp");
    open_for_reading(folder_.path());
    fs::permissions(folder_.path(), fs::perms(0777));
    setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1);
  }

  Ending run_as(const std::function<void()>& who, const Words& words) const {
    return run(words, who, (prefix_ / "bin/attention-grader").string());
  }

  fs::path prefix_;
};

}  // namespace grader
