// Grades every hostile submission with the built program. None may gain a point, learn a secret,
// leave a trace, stall the grader or spoil a report.
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include "testcases/submissions/bundled.hpp"
#include "testcases/submissions/hostile/corpus.hpp"

namespace {

namespace fs = std::filesystem;
using bundled::Graded;
using hostile::Attack;
using nlohmann::json;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// How many programs want each processor, at least one.
double busyness() {
  double load = 0;
  if (getloadavg(&load, 1) != 1) return 1;
  return std::max(1.0, load / std::max(1U, std::thread::hardware_concurrency()));
}

/// Every process that the grader leaves behind becomes a child of this one. Ended ones are
/// collected; the number of those that still live after a moment is returned, and they are ended.
int left_over_processes() {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  while (true) {
    const pid_t ended = ::waitpid(-1, nullptr, WNOHANG);
    if (ended < 0) return 0;  // no children
    if (ended > 0) continue;
    if (std::chrono::steady_clock::now() > deadline) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  std::ifstream children("/proc/self/task/" + std::to_string(::getpid()) + "/children");
  int count = 0;
  for (pid_t child = 0; children >> child; ++count) ::kill(child, SIGKILL);
  while (::waitpid(-1, nullptr, 0) > 0) {
  }
  return std::max(count, 1);
}

void expect_safe_strings(const json& value, const std::string& where) {
  if (value.is_string()) {
    std::string text = value.get<std::string>();
    std::erase(text, '\t');  // may stand in what the submission printed
    EXPECT_EQ(hostile::unsafe_text(text), "") << where;
  } else if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) {
      EXPECT_EQ(hostile::unsafe_text(key), "") << where;
      expect_safe_strings(inner, where + "." + key);
    }
  } else if (value.is_array()) {
    for (const json& inner : value) expect_safe_strings(inner, where + "[]");
  }
}

/// Terminals, and programs that read logs line by line, take nothing in it for a command.
void expect_safe_lines(const std::string& printed) {
  std::string plain = printed;
  std::erase(plain, '\t');
  EXPECT_EQ(hostile::unsafe_text(plain), "");
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) {
    for (const char* command : {"::", "##[", "##vso[", "##teamcity[", "section_", "="}) {
      EXPECT_FALSE(line.starts_with(command)) << line;
    }
  }
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

/// A browser finds in the page no script, style or element but its own.
void expect_safe_page(const fs::path& file) {
  std::string page = read_file(file);
  ASSERT_TRUE(page.starts_with("<!doctype html>")) << file;
  EXPECT_EQ(count(page, "<script"), 1U);
  EXPECT_EQ(count(page, "<style"), 1U);
  for (const char* part :
       {"<img", "<iframe", "<object", "<embed", "<link", "<base", "<form", "<input", "<!--"}) {
    EXPECT_FALSE(contains(page, part)) << part;
  }
  std::erase(page, '\t');
  EXPECT_EQ(hostile::unsafe_text(page), "") << "the page";
}

void expect_fault(const json& scorecard, const std::string& kind) {
  std::string kinds;
  for (const json& check : scorecard.at("checks")) {
    if (!check.contains("fault") || check["fault"].is_null()) continue;
    kinds += check["fault"].at("kind").get<std::string>() + "; ";
  }
  EXPECT_TRUE(contains(kinds, kind)) << "faults: " << kinds;
}

/// "graded 0 / 100 at L4: exception, system call fork"
std::string summary(const json& scorecard) {
  std::ostringstream text;
  text << scorecard.at("status").get<std::string>() << ' ' << scorecard.at("score") << " / "
       << scorecard.at("max_score") << " at " << scorecard.at("grader").at("isolation").at("level");
  std::set<std::string> kinds;
  for (const json& check : scorecard.at("checks")) {
    if (!check.contains("fault") || check["fault"].is_null()) continue;
    kinds.insert(check["fault"].at("kind").get<std::string>());
  }
  for (const std::string& kind : kinds) text << (kind == *kinds.begin() ? ": " : ", ") << kind;
  return text.str();
}

/// The token is in no file of the results and in nothing that was printed.
void expect_secret_kept(const hostile::Scene& scene, const std::string& printed) {
  EXPECT_FALSE(contains(printed, scene.token())) << printed;
  if (!fs::exists(scene.results())) return;
  for (const auto& entry : fs::recursive_directory_iterator(scene.results())) {
    EXPECT_FALSE(fs::is_symlink(entry.path())) << entry.path();
    if (!entry.is_regular_file()) continue;
    EXPECT_FALSE(contains(read_file(entry.path()), scene.token())) << entry.path();
  }
}

