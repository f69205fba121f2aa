// `grade --export`: what a system finds that ends the grading at any moment.
#include <chrono>
#include <csignal>
#include <thread>

#include "grader/cli/cli_fixture.hpp"

namespace grader {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// Wrong at once, and then slow: the first check fails on the fixed row of three, and with it all
// but the shortest rows take their time.
constexpr const char* kSlow = R"(
#include <chrono>
#include "toy/mean.hpp"
double toy::mean(const Row& values) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  while (values.size() > 3 && std::chrono::steady_clock::now() < end) {
  }
  double sum = 0;
  for (const double value : values) sum += value;
  return values.size() == 3 ? -1 : sum / values.size();
}
)";

class GradeExportTest : public CliTest {
 protected:
  [[nodiscard]] pid_t start(Words words) const {
    words.insert(words.begin(), {PROGRAM, "grade", "--assignment", TOY, "--quiet"});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child != 0) return child;
    const int nothing = open("/dev/null", O_RDWR);
    if (dup2(nothing, STDERR_FILENO) >= 0 && chdir(folder_.path().c_str()) == 0) {
      execv(PROGRAM, arguments.data());
    }
    _exit(127);
  }

  /// False after a minute.
  static bool wait_until(const std::function<bool()>& holds) {
    const auto deadline = Clock::now() + std::chrono::minutes(1);
    while (!holds() && Clock::now() < deadline) std::this_thread::sleep_for(milliseconds(2));
    return holds();
  }

  static void kill_now(pid_t grader) {
    kill(grader, SIGKILL);
    int status = 0;
    EXPECT_EQ(waitpid(grader, &status, 0), grader);
    EXPECT_TRUE(WIFSIGNALED(status)) << "it ended by itself";
  }

  [[nodiscard]] std::string text_of(const std::string& file) const {
    return fs::exists(folder_.path() / file) ? read_file(folder_.path() / file, kFileLimit) : "";
  }
};

TEST_F(GradeExportTest, InTheEndItIsTheExportOfTheScorecard) {
  ASSERT_EQ(grade({wrong_, "--out", "out", "--quiet", "--export", "gradescope=new/results.json",
                   "--export", "autolab=auto.txt", "--column", "Code", "--visibility", "hidden"})
                .exit_code,
            0);
  EXPECT_EQ(text_of("new/results.json"),
            run({"export", "gradescope", "out/scorecard.json", "--visibility", "hidden"}).out);
  EXPECT_EQ(text_of("auto.txt"),
            run({"export", "autolab", "out/scorecard.json", "--column", "Code"}).out);
}

TEST_F(GradeExportTest, WhateverEndsItWhatWasFoundIsThere) {
  const std::string slow = write("slow/mean.cpp", kSlow).string();
  const pid_t grader =
      start({slow, "--out", "out", "--export", "gradescope=results.json", "--export",
             "prairielearn=pl.json", "--export", "autolab=auto.txt", "--export", "junit=junit.xml",
             "--export", "github-classroom=classroom.env"});
  EXPECT_TRUE(wait_until([&] {
    return text_of("classroom.env").find("ATTENTION_GRADER_RUNNERS=submission,meanValue") !=
           std::string::npos;
  }));
  kill_now(grader);
  const auto gradescope = nlohmann::json::parse(text_of("results.json"));
  EXPECT_FALSE(gradescope.contains("score"));
  const auto output = gradescope["output"].get<std::string>();
  EXPECT_NE(output.find("while checking mean.order (2 of 2)"), std::string::npos) << output;
  EXPECT_NE(output.find("Failed: mean.value\n"), std::string::npos) << output;
  EXPECT_NE(output.find("Not run: mean.order\n"), std::string::npos) << output;
  EXPECT_NE(output.find("The mean is the sum of all values"), std::string::npos) << output;
  const auto prairielearn = nlohmann::json::parse(text_of("pl.json"));
  EXPECT_EQ(prairielearn["gradable"], false);
  EXPECT_EQ(prairielearn["tests"].size(), 2);
  const std::string autolab = text_of("auto.txt");
  EXPECT_TRUE(autolab.ends_with("{\"scores\": {\"value\": null, \"symmetry\": null}}\n"))
      << autolab;
  EXPECT_NE(text_of("junit.xml").find("</testsuites>"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_.path() / "out/scorecard.json")) << "there is no verdict";
}

TEST_F(GradeExportTest, ItIsWholeAndWithoutAScoreAtEveryMoment) {
  const std::string slow = write("slow/mean.cpp", kSlow).string();
  for (const int moment : {0, 1, 3, 10, 30, 100, 300, 1000}) {
    fs::remove(folder_.path() / "results.json");
    const pid_t grader = start({slow, "--out", "out", "--export", "gradescope=results.json"});
    EXPECT_TRUE(wait_until([&] { return fs::exists(folder_.path() / "results.json"); }));
    std::this_thread::sleep_for(milliseconds(moment));
    kill_now(grader);
    const auto results = nlohmann::json::parse(text_of("results.json"), nullptr, false);
    ASSERT_TRUE(results.is_object()) << moment;
    EXPECT_FALSE(results.contains("score")) << moment;
    EXPECT_NE(results["output"].get<std::string>().find("Grading did not end"), std::string::npos);
  }
}

TEST_F(GradeExportTest, WhatNobodyCouldGradeIsSaidThereToo) {
  setenv("ATTENTION_GRADER_ISOLATION", "none", 1);
  const Ending result = grade({right_, "--out", "out", "--export", "gradescope=results.json"});
  unsetenv("ATTENTION_GRADER_ISOLATION");
  EXPECT_EQ(result.exit_code, 2) << result.err;
  const auto results = nlohmann::json::parse(text_of("results.json"));
  EXPECT_FALSE(results.contains("score"));
  EXPECT_EQ(results["output"].get<std::string>().find("did not end"), std::string::npos);
}

TEST_F(GradeExportTest, WhatCannotBeExportedIsRefusedBeforeAnythingIsGraded) {
  const auto refused = [&](const Words& more, int exit_code, const std::string& part) {
    Words words{right_, "--out", "out"};
    words.insert(words.end(), more.begin(), more.end());
    expect_sentence(grade(words), exit_code, part);
    expect_nothing_written();
  };
  refused({"--export", "gradescope"}, 1, "names no file");
  refused({"--export", "gradescope="}, 1, "names no file");
  refused({"--export", "gradscope=results.json"}, 1, "gradscope");
  refused({"--export", "csv=class.csv"}, 1, "is an export of a whole class");
  refused({"--export", "junit=r.xml", "--column", "Code"}, 1, "has no use for --column");
  refused({"--visibility", "hidden"}, 1, "belongs to an export");
  refused({"--export", "gradescope=" + right_ + "/results.json"}, 2,
          "Cannot write " + right_ + ":");
  refused({"--export", "gradescope=."}, 2, "Cannot write");
}

}  // namespace
}  // namespace grader
