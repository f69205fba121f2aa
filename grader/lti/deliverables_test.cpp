#include "grader/lti/deliverables.hpp"

#include "grader/lti/lti_fixture.hpp"

namespace grader {
namespace {

StudentResult student(const std::string& id, std::map<std::string, std::string> lms_ids) {
  StudentResult result;
  result.id = id;
  result.status = StudentStatus::graded;
  result.attempt = 1;
  result.score = 80;
  result.final_score = 72.5;
  result.lms_ids = std::move(lms_ids);
  return result;
}

class DeliverablesTest : public testing::Test {
 protected:
  DeliverablesTest() {
    class_.max_score = 100;
    platform_.user_ids = {"lti_user"};
  }
  [[nodiscard]] Deliverables of(const std::vector<std::string>& only = {}) const {
    return deliverables(class_, platform_, only);
  }

  ClassResults class_;
  Platform platform_;
};

TEST_F(DeliverablesTest, TheScoreThatCountsGoesToTheUserOfThePlatform) {
  class_.students = {student("ada", {{"lti_user", "u-1"}}), student("bob", {{"lti_user", "u-2"}})};
  const Deliverables all = of();
  ASSERT_EQ(all.scores.size(), 2);
  EXPECT_EQ(all.scores[0].student, "ada");
  EXPECT_EQ(all.scores[0].score.user_id, "u-1");
  EXPECT_EQ(all.scores[0].score.given, 72.5);
  EXPECT_EQ(all.scores[0].score.maximum, 100);
  EXPECT_TRUE(all.left_out.empty());
}

TEST_F(DeliverablesTest, ThePlatformSaysWhichIdItTakes) {
  class_.students = {student("ada", {{"canvas_user", "11"}, {"lti_user", "u-1"}}),
                     student("bob", {{"canvas_user", "12"}}), student("cy", {})};
  ASSERT_EQ(of().scores.size(), 1);
  EXPECT_EQ(of().left_out.size(), 2);
  platform_.user_ids = {"lti_user", "canvas_user"};
  const Deliverables all = of();
  ASSERT_EQ(all.scores.size(), 2);
  EXPECT_EQ(all.scores[0].score.user_id, "u-1");
  EXPECT_EQ(all.scores[1].score.user_id, "12");
  ASSERT_EQ(all.left_out.size(), 1);
  EXPECT_TRUE(all.left_out[0].starts_with("cy ")) << all.left_out[0];
}

TEST_F(DeliverablesTest, WhoNeedsNoScoreIsNotMissed) {
  class_.students = {student("ada", {{"lti_user", "1"}}), student("bob", {{"lti_user", "2"}}),
                     student("cy", {{"lti_user", "3"}}), student("dan", {{"lti_user", "4"}})};
  class_.students[0].status = StudentStatus::excused;
  class_.students[0].final_score.reset();
  class_.students[1].status = StudentStatus::missing;
  class_.students[1].final_score.reset();
  class_.students[2].status = StudentStatus::needs_attention;
  class_.students[2].final_score.reset();
  class_.students[2].needs_attention = "The disk was full.";
  const Deliverables all = of();
  ASSERT_EQ(all.scores.size(), 1);
  EXPECT_EQ(all.scores[0].student, "dan");
  ASSERT_EQ(all.nothing_to_deliver.size(), 2);
  EXPECT_TRUE(all.nothing_to_deliver[0].starts_with("ada is excused"));
  ASSERT_EQ(all.left_out.size(), 1);
  EXPECT_TRUE(all.left_out[0].starts_with("cy needs attention"));
}

TEST_F(DeliverablesTest, OnlyWhoIsAskedForAndInTheClass) {
  class_.students = {student("ada", {{"lti_user", "1"}}), student("bob", {}),
                     student("cy", {{"lti_user", "1"}}), student("dan", {{"lti_user", "4"}})};
  EXPECT_EQ(of({"dan"}).scores.size(), 1);
  EXPECT_TRUE(of({"dan"}).left_out.empty());
  EXPECT_EQ(of({"bob"}).left_out.size(), 1);
  // An id of two students is nobody's, also when only one of them is asked for.
  EXPECT_EQ(of({"ada"}).left_out.size(), 1);
  EXPECT_NE(
      sentence_of<UsageFault>([&] { static_cast<void>(of({"dann"})); }).find("no student dann"),
      std::string::npos);
}

}  // namespace
}  // namespace grader