void expect_verdict(const json& expected, const Graded& graded) {
  ASSERT_EQ(graded.exit_code, 0) << graded.printed;
  ASSERT_TRUE(graded.scorecard.is_object()) << graded.printed;
  const json& scorecard = graded.scorecard;
  if (const char* limit = std::getenv("ATTENTION_GRADER_ISOLATION")) {
    const std::string level = scorecard.at("grader").at("isolation").at("level");
    EXPECT_LE(level, limit) << "more than was asked for";
  }
  const json& allowed = expected.at("status");
  EXPECT_NE(std::find(allowed.begin(), allowed.end(), scorecard.at("status")), allowed.end())
      << scorecard.at("status") << '\n'
      << graded.printed;
  const double score = scorecard.at("score").get<double>();
  EXPECT_GE(score, expected.at("score").at(0).get<double>()) << graded.printed;
  EXPECT_LE(score, expected.at("score").at(1).get<double>()) << graded.printed;
  if (scorecard.at("status") == "graded" && expected.contains("fault")) {
    expect_fault(scorecard, expected["fault"].get<std::string>());
  }
  const std::string text = scorecard.dump();
  for (const json& part : expected.value("says", json::array())) {
    EXPECT_TRUE(contains(text, part.get<std::string>())) << part;
  }
  for (const json& part : expected.value("never", json::array())) {
    EXPECT_FALSE(contains(text + graded.printed, part.get<std::string>())) << part;
  }
}

class HostileSubmission : public testing::TestWithParam<Attack> {
 protected:
  void TearDown() override { ::unsetenv("TMPDIR"); }  // its folder is gone
};

TEST_P(HostileSubmission, GainsNothingAndLeavesNothing) {
  const json& expected = GetParam().expected;
  const hostile::Scene scene(GetParam());
  ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  ::setenv("HOSTILE_TEST_SECRET", scene.token().c_str(), 1);
  ::setenv("TMPDIR", scene.temporary().c_str(), 1);
  const std::vector<std::string> arguments = {"--cases",
                                              std::to_string(expected.value("cases", 20))};
  const double allowed_seconds = (expected.value("slow", false) ? 60 : 30) * busyness();
  const auto start = std::chrono::steady_clock::now();
  const Graded graded = bundled::grade_into(scene.results(), scene.submission(), arguments);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;

  EXPECT_LE(taken.count(), allowed_seconds);
  EXPECT_EQ(left_over_processes(), 0);
  EXPECT_EQ(scene.touched(), std::vector<std::string>{});
  expect_secret_kept(scene, graded.printed);
  expect_safe_lines(graded.printed);
  expect_verdict(expected, graded);
  if (graded.scorecard.is_object()) {
    expect_safe_strings(graded.scorecard, "scorecard");
    expect_safe_page(scene.results() / "report.html");
    std::cout << GetParam().name << ": " << summary(graded.scorecard) << ", " << taken.count()
              << " s\n";
  }
}

std::vector<Attack> chosen() {
  std::vector<Attack> attacks;
  for (const Attack& attack : hostile::attacks()) {
    if (attack.expected.value("slow", false) == (HOSTILE_SLOW != 0)) attacks.push_back(attack);
  }
  return attacks;
}

std::string test_name(const testing::TestParamInfo<Attack>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(All, HostileSubmission, testing::ValuesIn(chosen()), test_name);

#if !HOSTILE_SLOW
TEST(HostileCorpusTest, CoversTheTechniques) {
  std::map<char, std::set<std::string>> techniques;
  for (const Attack& attack : hostile::attacks()) {
    const std::string technique = attack.name.substr(0, attack.name.find('_'));
    techniques[technique.front()].insert(technique);
    // An attack on work that was never done gains nothing at all.
    if (attack.expected.value("base", "") == "unfilled") {
      EXPECT_EQ(attack.expected.at("score"), (json{0, 0})) << attack.name;
    }
  }
  std::size_t count = 0;
  for (const auto& [phase, names] : techniques) count += names.size();
  EXPECT_GE(count, 110U);
  EXPECT_EQ(techniques.size(), 9U);
}

TEST(HostileCorpusTest, NoticesWhatAnAttackTouches) {
  const hostile::Scene scene(hostile::attacks().front());
  const fs::path outside = scene.submission().parent_path() / "outside";
  EXPECT_EQ(scene.touched(), std::vector<std::string>{});
  std::ofstream(outside / "canary") << "changed";
  std::ofstream(outside / "new") << "made";
  std::ofstream(scene.temporary() / "left") << "made";
  EXPECT_EQ(scene.touched().size(), 3U);
  fs::remove(outside / "canary");
  fs::create_symlink("secret", outside / "canary");
  EXPECT_GE(scene.touched().size(), 4U);
  EXPECT_TRUE(contains(read_file(outside / "secret"), scene.token()));
}

TEST(HostileCorpusTest, KnowsUnsafeText) {
  EXPECT_EQ(hostile::unsafe_text("plain, even with ∞ and ü\nand lines"), "");
  for (const char* text : {"\x1b[2J", "a\rb", "\xc2\x9b", "\xe2\x80\xae", "\xef\xbb\xbf", "\xff",
                           "\xe2\x82", "\x7f"}) {
    EXPECT_NE(hostile::unsafe_text(text), "");
  }
}
#endif

}  // namespace
