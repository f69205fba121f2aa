// `push` as people and the system treat it: the program itself, the toy assignment and a platform
// on loopback.
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <optional>
#include <thread>

#include "grader/batch/layout.hpp"
#include "grader/cli/cli_fixture.hpp"
#include "grader/lti/lti_fixture.hpp"

namespace grader {
namespace {

using Trouble = PlatformSimulator::Trouble;

class SystemClock : public DeliveryClock {
 public:
  [[nodiscard]] std::int64_t now_ms() const override {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  }
  [[nodiscard]] bool wait_ms(std::int64_t /*duration*/) override { return true; }
};

class PushTest : public CliTest {
 protected:
  PushTest() : simulator_(clock_) {
    simulator_.rules.public_key = key_pair().public_pem;
    simulator_.rules.users = {"u-ada", "u-bob"};
  }

  void SetUp() override {
    CliTest::SetUp();
    for (const char* student : {"ada", "bob", "cy"}) {
      write("class/" + std::string(student) + ".cpp", read_file(right_, kFileLimit));
    }
    write("roster.csv", "id,lti_user\nada,u-ada\nbob,u-bob\ncy,\n");
    const Ending graded = run({"batch", "--assignment", TOY, "class", "--out", "results",
                               "--roster", "roster.csv", "--quiet"});
    ASSERT_EQ(graded.exit_code, 0) << graded.err;
    chmod(write("lti.key", key_pair().private_pem).c_str(), 0600);
    describe_platform();
  }

  void describe_platform(const nlohmann::json& changes = nlohmann::json::object()) const {
    nlohmann::json platform = {{"platform", "other"},
                               {"token_url", simulator_.token_url()},
                               {"client_id", simulator_.rules.client_id},
                               {"key_id", simulator_.rules.key_id},
                               {"private_key_file", "lti.key"},
                               {"ca_file", simulator_.certificate()},
                               {"line_items", simulator_.line_items_url()},
                               {"label", "Causal attention"}};
    platform.update(changes);
    write("platform.json", platform.dump());
  }

