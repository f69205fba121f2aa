#include "grader/assignment/policy.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"

namespace grader {
namespace {

using nlohmann::json;

json good_policy() {
  return json::parse(R"({
    "id": "causal-attention", "title": "Attention", "max_score": 10, "seed": 2026, "cases": 500,
    "hint_level": "full", "main_file": "attention.cpp",
    "contract_headers": ["attention/attention.hpp"], "include_directories": [".", "attention"],
    "dispatch": "dispatch.cpp", "system_includes": ["/usr/include/eigen3"],
    "limits": {"call_wall_ms": 1500},
    "objectives": [{"id": "mask", "title": "mask", "points": 6},
                   {"id": "scaling", "title": "scaling", "points": 4}],
    "checks": [
      {"id": "mask.a", "objective": "mask", "title": "a", "points": 2.5, "hint": "h", "lesson": "l"},
      {"id": "mask.b", "objective": "mask", "title": "b", "points": 3.5, "hint": "h", "lesson": "l"},
      {"id": "scaling.c", "objective": "scaling", "title": "c", "points": 4, "hint": "", "lesson": ""}
    ]})");
}

/// The good policy with another value for the field `name`.
json with(const char* name, const json& value) {
  json policy = good_policy();
  policy[name] = value;
  return policy;
}

class PolicyTest : public testing::Test {
 protected:
  Policy read_text(const std::string& text) {
    const auto file = directory_.path() / "assignment.json";
    std::ofstream(file) << text;
    return read_policy(file);
  }
  Policy read(const json& policy) { return read_text(policy.dump()); }

  /// The complaint about `policy`, which must name the file.
  std::string complaint(const std::string& text) {
    try {
      read_text(text);
    } catch (const UsageFault& fault) {
      std::string what = fault.what();
      EXPECT_NE(what.find("assignment.json: "), std::string::npos) << what;
      EXPECT_FALSE(fault.hint().empty());
      return what;
    }
    return "accepted";
  }
  std::string complaint(const json& policy) { return complaint(policy.dump()); }

