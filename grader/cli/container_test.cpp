// Grades where less is allowed than on a machine of one's own: in a default container, as a user
// without rights, and both. A correct submission keeps all its points there.
#include "grader/cli/container.hpp"

#include <gtest/gtest.h>

#include "grader/cli/installed_fixture.hpp"

namespace grader {
namespace {

class ContainerTest : public InstalledTest {
 protected:
  /// Grades a correct submission, and attacks the sandbox.
  void expect_grades_at(const std::function<void()>& who, const std::string& level) const {
    const Ending probed = run_as(who, {"doctor"});
    if (probed.exit_code == 126) GTEST_SKIP() << "the container cannot be played here";
    EXPECT_EQ(probed.exit_code, 0) << probed.err << probed.out;
    EXPECT_NE(probed.out.find("\nisolation " + level), std::string::npos) << probed.out;
    for (const char* probe : {"sandbox probe: 40", "compiler probe: 7"}) {
      EXPECT_NE(probed.out.find(std::string(probe) + " escapes tried, 0 succeeded"),
                std::string::npos)
          << probed.out;
    }
    const Ending graded =
        run_as(who, {"grade", "--assignment", "toy", "mean.cpp", "--out", "graded"});
    EXPECT_EQ(graded.exit_code, 0) << graded.err << graded.out;
    EXPECT_NE(graded.out.find("10 / 10"), std::string::npos) << graded.out << graded.err;
    EXPECT_EQ(scorecard("graded")["grader"]["isolation"]["level"], level);
  }
};

TEST_F(ContainerTest, DefaultContainerGradesAtL2) {
  expect_grades_at(enter_default_container, "L2");
  if (IsSkipped() || HasFailure()) return;
  unsetenv("XDG_CACHE_HOME");  // what is prepared for the large assignment is there by now
  const Ending graded =
      run_as(enter_default_container, {"grade", RIGHT_SUBMISSION, "--cases", "20"});
  EXPECT_NE(graded.out.find("100 / 100"), std::string::npos) << graded.out << graded.err;
}

TEST_F(ContainerTest, DefaultContainerWithAnotherUserGradesAtL1) {
  const auto who = [] {
    enter_default_container();
    become_nobody();
  };
  expect_grades_at(who, "L1");
}

TEST_F(ContainerTest, UserWithoutRightsGradesAtL3) { expect_grades_at(become_nobody, "L3"); }

}  // namespace
}  // namespace grader
