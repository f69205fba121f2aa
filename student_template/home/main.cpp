// The program behind ./check: one GoogleTest test a check, the grader's report instead of
// GoogleTest's own.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/channel/in_process.hpp"
#include "grader/report/text.hpp"
#include "grader/scorecard/scoring.hpp"
#include "home/home.hpp"
#include "home/worker_implementation.hpp"
#include "testcases/contract.hpp"

namespace attention_home {
namespace {

constexpr std::string_view kUsage = R"(./check [ID…]   builds your work and runs the checks on it

  ID             a check (softmax.row_sums) or the first part of some (softmax); all when none
  --list         the checks, their points and titles
  --in-process   without a process apart, for a debugger; a crash then ends the run
  -D…            passed on to CMake
)";

struct Arguments {
  std::vector<std::string> wanted;
  bool in_process = false;
  bool list = false;
  bool help = false;
};

std::filesystem::path stored_directory() { return ATTENTION_STORED; }

const Home& home() {
  static const Home loaded(stored_directory());
  return loaded;
}

Arguments& arguments() {
  static Arguments parsed;
  return parsed;
}

/// What the student's functions print while they are judged.
std::filesystem::path printed_file() { return ATTENTION_PRINTED; }

/// The results of the checks that GoogleTest selected, made when the first one is asked for.
class Run {
 public:
  static Run& the() {
    static Run run;
    return run;
  }

  const grader::CheckResult& result(const std::string& id) {
    if (!results_.contains(id)) run(home().checks({id}));
    return results_.at(id);
  }

  void run(const HomeChecks& checks) {
    for (grader::CheckResult& result : run_at_home(checks, implementation(), home().policy())) {
      results_[result.id] = std::move(result);
    }
  }

  [[nodiscard]] bool has(const std::string& id) const { return results_.contains(id); }

  [[nodiscard]] std::vector<grader::CheckResult> results() const {
    std::vector<grader::CheckResult> all;
    for (const auto& [id, result] : results_) all.push_back(result);
    return all;
  }

 private:
  grader::Implementation& implementation() {
    if (implementation_) return *implementation_;
    const grader::Contract& contract = attention_assignment::contract();
    if (arguments().in_process) {
      implementation_ =
          std::make_unique<grader::InProcessImplementation>(contract, &attention_grader_dispatch);
      return *implementation_;
    }
    const grader::Limits& policy = home().policy().limits;
    WorkerLimits limits;
    limits.call = std::chrono::milliseconds(policy.call_wall_ms);
    limits.memory = static_cast<std::size_t>(policy.run_memory);
    std::filesystem::remove(printed_file());
    implementation_ = std::make_unique<WorkerImplementation>(contract, &attention_grader_dispatch,
                                                             limits, printed_file());
    return *implementation_;
  }

