#include "grader/lms/formats/lti.hpp"

#include "grader/lms/class_fixture.hpp"

namespace grader {
namespace {

using LtiExportTest = ClassFormatTest;

TEST_F(LtiExportTest, IsAnArrayOfWhatIsPosted) {
  add("ada", 65.6).lms_ids["lti_user"] = "u-1";
  add("bob", 50);
  const Exported exported = run("lti");
  const auto scores = nlohmann::json::parse(exported.files.at(0).bytes);
  ASSERT_EQ(scores.size(), 1U);
  EXPECT_EQ(scores[0]["userId"], "u-1");
  EXPECT_EQ(scores[0]["scoreGiven"], 65.6);
  EXPECT_EQ(scores[0]["timestamp"], "1970-01-01T00:00:00.000Z");  // options.now
  EXPECT_EQ(exported.left_out, std::vector<std::string>{"bob has no lti_user in the roster"});
}

TEST_F(LtiExportTest, NobodyIsAnEmptyArray) { EXPECT_EQ(run("lti").files.at(0).bytes, "[]\n"); }

}  // namespace
}  // namespace grader
