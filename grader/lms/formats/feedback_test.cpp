#include "grader/lms/formats/feedback.hpp"

#include "grader/lms/class_fixture.hpp"
#include "grader/lms/zip_writer.hpp"
#include "grader/scorecard/example_scorecards.hpp"
#include "grader/scorecard/json.hpp"

namespace grader {
namespace {

class FeedbackTest : public ClassFormatTest {
 protected:
  StudentResult& graded(const std::string& id, const std::string& name,
                        const std::map<std::string, std::string>& ids = {}) {
    StudentResult& student = add(id, 50, name);
    student.lms_ids = ids;
    student.report = "students/" + id + "/attempt-1/run-1/report.html";
    const auto folder = (folder_.path() / student.report).parent_path();
    std::filesystem::create_directories(folder);
    Scorecard scorecard = examples::masked_too_late();
    scorecard.submission_id = id;
    write_atomically(folder / "scorecard.json", scorecard_to_json(scorecard));
    write_atomically(folder / "report.html", "the instructor's page");
    return student;
  }
};

TEST_F(FeedbackTest, EachStudentHasAFolderWithPageAndScorecard) {
  graded("ada", "Ada");
  graded("bob", "Bob").status = StudentStatus::not_built;
  add("cy", std::nullopt);
  graded("dan", "Dan").status = StudentStatus::excused;
  const Exported exported = run("folders");
  std::vector<std::string> names;
  for (const ExportedFile& file : exported.files) names.push_back(file.name);
  EXPECT_EQ(names, (std::vector<std::string>{"ada/report.html", "ada/scorecard.json",
                                             "bob/report.html", "bob/scorecard.json"}));
  EXPECT_TRUE(exported.files[0].bytes.starts_with("<!doctype html>"));
  EXPECT_EQ(nlohmann::json::parse(exported.files[1].bytes)["submission"]["id"], "ada");
  EXPECT_EQ(exported.left_out,
            (std::vector<std::string>{"cy has handed nothing in", "dan is excused"}));
}

TEST_F(FeedbackTest, NeitherPageNorScorecardTellsMoreThanItMay) {
  graded("ada", "Ada",
         {{"moodle_participant", "7"}, {"canvas_user", "1"}, {"canvas_attachment", "2"}});
  const auto texts = [&](HintLevel level) {
    most_told_ = level;
    std::string all;
    for (const ExportedFile& file : run("folders").files) all += file.bytes;
    const auto zip = read_by("moodle-zip", run("moodle-feedback").files.at(0).bytes, {"7"});
    for (const auto& [name, text] : zip["files"]["7"].items()) all += text.get<std::string>();
    return all;
  };
  const std::string full = texts(HintLevel::full);
  const std::string hints = texts(HintLevel::hints);
  const std::string scores = texts(HintLevel::score_only);
  // Of the inputs and the command that shows them again; of the findings; of the seed.
  for (const char* part : {"attention-grader replay", "smallest input"}) {
    EXPECT_NE(full.find(part), std::string::npos) << part;
    EXPECT_EQ(hints.find(part), std::string::npos) << part;
    EXPECT_EQ(scores.find(part), std::string::npos) << part;
  }
  EXPECT_NE(hints.find("M02"), std::string::npos);
  EXPECT_EQ(scores.find("M02"), std::string::npos);
  const std::string seed = std::to_string(examples::masked_too_late().seed);
  EXPECT_NE(hints.find("\"seed\": " + seed), std::string::npos);
  EXPECT_EQ(scores.find("\"seed\": " + seed), std::string::npos);
}

TEST_F(FeedbackTest, MoodleFindsTheStudentOfEveryFile) {
  const std::vector<std::string> names = {"Jane Doe", "Zoë 王",          "a_1_b_2_c/../x", "=1+1",
                                          "..",       "Jean-Luc O'Hara", "\"q\" <b>&",     ""};
  std::vector<std::string> participants;
  for (std::size_t index = 0; index < names.size(); ++index) {
    participants.push_back(std::to_string(1000 + index));
    graded("s" + std::to_string(index), names[index],
           {{"moodle_participant", participants.back()}});
  }
  const Exported exported = run("moodle-feedback");
  EXPECT_EQ(exported.files.at(0).name, "moodle-feedback.zip");
  const auto read = read_by("moodle-zip", exported.files.at(0).bytes, participants);
  EXPECT_TRUE(read["ignored"].empty()) << read["ignored"];
  ASSERT_EQ(read["files"].size(), names.size());
  for (std::size_t index = 0; index < names.size(); ++index) {
    const auto& files = read["files"][participants[index]];
    ASSERT_EQ(files.size(), 2U) << names[index];
    EXPECT_TRUE(files["report.html"].get<std::string>().starts_with("<!doctype html>"));
    EXPECT_EQ(nlohmann::json::parse(files["scorecard.json"].get<std::string>())["submission"]["id"],
              "s" + std::to_string(index));
  }
}

TEST_F(FeedbackTest, CanvasFindsTheStudentOfEveryFile) {
  graded("a", "Doe, Jane 2", {{"canvas_user", "11"}, {"canvas_attachment", "501"}});
  graded("b", "王", {{"canvas_user", "12"}, {"canvas_attachment", "502"}});
  graded("c", "anon", {{"canvas_user", "13"}, {"canvas_attachment", "503"}});
  graded("d", "", {{"canvas_anonymous", "aB3xZ"}, {"canvas_attachment", "504"}});
  graded("e", "link", {{"canvas_user", "15"}, {"canvas_attachment", "505"}});
  const Exported exported = run("canvas-feedback");
  EXPECT_EQ(exported.files.at(0).name, "submissions.zip");
  const auto read = read_by("canvas-zip", exported.files.at(0).bytes,
                            {"11=501", "12=502", "13=503", "aB3xZ=504", "15=505"});
  EXPECT_TRUE(read["ignored"].empty()) << read["ignored"];
  EXPECT_EQ(read["comments"].size(), 5U);
  for (const auto& [user, files] : read["comments"].items()) EXPECT_EQ(files.size(), 1U);
  EXPECT_TRUE(says(exported.notices, "under the name of the file that the student handed in"));
}

TEST_F(FeedbackTest, WhomThePlatformWouldNotFindIsNamed) {
  graded("a", "A", {{"canvas_user", "11"}, {"canvas_attachment", "501"}});
  graded("b", "B", {{"canvas_user", "12"}});
  graded("c", "C", {{"canvas_attachment", "503"}});
  graded("d", "D", {{"canvas_anonymous", "a/b"}, {"canvas_attachment", "504"}});
  graded("e", "E", {{"canvas_user", "15"}, {"canvas_attachment", "505"}});
  graded("f", "F", {{"canvas_user", "15"}, {"canvas_attachment", "505"}});
  EXPECT_EQ(run("canvas-feedback").left_out,
            (std::vector<std::string>{("b is not from a download of Canvas's, and Canvas takes "
                                       "files only beside those it gave out"),
                                      "c has no canvas_user", "d has no canvas_user",
                                      "e is called the same on the platform as another student",
                                      "f is called the same on the platform as another student"}));
  EXPECT_NE(complaint("moodle-feedback")
                .find("Nobody's report can be addressed: a has no moodle_participant."),
            std::string::npos);
}

TEST_F(FeedbackTest, TheSameReportsGiveTheSameZip) {
  graded("a", "Zoë", {{"moodle_participant", "7"}});
  EXPECT_EQ(run("moodle-feedback").files.at(0).bytes, run("moodle-feedback").files.at(0).bytes);
}

TEST_F(FeedbackTest, AScorecardThatIsGoneCostsNobodyElse) {
  const StudentResult student = graded("a", "A", {{"moodle_participant", "7"}});
  graded("b", "B", {{"moodle_participant", "8"}});
  std::filesystem::remove((folder_.path() / student.report).parent_path() / "scorecard.json");
  for (const char* format : {"folders", "moodle-feedback"}) {
    const Exported exported = run(format);
    ASSERT_EQ(exported.left_out.size(), 1U) << format;
    EXPECT_TRUE(says(exported.left_out, "a has a result that cannot be read. Cannot read "));
    EXPECT_TRUE(says(exported.left_out, "`--only a` grades it anew."));
    EXPECT_FALSE(exported.files.empty());
  }
}

}  // namespace
}  // namespace grader
