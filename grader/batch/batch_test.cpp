// The smaller parts of a batch.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <set>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/batch/batch_folder.hpp"
#include "grader/batch/comparison.hpp"
#include "grader/batch/handed_in.hpp"
#include "grader/batch/layout.hpp"
#include "grader/batch/overrides.hpp"
#include "grader/batch/progress_text.hpp"
#include "grader/batch/run_files.hpp"
#include "grader/batch/task_request.hpp"
#include "grader/scorecard/example_scorecards.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

template <class Fault, class Work>
std::string sentence_of(const Work& work) {
  try {
    work();
  } catch (const Fault& fault) {
    EXPECT_NE(fault.hint(), "");
    return fault.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST(BatchLayoutTest, NoTwoStudentsShareAFolder) {
  std::set<std::string> folders;
  const std::vector<std::string> keys = {"ada",
                                         "Ada",
                                         "ADA",
                                         "a/da",
                                         "a\\da",
                                         "..",
                                         ".",
                                         "",
                                         "-rf",
                                         "a da",
                                         "ådá",
                                         "a\nda",
                                         "con",
                                         "ada.",
                                         "ada+",
                                         ".git",
                                         "ada ",
                                         std::string(300, 'a'),
                                         std::string(301, 'a')};
  for (const std::string& key : keys) {
    const std::string folder = student_folder(key);
    EXPECT_TRUE(folders.insert(folder).second) << key;
    EXPECT_EQ(folder.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789._-+"),
              std::string::npos)
        << folder;
    EXPECT_NE(folder.front(), '.') << folder;
    EXPECT_NE(folder.front(), '-') << folder;
    EXPECT_LE(folder.size(), 64U);
  }
  EXPECT_EQ(student_folder("doe_jane.2"), "doe_jane.2");
}

TEST(BatchLayoutTest, CountsTheRunsOnTheDisk) {
  const TemporaryDirectory folder;
  const BatchLayout layout(folder.path());
  EXPECT_EQ(layout.next_run("ada", 1), 1);
  fs::create_directories(folder.path() / BatchLayout::run_folder("ada", 1, 9));
  fs::create_directories(folder.path() / BatchLayout::run_folder("ada", 1, 10));
  fs::create_directories(folder.path() / BatchLayout::run_folder("ada", 2, 1));
  fs::create_directories(folder.path() / "students/ada/attempt-1/run-x");
  fs::create_directories(folder.path() / "students/ada/notes");
  EXPECT_EQ(layout.next_run("ada", 1), 11);
  EXPECT_EQ(layout.run_folders().size(), 3U);
}

class BatchFolderTest : public testing::Test {
 protected:
  void describe(const std::string& id) const {
    BatchFolder folder(results_, id);
    folder.describe({id, "", WhichAttempts::best, {"a.zip"}, {{"x", "y"}}, {"z"}, {{"ada", 3}}});
  }
  const TemporaryDirectory place_;
  const fs::path results_ = place_.path() / "results";
};

TEST_F(BatchFolderTest, RemembersWhatItIsFor) {
  describe("causal-attention");
  const BatchFile batch = read_batch_file(BatchLayout(results_));
  EXPECT_EQ(batch.assignment_id, "causal-attention");
  EXPECT_EQ(batch.which, WhichAttempts::best);
  EXPECT_EQ(batch.sources, std::vector<std::string>{"a.zip"});
  EXPECT_EQ(batch.left_out.at(0).reason, "y");
  EXPECT_EQ(batch.notices.at(0), "z");
  EXPECT_EQ(batch.handed_in.at("ada"), 3);
  EXPECT_FALSE(fs::exists(results_ / ".work"));
  EXPECT_FALSE(fs::exists(results_ / ".lock"));
}

TEST_F(BatchFolderTest, ReadsWhatEarlierVersionsWrote) {
  describe("toy");
  std::ofstream(results_ / "batch.json")
      << R"({"format": 1, "assignment_id": "toy", "assignment": "", "attempts": "last",
             "sources": [], "notices": []})";
  EXPECT_TRUE(read_batch_file(BatchLayout(results_)).handed_in.empty());
}