 private:
  TemporaryDirectory directory_;
};

#define EXPECT_COMPLAINT(policy, part) \
  EXPECT_NE(complaint(policy).find(part), std::string::npos) << complaint(policy)

TEST_F(PolicyTest, ReadsEveryField) {
  const Policy policy = read(good_policy());
  EXPECT_EQ(policy.id, "causal-attention");
  EXPECT_EQ(policy.seed, 2026U);
  EXPECT_EQ(policy.cases, 500);
  EXPECT_EQ(policy.hint_level, HintLevel::full);
  EXPECT_EQ(policy.include_directories.size(), 2U);
  EXPECT_EQ(policy.limits.call_wall_ms, 1500);
  EXPECT_EQ(policy.limits.build_cpu_ms, Limits{}.build_cpu_ms);
  ASSERT_EQ(policy.checks.size(), 3U);
  EXPECT_EQ(policy.checks[1].points, 3.5);
  EXPECT_EQ(policy.checks[2].objective, "scaling");
}

TEST_F(PolicyTest, RefusesAMissingField) {
  const json whole = good_policy();
  for (const auto& [name, value] : whole.items()) {
    if (name == "system_includes" || name == "limits") continue;
    json policy = good_policy();
    policy.erase(name);
    EXPECT_COMPLAINT(policy, "\"" + name + "\" is missing");
  }
  json policy = good_policy();
  policy["checks"][1].erase("hint");
  EXPECT_COMPLAINT(policy, "\"checks[1].hint\" is missing");
}

TEST_F(PolicyTest, RefusesAnUnknownField) {
  json policy = good_policy();
  policy["casess"] = 3;
  EXPECT_COMPLAINT(policy, "\"casess\" is unknown");
  policy = good_policy();
  policy["checks"][0]["weight"] = 3;
  EXPECT_COMPLAINT(policy, "\"checks[0].weight\" is unknown");
  policy = good_policy();
  policy["limits"]["cpu"] = 3;
  EXPECT_COMPLAINT(policy, "\"limits.cpu\" is unknown");
}

TEST_F(PolicyTest, RefusesAFieldThatStandsTwice) {
  std::string text = good_policy().dump();
  text.replace(text.find("\"cases\":500"), 11, "\"cases\":500,\"cases\":5");
  EXPECT_COMPLAINT(text, "\"cases\" stands twice");
}

TEST_F(PolicyTest, RefusesPointsThatDoNotAddUp) {
  json policy = good_policy();
  policy["checks"][0]["points"] = 3;
  EXPECT_COMPLAINT(policy, "gives 6.5 points to objective \"mask\", which has 6");
  policy = good_policy();
  policy["max_score"] = 100;
  EXPECT_COMPLAINT(policy, "adds up to 10 points, but max_score is 100");
  policy = good_policy();
  policy["checks"].erase(2);
  EXPECT_COMPLAINT(policy, "gives 0 points to objective \"scaling\"");
}

TEST_F(PolicyTest, AcceptsPointsThatAddUpButForRounding) {
  json policy = good_policy();
  policy["checks"][0]["points"] = 0.1;
  policy["checks"][1]["points"] = 0.2;
  policy["objectives"][0]["points"] = 0.3;
  policy["max_score"] = 4.3;
  EXPECT_EQ(read(policy).max_score, 4.3);
}

TEST_F(PolicyTest, RefusesRepeatedAndUnknownIds) {
  json policy = good_policy();
  policy["checks"][1]["id"] = "mask.a";
  EXPECT_COMPLAINT(policy, "\"checks[1].id\" repeats \"mask.a\"");
  policy = good_policy();
  policy["objectives"][1]["id"] = "mask";
  EXPECT_COMPLAINT(policy, "\"objectives[1].id\" repeats");
  policy = good_policy();
  policy["checks"][1]["objective"] = "masks";
  EXPECT_COMPLAINT(policy, "names \"masks\"");
  policy = good_policy();
  policy["checks"][1]["id"] = "mask a";
  EXPECT_COMPLAINT(policy, "is not an id");
}

TEST_F(PolicyTest, RefusesWrongTypesAndValues) {
  EXPECT_COMPLAINT(with("cases", "500"), "\"cases\"");
  EXPECT_COMPLAINT(with("cases", 0), "\"cases\"");
  EXPECT_COMPLAINT(with("cases", 2.5), "\"cases\"");
  EXPECT_COMPLAINT(with("cases", 18446744073709551615U), "\"cases\"");
  EXPECT_COMPLAINT(with("cases", 2000000), "\"cases\"");
  EXPECT_COMPLAINT(with("seed", -1), "\"seed\"");
  EXPECT_COMPLAINT(with("max_score", "ten"), "\"max_score\"");
  EXPECT_COMPLAINT(with("max_score", -10), "\"max_score\"");
  EXPECT_COMPLAINT(with("title", 5), "\"title\"");
  EXPECT_COMPLAINT(with("hint_level", "loud"), "\"hint_level\" is \"loud\"");
  EXPECT_COMPLAINT(with("checks", json::array()), "\"checks\"");
  EXPECT_COMPLAINT(with("checks", json::array({1})), "\"checks[0]\" is not an object");
  EXPECT_COMPLAINT(with("limits", {{"threads", -1}}), "\"limits.threads\"");
  EXPECT_COMPLAINT(with("dispatch", "../dispatch.cpp"), "leaves the assignment's folder");
  EXPECT_COMPLAINT(with("contract_headers", {"/etc/passwd"}), "leaves the assignment's folder");
  EXPECT_COMPLAINT(with("contract_headers", json::array()), "\"contract_headers\" is empty");
}

TEST_F(PolicyTest, ReadsTheDeadline) {
  EXPECT_FALSE(read(good_policy()).deadline);
  const auto deadline = read(with("deadline", {{"due", "2026-11-30T23:59:00+01:00"},
                                               {"grace_minutes", 15},
                                               {"penalty_percent_per_day", 12.5},
                                               {"latest_days", 5},
                                               {"free_late_days", 3},
                                               {"attempts", 4}}))
                            .deadline;
  ASSERT_TRUE(deadline);
  EXPECT_EQ(deadline->due, 1796079540);
  EXPECT_EQ(deadline->utc_offset, 3600);
  EXPECT_EQ(deadline->grace_minutes, 15);
  EXPECT_EQ(deadline->penalty_percent_per_day, 12.5);
  EXPECT_EQ(deadline->latest_days, 5);
  EXPECT_EQ(deadline->free_late_days, 3);
  EXPECT_EQ(deadline->attempts, 4);
  const auto least = read(with("deadline", {{"due", "2026-11-30T22:59:00Z"}})).deadline;
  ASSERT_TRUE(least);
  EXPECT_EQ(least->due, deadline->due);
  EXPECT_FALSE(least->latest_days || least->attempts);
}

TEST_F(PolicyTest, RefusesADeadlineThatMeansNothing) {
  const auto complaint_about = [&](const json& deadline) {
    return complaint(with("deadline", deadline));
  };
  const char* due = "2026-11-30T23:59:00Z";
  EXPECT_NE(complaint_about({{"grace_minutes", 5}}).find("\"deadline.due\" is missing"),
            std::string::npos);
  EXPECT_NE(complaint_about({{"due", "tomorrow"}}).find("no moment with an offset"),
            std::string::npos);
  EXPECT_NE(complaint_about({{"due", "2026-11-30T23:59:00"}}).find("no moment with an offset"),
            std::string::npos);
  EXPECT_NE(complaint_about({{"due", due}, {"penalty_percent_per_day", 101}}).find("from 0 to 100"),
            std::string::npos);
  EXPECT_NE(complaint_about({{"due", due}, {"latest_days", -1}}).find("\"deadline.latest_days\""),
            std::string::npos);
  EXPECT_NE(complaint_about({{"due", due}, {"attempts", 0}}).find("\"deadline.attempts\""),
            std::string::npos);
  EXPECT_NE(complaint_about({{"due", due}, {"grace_minutes", 2000000}}).find("a million"),
            std::string::npos);
  EXPECT_NE(complaint_about({{"due", due}, {"late", 1}}).find("\"deadline.late\" is unknown"),
            std::string::npos);
}

TEST_F(PolicyTest, RefusesWhatIsNotJson) {
  EXPECT_COMPLAINT(std::string("{\n\"id\": \"a\"\n\"title\": 1}"), "line 3 is not valid JSON");
  EXPECT_COMPLAINT(std::string(""), "is not valid JSON");
  EXPECT_COMPLAINT(std::string("[]"), "the document is not an object");
  EXPECT_COMPLAINT(std::string("\xff\xfe"), "is not valid JSON");
}

TEST_F(PolicyTest, MissingFileIsAUsageFault) {
  EXPECT_THROW(read_policy("/nonexistent/assignment.json"), UsageFault);
}

}  // namespace
}  // namespace grader
