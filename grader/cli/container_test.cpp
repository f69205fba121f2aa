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

/// From what was handed in to a report and a replay, for every kind of end that a submission has.
class WholeFlowTest : public InstalledTest {
 protected:
  struct Expected {
    std::string name;
    std::string source;
    std::string status;
    double score;
    std::string says;  ///< part of the report
  };

  void SetUp() override {
    InstalledTest::SetUp();
    if (IsSkipped()) return;
    for (const Expected& expected : kSubmissions) write(expected.name + ".cpp", expected.source);
  }

  Ending grade_as(const std::function<void()>& who, const std::string& name,
                  const std::string& level) const {
    fs::remove_all(folder_.path() / "graded");
    return run_as(who, {"grade", "--assignment", "toy", name + ".cpp", "--out", "graded",
                        "--isolation", level});
  }

  void expect_whole_flow(const std::function<void()>& who, const std::string& asked,
                         const std::string& reached) const {
    SCOPED_TRACE(asked);
    for (const Expected& expected : kSubmissions) {
      SCOPED_TRACE(expected.name);
      const Ending graded = grade_as(who, expected.name, asked);
      ASSERT_EQ(graded.exit_code, 0) << graded.err << graded.out;
      const auto card = scorecard("graded");
      EXPECT_EQ(card["status"], expected.status);
      EXPECT_EQ(card["score"], expected.score);
      EXPECT_EQ(card["grader"]["isolation"]["level"], reached);
      EXPECT_NE(graded.out.find(expected.says), std::string::npos) << graded.out;
      if (expected.name != "wrong") continue;
      const Ending replayed = run_as(who, {"replay", "--assignment", "toy", "graded/scorecard.json",
                                           "mean.value", "--isolation", asked});
      EXPECT_EQ(replayed.exit_code, 0) << replayed.err << replayed.out;
    }
  }

  static std::string mean(const std::string& body) {
    return "#include \"toy/mean.hpp\"\ndouble toy::mean(const Row& values) {\n" + body + "\n}\n";
  }

  const std::vector<Expected> kSubmissions = {
      {"right",
       mean(
           "double sum = 0; for (double value : values) sum += value; return sum / values.size();"),
       "graded", 10, "10 / 10"},
      {"wrong", mean("return values.front();"), "graded", 0, "0 / 10"},
      {"crashing", mean("return *static_cast<volatile const double*>(nullptr);"), "graded", 0,
       "mean crashed (SIGSEGV"},
      {"forbidden", "#include <unistd.h>\n" + mean("return ::fork();"), "graded", 0, "clone"},
      {"unbuilt", mean("return valeus.front();"), "not_built", 0, "valeus"},
  };
};

TEST_F(WholeFlowTest, AsRootHoldsAtEveryLevel) {
  const std::string highest = "L4";
  ASSERT_EQ(grade_as([] {}, "right", highest).exit_code, 0);
  const std::string offered = scorecard("graded")["grader"]["isolation"]["level"];
  for (const std::string level : {"L4", "L3", "L2", "L1", "L0"}) {
    expect_whole_flow([] {}, level, std::min(level, offered));
  }
}

TEST_F(WholeFlowTest, AsAUserWithoutRightsHoldsAtEveryLevelThatThereIs) {
  // Only root can make control groups and become others.
  expect_whole_flow(become_nobody, "L4", "L3");
  expect_whole_flow(become_nobody, "L2", "L1");
  expect_whole_flow(become_nobody, "L1", "L1");
  expect_whole_flow(become_nobody, "L0", "L0");
}

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