TEST_F(BatchFolderTest, RefusesResultsOfAnotherAssignment) {
  describe("causal-attention");
  const std::string sentence =
      sentence_of<UsageFault>([&] { const BatchFolder folder(results_, "toy"); });
  EXPECT_NE(sentence.find("of the assignment causal-attention, not of toy"), std::string::npos);
}

TEST_F(BatchFolderTest, RefusesResultsOfALaterVersion) {
  describe("toy");
  std::ofstream(results_ / "batch.json") << R"({"format": 1000, "assignment_id": "toy"})";
  const std::string sentence =
      sentence_of<UsageFault>([&] { const BatchFolder folder(results_, "toy"); });
  EXPECT_NE(sentence.find("a later version"), std::string::npos) << sentence;
}

TEST_F(BatchFolderTest, RefusesAFolderOfSomethingElse) {
  fs::create_directory(results_);
  std::ofstream(results_ / "thesis.tex") << "";
  sentence_of<UsageFault>([&] { const BatchFolder folder(results_, "toy"); });
  EXPECT_EQ(std::distance(fs::directory_iterator(results_), {}), 1) << "nothing was written";
  const fs::path file = place_.path() / "file";
  std::ofstream(file) << "";
  sentence_of<UsageFault>([&] { const BatchFolder folder(file, "toy"); });
}

TEST_F(BatchFolderTest, WhereNothingCanBeWrittenItIsTheMachinesFault) {
  sentence_of<EnvironmentFault>([&] { const BatchFolder folder("/proc/results", "toy"); });
}

