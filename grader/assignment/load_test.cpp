#include "grader/assignment/load.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/engine/engine.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

/// A copy of the toy assignment that a test may break.
class LoadTest : public testing::Test {
 protected:
  void SetUp() override { fs::copy(TOY_ASSIGNMENT, folder(), fs::copy_options::recursive); }
  [[nodiscard]] fs::path folder() const { return directory_.path() / "toy"; }

  void change_policy(void (*change)(nlohmann::json&)) const {
    std::ifstream input(folder() / "assignment.json");
    auto policy = nlohmann::json::parse(input);
    change(policy);
    std::ofstream(folder() / "assignment.json") << policy.dump();
  }
  [[nodiscard]] std::string complaint() const {
    try {
      load_assignment(folder());
    } catch (const UsageFault& fault) {
      EXPECT_FALSE(fault.hint().empty());
      return fault.what();
    }
    return "accepted";
  }

 private:
  TemporaryDirectory directory_;
};

#define EXPECT_COMPLAINT(part) EXPECT_NE(complaint().find(part), std::string::npos) << complaint()

TEST_F(LoadTest, LoadsACompleteFolder) {
  const LoadedAssignment loaded = load_assignment(folder());
  EXPECT_EQ(loaded.policy.id, "toy-mean");
  ASSERT_NE(loaded.judge, nullptr);
  EXPECT_EQ(loaded.judge->checks.size(), 2U);
  EXPECT_EQ(loaded.digest.size(), 64U);
}

TEST_F(LoadTest, JudgesWithChecksFromTheModule) {
  const LoadedAssignment loaded = load_assignment(folder());
  const auto reference = loaded.judge->make_reference();
  for (const CheckResult& result :
       run_checks(loaded.judge->checks, loaded.judge->contract, *reference, EngineOptions{})) {
    EXPECT_EQ(result.status, CheckStatus::passed) << result.id << ": " << result.message;
    EXPECT_TRUE(result.coverage_missed.empty());
  }
  for (const Model& model : loaded.judge->models) {
    const auto implementation = model.make();
    const auto results =
        run_checks(loaded.judge->checks, loaded.judge->contract, *implementation, EngineOptions{});
    const bool all_passed = std::ranges::all_of(
        results, [](const CheckResult& result) { return result.status == CheckStatus::passed; });
    EXPECT_EQ(all_passed, model.role == Model::Role::correct_style) << model.id;
  }
}

TEST_F(LoadTest, DigestChangesWithAnyFile) {
  const std::string before = load_assignment(folder()).digest;
  EXPECT_EQ(load_assignment(folder()).digest, before);
  std::ofstream(folder() / "contract" / "toy" / "mean.hpp", std::ios::app) << "\n";
  EXPECT_NE(load_assignment(folder()).digest, before);
}

TEST_F(LoadTest, TheTemplateIsNoPartOfTheDigest) {
  const std::string before = load_assignment(folder()).digest;
  fs::create_directories(folder() / kTemplateFolder);
  std::ofstream(folder() / kTemplateFolder / "mean.cpp") << "// your work\n";
  EXPECT_EQ(load_assignment(folder()).digest, before);
}

TEST_F(LoadTest, ExamplesAreReadAndLeaveTheDigestAlone) {
  const LoadedAssignment before = load_assignment(folder());
  EXPECT_EQ(before.examples, "");
  std::ofstream(folder() / kExamplesFile) << "what failed before";
  const LoadedAssignment after = load_assignment(folder());
  EXPECT_EQ(after.digest, before.digest) << "scorecards made before can still be replayed";
  EXPECT_EQ(after.examples, "what failed before");
  fs::remove(folder() / kExamplesFile);
  fs::create_directory(folder() / kExamplesFile);
  EXPECT_COMPLAINT("examples.json");
}

TEST_F(LoadTest, DigestDoesNotDependOnThePlace) {
  EXPECT_EQ(load_assignment(folder()).digest, load_assignment(TOY_ASSIGNMENT).digest);
}

TEST_F(LoadTest, DigestDoesNotDependOnTheDeadline) {
  const std::string before = load_assignment(folder()).digest;
  change_policy([](auto& policy) { policy["deadline"] = {{"due", "2026-11-30T23:59:00+01:00"}}; });
  EXPECT_TRUE(load_assignment(folder()).policy.deadline);
  EXPECT_EQ(load_assignment(folder()).digest, before);
  change_policy([](auto& policy) { policy["cases"] = 7; });
  EXPECT_NE(load_assignment(folder()).digest, before);
}

TEST_F(LoadTest, RefusesAnIncompleteFolder) {
  for (const char* file :
       {"assignment.json", "judge.so", "dispatch.cpp", "contract/toy/mean.hpp"}) {
    const fs::path whole = folder() / file;
    const fs::path away = folder() / "away";
    fs::rename(whole, away);
    EXPECT_COMPLAINT(fs::path(file).filename().string());
    fs::rename(away, whole);
  }
  EXPECT_THROW(load_assignment(folder() / "nowhere"), UsageFault);
}

TEST_F(LoadTest, RefusesAModuleThatIsNone) {
  std::ofstream(folder() / "judge.so", std::ios::trunc) << "not a shared object";
  EXPECT_COMPLAINT("Cannot load");
}

TEST_F(LoadTest, RefusesAModuleWithoutJudge) {
  fs::copy_file(OTHER_MODULE, folder() / "judge.so", fs::copy_options::overwrite_existing);
  EXPECT_COMPLAINT("attention_grader_judge_version");
}

TEST_F(LoadTest, RefusesADroppedCheck) {
  change_policy([](nlohmann::json& policy) {
    policy["checks"].erase(1);
    policy["objectives"].erase(1);
    policy["max_score"] = 7;
  });
  EXPECT_COMPLAINT("lacks check \"mean.order\"");
}

TEST_F(LoadTest, RefusesACheckThatTheModuleDoesNotKnow) {
  change_policy([](nlohmann::json& policy) {
    policy["checks"].push_back(policy["checks"][0]);
    policy["checks"][2]["id"] = "mean.median";
    policy["checks"][2]["points"] = 0;
  });
  EXPECT_COMPLAINT("\"mean.median\", which the judge module does not know");
}

TEST(DefaultAssignmentTest, SaysWhereItLookedWhenNothingIsThere) {
  // The test program lies in a folder of its own, without assignments beside it.
  try {
    default_assignment();
    FAIL() << "found an assignment beside the test program";
  } catch (const EnvironmentFault& fault) {
    EXPECT_NE(std::string(fault.what()).find("assignments/attention"), std::string::npos);
  }
}

}  // namespace
}  // namespace grader