  std::unique_ptr<grader::Implementation> implementation_;
  std::map<std::string, grader::CheckResult> results_;
};

std::string plain_report(const grader::CheckResult& result) {
  for (const grader::ScoredCheck& check : grader::score_results(home().policy(), {result}).checks) {
    if (check.result.id == result.id) return grader::check_report(check, {});
  }
  return {};
}

class CheckTest : public testing::TestWithParam<std::string> {};

TEST_P(CheckTest, Passes) {
  const grader::CheckResult& result = Run::the().result(GetParam());
  EXPECT_EQ(result.status, grader::CheckStatus::passed) << plain_report(result);
}

std::vector<std::string> check_ids() {
  std::vector<std::string> ids;
  for (const grader::CheckPolicy& check : home().policy().checks) ids.push_back(check.id);
  return ids;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Home, CheckTest, testing::ValuesIn(check_ids()), test_name);

// ---- The report -------------------------------------------------------------------------------

std::string printed_by_student() {
  if (!std::filesystem::exists(printed_file())) return {};
  std::string text;
  if (std::FILE* file = std::fopen(printed_file().c_str(), "rb")) {
    const std::size_t limit = static_cast<std::size_t>(home().policy().limits.output_shown);
    text.resize(limit);
    text.resize(std::fread(text.data(), 1, limit, file));
    static_cast<void>(std::fclose(file));
  }
  return grader::plain_text(text, text.size());
}

/// The whole report when all checks ran, else the blocks of those that did.
std::string report(bool all, bool color, double seconds) {
  const grader::Policy& policy = home().policy();
  grader::Scoring scoring = grader::score_results(policy, Run::the().results());
  for (grader::ScoredCheck& check : scoring.checks) check.replay = "./check " + check.result.id;
  grader::TextOptions options;
  options.color = color;
  if (!all) {
    std::string text;
    for (const grader::ScoredCheck& check : scoring.checks) {
      if (Run::the().has(check.result.id)) text += grader::check_report(check, options) + "\n";
    }
    return text;
  }
  grader::Scorecard scorecard;
  scorecard.status = grader::ScorecardStatus::graded;
  scorecard.assignment_title = policy.title;
  scorecard.files.push_back({"attention.cpp", 0, ""});
  scorecard.seed = policy.seed;
  scorecard.cases = policy.cases;
  scorecard.printed = printed_by_student();
  scorecard.timing["total"] = seconds;
  const bool open = std::ranges::any_of(scoring.checks, [](const grader::ScoredCheck& check) {
    return check.result.status == grader::CheckStatus::not_run;
  });
  if (open) {
    scorecard.notices.emplace_back(
        "a check that could not be judged has no points here. The grader can judge more of them, "
        "since it computes what belongs to your own numbers.");
  }
  enter_scoring(scorecard, std::move(scoring));
  return grader::text_report(scorecard, options);
}

void print_list() {
  for (const grader::CheckPolicy& check : home().policy().checks) {
    std::printf("%-32s %4g  %s\n", check.id.c_str(), check.points, check.title.c_str());
  }
}

/// Takes our own arguments; nothing when one is unknown.
std::optional<Arguments> parse(const std::vector<std::string>& given) {
  Arguments parsed;
  for (const std::string& argument : given) {
    if (argument == "--in-process") {
      parsed.in_process = true;
    } else if (argument == "--list") {
      parsed.list = true;
    } else if (argument == "--help" || argument == "-h") {
      parsed.help = true;
    } else if (argument.starts_with("-")) {
      std::fprintf(stderr, "Unknown option %s; ./check --help says what there is.\n",
                   argument.c_str());
      return std::nullopt;
    } else {
      parsed.wanted.push_back(argument);
    }
  }
  for (const std::string& id : parsed.wanted) {
    if (home().checks({id}).checks.empty()) {
      std::fprintf(stderr, "There is no check %s; ./check --list names them.\n", id.c_str());
      return std::nullopt;
    }
  }
  return parsed;
}

int run(const std::vector<std::string>& given) {
  const std::optional<Arguments> parsed = parse(given);
  if (!parsed) return 1;
  arguments() = *parsed;
  if (parsed->help) {
    std::fputs(kUsage.data(), stdout);
    return 0;
  }
  if (parsed->list) {
    print_list();
    return 0;
  }
  // Everything is judged first, in one run, so that checks share calls; the tests then look.
  std::string filter;
  const HomeChecks chosen = home().checks(parsed->wanted);
  const auto began = std::chrono::steady_clock::now();
  Run::the().run(chosen);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  for (const grader::Check& check : chosen.checks) {
    filter += (filter.empty() ? "" : ":") + std::string("Home/CheckTest.Passes/") +
              test_name({check.id, 0});
  }
  GTEST_FLAG_SET(filter, filter);
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  const bool failed = RUN_ALL_TESTS() != 0;
  const bool color = isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
  std::fputs(report(parsed->wanted.empty(), color, took.count()).c_str(), stdout);
  return failed ? 1 : 0;
}

}  // namespace
}  // namespace attention_home

int main(int argc, char** argv) {
  const std::vector<std::string> before(argv + 1, argv + argc);
  try {
    testing::InitGoogleTest(&argc, argv);
    // With options of GoogleTest's own (from CTest or an editor) it runs and prints as usual.
    if (static_cast<std::size_t>(argc - 1) != before.size()) return RUN_ALL_TESTS();
    return attention_home::run(before);
  } catch (const grader::EnvironmentFault& fault) {
    std::fprintf(stderr, "%s\n%s\n", fault.what(), fault.hint().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 2;
}