TEST_F(BatchFolderTest, OneProcessAtATime) {
  describe("toy");
  const BatchFolder first(results_, "toy");
  const std::string sentence =
      sentence_of<UsageFault>([&] { const BatchFolder second(results_, "toy"); });
  EXPECT_NE(sentence.find("Another process works on"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find(std::to_string(getpid())), std::string::npos) << sentence;
}

TEST_F(BatchFolderTest, AProcessThatFinishesMeanwhileLeavesNoLockBehind) {
  describe("toy");
  const BatchLayout layout(results_);
  for (int time = 0; time < 200; ++time) {
    // The child finishes, and removes its lock, at whatever moment of this process's locking.
    const pid_t child = fork();
    if (child == 0) {
      try {
        const BatchFolder folder(results_, "toy");
      } catch (const UsageFault&) {
        _exit(1);
      }
      _exit(0);
    }
    try {
      const Descriptor lock = lock_results(layout);
      EXPECT_TRUE(fs::exists(layout.lock())) << "a lock that others see";
      EXPECT_THROW(static_cast<void>(lock_results(layout)), UsageFault);
      fs::remove(layout.lock());
    } catch (const UsageFault&) {
      // the child has it
    }
    waitpid(child, nullptr, 0);
  }
}

TEST_F(BatchFolderTest, TheLockEndsWithTheProcess) {
  describe("toy");
  const pid_t child = fork();
  if (child == 0) {
    const BatchFolder folder(results_, "toy");
    std::ofstream(folder.layout().work() / "half") << "written";
    _exit(0);  // without a destructor, as when it is killed
  }
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(fs::exists(results_ / ".work/half"));
  const BatchFolder folder(results_, "toy");
  EXPECT_TRUE(fs::is_empty(results_ / ".work")) << "what was left is removed";
}

TEST_F(BatchFolderTest, WhatWasMadeForNothingIsRemoved) {
  { const BatchFolder folder(results_, "toy"); }
  EXPECT_FALSE(fs::exists(results_));
  fs::create_directory(results_);
  { const BatchFolder folder(results_, "toy"); }
  EXPECT_TRUE(fs::exists(results_)) << "it was there before";
}

class HandedInTest : public testing::Test {
 protected:
  HandedInTest() { policy_.main_file = "attention.cpp"; }
  // Many a test writes for what is then found. NOLINTNEXTLINE(modernize-use-nodiscard)
  fs::path write(const std::string& name, const std::string& text) const {
    fs::create_directories((place_.path() / name).parent_path());
    std::ofstream(place_.path() / name) << text;
    return place_.path() / name;
  }
  const TemporaryDirectory place_;
  Policy policy_;
};

TEST_F(HandedInTest, TheNameInADownloadDoesNotCount) {
  const std::string first =
      content_digest(write("doe_LATE_1_2_attention-3.cpp", "int x;"), policy_);
  EXPECT_EQ(first, content_digest(write("attention.cc", "int x;"), policy_));
  EXPECT_NE(first, content_digest(write("other.cpp", "int y;"), policy_));
  EXPECT_NE(first, content_digest(write("doe.txt", "int x;"), policy_)) << "it will be refused";
  write("doe/attention.cpp", "int x;");
  write("roe/attention.cpp", "int x;");
  EXPECT_EQ(content_digest(place_.path() / "doe", policy_),
            content_digest(place_.path() / "roe", policy_));
  write("roe/helper.hpp", "");
  EXPECT_NE(content_digest(place_.path() / "doe", policy_),
            content_digest(place_.path() / "roe", policy_));
}

TEST_F(HandedInTest, ACopyHasANameThatSaysOnlyWhatItIs) {
  const TemporaryDirectory work;
  const auto name = [&](const fs::path& path) {
    return under_neutral_name(path, policy_, work.path()).filename().string();
  };
  EXPECT_EQ(name(write("doe_1_2_attention-3.CPP", "x")), "attention.cpp");
  EXPECT_EQ(name(write("doe_1_2_work.ZIP", "x")), "submission.zip");
  EXPECT_EQ(name(write("doe_1_2_work.tar.gz", "x")), "submission.tar.gz");
  EXPECT_EQ(name(write("doe_essay.docx", "x")), "submission.docx");
  EXPECT_EQ(read_file(work.path() / "submission.docx", 100), "x");
  EXPECT_EQ(under_neutral_name(place_.path(), policy_, work.path()), place_.path());
  fs::create_symlink("/etc/passwd", place_.path() / "link.cpp");
  EXPECT_EQ(under_neutral_name(place_.path() / "link.cpp", policy_, work.path()),
            place_.path() / "link.cpp")
      << "intake refuses links";
}

TEST(TaskRequestTest, ComesBackAsItWas) {
  TaskRequest request;
  request.submission = "/a/\xff\"\n.cpp";
  request.out = "/out";
  request.id = "ådá";
  request.assignment = "/assignment";
  request.options.seed = 18446744073709551615U;
  request.options.hint_level = HintLevel::score_only;
  request.isolation = "L2";
  request.check = "mean.order";
  request.earlier = "/results/run-1";
  const TaskRequest read = request_from_json(request_to_json(request), "request");
  EXPECT_EQ(read.submission, request.submission);
  EXPECT_EQ(read.id, request.id);
  EXPECT_EQ(read.options.seed, request.options.seed);
  EXPECT_FALSE(read.options.cases);
  EXPECT_EQ(read.options.hint_level, HintLevel::score_only);
  EXPECT_EQ(read.isolation, "L2");
  EXPECT_EQ(read.check, "mean.order");
  EXPECT_EQ(read.earlier, request.earlier);
}

TEST(AttemptFileTest, ComesBackAsItWas) {
  AttemptFile file;
  file.submission.student = "ada";
  file.submission.number = 3;
  file.submission.submitted_at = -5;
  file.submission.lms_ids = {{"canvas_user", "1"}, {"canvas_submission", "2"}};
  file.needs_attention = "why";
  const AttemptFile read = attempt_from_json(attempt_to_json(file), "attempt.json");
  EXPECT_EQ(read.submission.submitted_at, -5);
  EXPECT_EQ(read.submission.lms_ids, file.submission.lms_ids);
  EXPECT_EQ(attempt_to_json(read), attempt_to_json(file));
  EXPECT_EQ(attempt_to_json(read).find("regraded"), std::string::npos);
  file.regraded = {{"mean.order", std::string(64, 'a')}};
  EXPECT_EQ(attempt_from_json(attempt_to_json(file), "attempt.json").regraded.at(0).id,
            "mean.order");
  EXPECT_THROW(attempt_from_json("{}", "attempt.json"), UsageFault);
}

TEST(OverridesTest, EveryDecisionStaysOnRecord) {
  const TemporaryDirectory folder;
  const fs::path file = folder.path() / "overrides.jsonl";
  EXPECT_TRUE(read_overrides(file).empty());
  append_override(file, {"ada", 80.5, "viva\nwith \"quotes\"", 5});
  append_override(file, {"ada", std::nullopt, "withdrawn", 6});
  const std::vector<OverrideRecord> read = read_overrides(file);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].score, 80.5);
  EXPECT_EQ(read[0].reason, "viva\nwith \"quotes\"");
  EXPECT_FALSE(read[1].score);
  std::ofstream(file, std::ios::app) << "{\"student\": ";
  EXPECT_EQ(sentence_of<UsageFault>([&] { read_overrides(file); }),
            file.string() + ", line 3 is not valid JSON.");
}

