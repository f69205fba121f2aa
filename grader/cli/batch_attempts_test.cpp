// Several attempts of one student: which are graded, which count, and what is said of the others.
#include "grader/cli/batch_cli_fixture.hpp"
#include "grader/csv/csv.hpp"

namespace grader {
namespace {

using Json = nlohmann::json;

class BatchAttemptsTest : public BatchCliTest {
 protected:
  void SetUp() override {
    BatchCliTest::SetUp();
    fs::copy(TOY, folder_.path() / "mine", fs::copy_options::recursive);
    hand_in("ada_attempt_1", right());
    hand_in("ada_attempt_2", wrong());
    hand_in("ada_attempt_3", right() + "// the third\n");
    hand_in("bob", wrong());
  }

  void allow(std::int64_t attempts) const {
    const fs::path file = folder_.path() / "mine/assignment.json";
    Json policy = Json::parse(read_file(file, kFileLimit));
    policy["deadline"] = {{"due", "2026-11-30T23:59:00+01:00"}, {"attempts", attempts}};
    write("mine/assignment.json", policy.dump());
  }

  // Many a test grades for what it leaves behind. NOLINTNEXTLINE(modernize-use-nodiscard)
  Ending grade_class(const std::string& which) const {
    return run({"batch", "--assignment", "mine", "class", "--out", "results", "--attempts", which});
  }

  /// Ada's row in class.csv, by column.
  [[nodiscard]] std::map<std::string, std::string> row() const {
    const CsvTable table =
        read_csv(read_file(folder_.path() / "results/class.csv", kFileLimit), "class.csv");
    EXPECT_EQ(table.rows.size(), 2U) << "a row a student";
    std::map<std::string, std::string> fields;
    for (std::size_t column = 0; column < table.header.fields.size(); ++column) {
      fields[table.header.fields[column]] = table.rows.at(0).fields.at(column);
    }
    EXPECT_EQ(fields["student"], "ada");
    return fields;
  }

  [[nodiscard]] bool is_graded(int attempt) const {
    return fs::exists(folder_.path() / "results/students/ada" /
                      ("attempt-" + std::to_string(attempt)));
  }
};

TEST_F(BatchAttemptsTest, TheLastIsGradedAndTheOthersAreCounted) {
  EXPECT_EQ(grade_class("last").exit_code, 0);
  EXPECT_FALSE(is_graded(1) || is_graded(2));
  auto ada = row();
  EXPECT_EQ(ada["attempt"], "3");
  EXPECT_EQ(ada["attempts"], "3");
  EXPECT_EQ(ada["graded_attempts"], "");
  EXPECT_EQ(ada["adjustments"], "Attempt 3 of 3 counts: the last.");
}

TEST_F(BatchAttemptsTest, AllAreListedInTheStudentsOneRow) {
  EXPECT_EQ(grade_class("all").exit_code, 0);
  auto ada = row();
  const std::string low = Json(score_of("bob")).dump();
  EXPECT_EQ(ada["graded_attempts"], "1: 10; 2: " + low.substr(0, low.find('.')) + "; 3: 10");
  EXPECT_EQ(ada["final_score"], "10");
  EXPECT_EQ(ada["attempt"], "3");
  const std::string page = read_file(folder_.path() / "results/class.html", kFileLimit);
  for (const char* attempt : {"1", "2", "3"}) {
    EXPECT_NE(page.find("students/ada/attempt-" + std::string(attempt) + "/run-1/report.html"),
              std::string::npos);
  }
}

TEST_F(BatchAttemptsTest, TheBestCountsAndTheOthersAreListed) {
  allow(2);
  EXPECT_EQ(grade_class("best").exit_code, 0);
  auto ada = row();
  EXPECT_EQ(ada["attempt"], "1");
  EXPECT_TRUE(ada["graded_attempts"].starts_with("1: 10; 2: ")) << ada["graded_attempts"];
  EXPECT_NE(ada["adjustments"].find("Attempt 1 of 2 counts: the best."), std::string::npos);
}

TEST_F(BatchAttemptsTest, AttemptsBeyondTheLimitDoNotCountAndItIsSaid) {
  allow(2);
  const std::string sentence = "Attempt 3 does not count: 2 are allowed.";
  const Ending result = grade_class("last");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("ada: " + sentence), std::string::npos) << result.out;
  EXPECT_FALSE(is_graded(3));
  auto ada = row();
  EXPECT_EQ(ada["attempt"], "2");
  EXPECT_EQ(ada["attempts"], "3");
  EXPECT_NE(ada["adjustments"].find(sentence), std::string::npos) << ada["adjustments"];
  const std::string page = read_file(folder_.path() / "results/class.html", kFileLimit);
  EXPECT_NE(page.find("<li>ada: " + sentence + "</li>"), std::string::npos);
}

TEST_F(BatchAttemptsTest, ALimitThatChangesCountsAtOnce) {
  EXPECT_EQ(grade_class("all").exit_code, 0);
  allow(1);
  const Ending report = run({"report", "results", "--assignment", "mine"});
  EXPECT_NE(report.out.find("ada: Attempts 2 to 3 do not count: 1 is allowed."), std::string::npos)
      << report.out << report.err;
  EXPECT_EQ(row()["attempt"], "1");
  // Where only an attempt beyond the limit was graded, there is no score until another one is.
  fs::remove_all(folder_.path() / "results");
  allow(3);
  grade_class("last");
  allow(2);
  const Ending ungraded = run({"report", "results", "--assignment", "mine"});
  EXPECT_NE(ungraded.out.find("None of the attempts that count has been graded"), std::string::npos)
      << ungraded.out;
  EXPECT_EQ(row()["final_score"], "");
  EXPECT_EQ(grade_class("last").exit_code, 0);
  EXPECT_EQ(row()["attempt"], "2");
  EXPECT_EQ(row()["needs_attention"], "");
}

}  // namespace
}  // namespace grader