  static Words push_words(const Words& more = {}) {
    Words words = {"push", "results", "--platform", "platform.json"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Ending push(const Words& more = {}) const { return run(push_words(more)); }

  /// Starts a push; returns its process.
  [[nodiscard]] pid_t start() const {
    const pid_t child = fork();
    if (child != 0) return child;
    Words all = push_words();
    all.insert(all.begin(), PROGRAM);
    std::vector<char*> arguments;
    for (std::string& word : all) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    if (chdir(folder_.path().c_str()) == 0) {
      const int nowhere = open("/dev/null", O_WRONLY);
      const int said = open("push.out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
      dup2(said, STDOUT_FILENO);
      dup2(nowhere, STDERR_FILENO);
      execv(PROGRAM, arguments.data());
    }
    _exit(127);
  }
  static int signal_that_ended(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }

  void expect_each_once() const {
    EXPECT_EQ(simulator_.stored("u-ada").size(), 1);
    EXPECT_EQ(simulator_.stored("u-bob").size(), 1);
  }

  SystemClock clock_;
  PlatformSimulator simulator_;
};

TEST_F(PushTest, DeliversOnceAndNamesWhoIsLeftOut) {
  write("libcurl.so.4", "not a library\n");  // none is taken from here
  const Ending first = push();
  EXPECT_EQ(first.exit_code, 6) << first.err;
  EXPECT_TRUE(first.out.starts_with("2 scores delivered, 0 delivered before, at")) << first.out;
  EXPECT_NE(first.out.find("Not delivered:\n    cy has no lti_user"), std::string::npos)
      << first.out;
  EXPECT_EQ(first.err, "");
  expect_each_once();
  const Ending second = push({"--only", "ada", "--only", "bob"});
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_TRUE(second.out.starts_with("0 scores delivered, 2 delivered before")) << second.out;
  run({"override", "results", "bob", "--score", "1.25", "--reason", "viva", "--quiet"});
  const Ending third = push({"--only", "bob"});
  EXPECT_EQ(third.exit_code, 0) << third.err;
  EXPECT_TRUE(third.out.starts_with("1 score delivered")) << third.out;
  EXPECT_EQ(simulator_.stored("u-bob").back().given, 1.25);
  EXPECT_EQ(simulator_.stored_scores(), 3);
  for (const Ending* ending : {&first, &second, &third}) {
    EXPECT_EQ((ending->out + ending->err).find("token-"), std::string::npos);
  }
}

TEST_F(PushTest, ADryRunTouchesNothing) {
  const fs::path gradebook = folder_.path() / "results" / "gradebook.sqlite";
  const std::string before = read_file(gradebook, kFileLimit);
  const Ending dry = push({"--dry-run"});
  EXPECT_EQ(dry.exit_code, 6) << dry.err;
  EXPECT_TRUE(dry.out.starts_with("2 scores to deliver, 0 delivered before, at")) << dry.out;
  EXPECT_NE(dry.out.find("for user u-ada, not delivered yet."), std::string::npos) << dry.out;
  EXPECT_EQ(simulator_.requests("scores"), 0);
  EXPECT_EQ(read_file(gradebook, kFileLimit), before);
}

TEST_F(PushTest, SaysWhatIsWrongBeforeAnythingIsSent) {
  expect_sentence(run({"push", "results", "--platform", "absent.json"}), 1, "absent.json");
  expect_sentence(run({"push", "class", "--platform", "platform.json"}), 1, "class");
  expect_sentence(push({"--only", "adda"}), 1, "There is no student adda");
  describe_platform({{"label", "Causal atention"}});
  expect_sentence(push(), 1, "No line item of the course has label");
  describe_platform({{"token_url", "http://localhost/token"}});
  expect_sentence(push(), 1, "is no https URL");
  describe_platform({{"audience", "https://elsewhere.example/"}});
  expect_sentence(push(), 1, "another audience");
  describe_platform();
  chmod((folder_.path() / "lti.key").c_str(), 0640);
  expect_sentence(push(), 1, "can be read or changed by other users");
  chmod((folder_.path() / "lti.key").c_str(), 0600);
  simulator_.rules.public_key = key_pair(true).public_pem;
  expect_sentence(push(), 1, "signature is wrong");
  describe_platform({{"ca_file", "lti.key"}});
  expect_sentence(push(), 2, "no access token");
  EXPECT_NE(push().err.find("as ca_file in the platform file"), std::string::npos);
  EXPECT_EQ(simulator_.requests("scores"), 0);
}

TEST_F(PushTest, StoppedItFinishesTheScoreUnderWayAndTheNextRunGoesOn) {
  pid_t child = 0;
  std::size_t seen = 0;
  simulator_.rules.trouble = [&](const ServedRequest& request) -> std::optional<Trouble> {
    if (!request.path.ends_with("/scores") || ++seen > 1) return std::nullopt;
    kill(child, SIGTERM);
    // The answer comes when the program has surely noticed.
    std::this_thread::sleep_for(std::chrono::seconds(1));
    return std::nullopt;
  };
  child = start();
  EXPECT_EQ(signal_that_ended(child), SIGTERM);
  EXPECT_EQ(simulator_.stored_scores(), 1);
  simulator_.rules.trouble = nullptr;
  const Ending rest = push();
  EXPECT_TRUE(rest.out.starts_with("1 score delivered")) << rest.out << rest.err;
  expect_each_once();
  EXPECT_EQ(simulator_.repeated_scores(), 0);
}

TEST_F(PushTest, StoppedWhileThePlatformHangsItEndsSoonAndSaysWhatWasSent) {
  pid_t child = 0;
  simulator_.rules.trouble = [&](const ServedRequest& request) -> std::optional<Trouble> {
    if (!request.path.ends_with("/scores")) return std::nullopt;
    kill(child, SIGINT);
    return Trouble{true, {200, {}, "late", ServedAnswer::Fate::stalls}};
  };
  const auto begin = std::chrono::steady_clock::now();
  child = start();
  EXPECT_EQ(signal_that_ended(child), SIGINT);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  const std::string said = read_file(folder_.path() / "push.out", kFileLimit);
  EXPECT_NE(said.find("ada was sent, but its answer did not arrive"), std::string::npos) << said;
  EXPECT_NE(said.find("Not tried:\n    bob."), std::string::npos) << said;
  simulator_.rules.trouble = nullptr;
  const Ending rest = push();
  EXPECT_TRUE(rest.out.starts_with("2 scores delivered")) << rest.out << rest.err;
  expect_each_once();
}

TEST_F(PushTest, ResultsThatCannotBeWrittenAreNamedWithWhatHelps) {
  fs::create_directory(BatchLayout(folder_.path() / "results").lock());  // not even root opens it
  expect_sentence(push(), 2, "Cannot write results/");
  EXPECT_NE(push().err.find("see to it that you may write"), std::string::npos);
}

TEST_F(PushTest, ANameThatNobodyKnowsIsToldSoon) {
  describe_platform({{"token_url", "https://no-such-host.invalid/token"}});
  const auto begin = std::chrono::steady_clock::now();
  const Ending ending = push();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_TRUE(ending.err.starts_with("Trying again for a while")) << ending.err;
  EXPECT_NE(ending.err.find("Correct token_url in the platform file"), std::string::npos)
      << ending.err;
}

TEST_F(PushTest, KilledBetweenScoreAndAnswerItStillDeliversOnce) {
  pid_t child = 0;
  std::size_t seen = 0;
  simulator_.rules.trouble = [&](const ServedRequest& request) -> std::optional<Trouble> {
    if (!request.path.ends_with("/scores") || ++seen != 2) return std::nullopt;
    kill(child, SIGKILL);
    return Trouble{true, {200, {}, "lost", ServedAnswer::Fate::lost}};
  };
  child = start();
  EXPECT_EQ(signal_that_ended(child), SIGKILL);
  EXPECT_EQ(simulator_.stored_scores(), 2);
  simulator_.rules.trouble = nullptr;
  const Ending rest = push();
  EXPECT_TRUE(rest.out.starts_with("1 score delivered")) << rest.out << rest.err;
  expect_each_once();
  EXPECT_EQ(simulator_.repeated_scores(), 1);
}

}  // namespace
}  // namespace grader