TEST(OverridesTest, ALineWithoutEndStaysALineOfItsOwn) {
  const TemporaryDirectory folder;
  const fs::path file = folder.path() / "overrides.jsonl";
  append_override(file, {"ada", 80.5, "viva", 5});
  fs::resize_file(file, fs::file_size(file) - 1);  // as an editor may save it
  append_override(file, {"bob", 70, "viva", 6});
  const std::vector<OverrideRecord> read = read_overrides(file);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].score, 80.5);
  EXPECT_EQ(read[1].student, "bob");
}

TEST(OverridesTest, NothingIsLeftOfADecisionThatDidNotFit) {
  const TemporaryDirectory folder;
  const fs::path file = folder.path() / "overrides.jsonl";
  append_override(file, {"ada", 80.5, "viva", 5});
  const std::string before = read_file(file, 1'000);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit little{before.size() + 10, limit.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &little);
  EXPECT_THROW(append_override(file, {"bob", 70, "viva", 6}), EnvironmentFault);
  setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(read_file(file, 1'000), before);
}

Standing standing_of(const std::string& student, const Scorecard& scorecard) {
  Standing standing;
  standing.submission.student = student;
  RunRecord run;
  run.grade = grade_record(scorecard);
  standing.graded = run;
  return standing;
}

TEST(ComparisonTest, SaysWhoseScoreChangesAndWhy) {
  Scorecard later = examples::all_right();
  later.seed = examples::masked_too_late().seed + 1;
  const Comparison comparison =
      compare({standing_of("ada", examples::masked_too_late()),
               standing_of("bob", examples::all_right()), standing_of("cy", examples::refused())},
              {standing_of("ada", later), standing_of("bob", examples::all_right()),
               standing_of("dan", examples::all_right())});
  ASSERT_EQ(comparison.changes.size(), 3U);
  EXPECT_EQ(comparison.unchanged, 1U);
  const ScoreChange& ada = comparison.changes[0];
  EXPECT_EQ(ada.student, "ada");
  EXPECT_NE(comparison_text(comparison).find("The seed changed from "), std::string::npos);
  EXPECT_NE(comparison_text(comparison).find("softmax.row_sums: failed, 0 of "), std::string::npos)
      << comparison_text(comparison);
  EXPECT_EQ(comparison.changes[1].reasons, std::vector<std::string>{"It is not there any more."});
  EXPECT_EQ(comparison.changes[2].reasons,
            std::vector<std::string>{"It was not handed in before."});
  EXPECT_FALSE(comparison.changes[2].before);
}

TEST(ComparisonTest, SaysThatNothingChanges) {
  const std::vector<Standing> both = {standing_of("ada", examples::faulty())};
  EXPECT_EQ(comparison_text(compare(both, both)),
            "No score changes.\n\n1 submission stays as it is.\n");
}

TEST(ComparisonTest, ASubmissionThatDoesNotDoTheSameEachTimeIsSaidToBeSo) {
  const Comparison comparison = compare({standing_of("ada", examples::masked_too_late())},
                                        {standing_of("ada", examples::faulty())});
  ASSERT_EQ(comparison.changes.size(), 1U);
  EXPECT_EQ(comparison.changes[0].reasons[0],
            "Nothing that decides the result changed: the submission does not do the same each "
            "time.");
}

TEST(ProgressTextTest, SaysHowFarItIs) {
  using std::chrono::seconds;
  EXPECT_EQ(progress_line({200, 0, 0}, seconds(3)), "0 of 200");
  EXPECT_EQ(progress_line({200, 100, 1}, seconds(50)),
            "100 of 200 · 2 a second · 50 s left · 1 needs attention");
  EXPECT_EQ(progress_line({200, 20, 2}, seconds(60)),
            "20 of 200 · 20 a minute · 9 min left · 2 need attention");
  EXPECT_EQ(duration_text(seconds(10'000)), "2 h 47 min");
}

}  // namespace
}  // namespace grader
