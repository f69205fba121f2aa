// How often the diagnosis is right about real student code: diagnosed/ holds submissions written by
// hand with one or two mistakes each, accepted/ holds correct ones. Prints what it missed, the share
// that it got right and what naming costs the grader.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "testcases/submissions/bundled.hpp"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Few cases: the diagnosis has inputs of its own.
const std::vector<std::string> kQuickly = {"--cases", "40", "--seed", "2026"};

struct Diagnosed {
  std::string name;
  fs::path path;
  json mistakes;  ///< for each mistake the ids that name it
  json named;     ///< the scorecard's diagnosis
  /// The grader's own processor time for it, in seconds; absent where nothing was to be named.
  std::optional<double> seconds = {};
};

std::vector<Diagnosed> diagnosed_submissions() {
  std::vector<Diagnosed> all;
  for (const auto& folder : fs::directory_iterator(bundled::root() / "diagnosed")) {
    std::ifstream file(folder.path() / "expect.json");
    all.push_back(
        {folder.path().filename().string(), folder.path(), json::parse(file).at("mistakes"), {}});
  }
  for (const bundled::Submission& submission : bundled::submissions()) {
    if (submission.verdict == "accepted") {
      all.push_back({submission.name, submission.path, json::array(), {}});
    }
  }
  std::ranges::sort(all, {}, &Diagnosed::name);
  return all;
}

/// Grades all of them, as many at once as there are processors.
void grade_all(std::vector<Diagnosed>& all) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> workers;
  for (unsigned worker = 0; worker < std::max(1U, std::thread::hardware_concurrency()); ++worker) {
    workers.emplace_back([&] {
      for (std::size_t index = next++; index < all.size(); index = next++) {
        Diagnosed& each = all[index];
        const bundled::Graded graded = bundled::grade({"", each.name, each.path, {}}, kQuickly);
        if (!graded.scorecard.is_object()) continue;
        each.named = graded.scorecard.at("diagnosis");
        const json& timing = graded.scorecard.at("timing");
        if (timing.contains("diagnosis.cpu")) each.seconds = timing.at("diagnosis.cpu");
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
}

bool is_named(const json& ids, const json& diagnosis) {
  const auto is_one = [&](const json& id) { return std::ranges::find(ids, id) != ids.end(); };
  return is_one(diagnosis.at("id")) ||
         std::ranges::any_of(diagnosis.at("indistinguishable"), is_one);
}

/// Every mistake is named, and nothing else.
bool is_right(const Diagnosed& each) {
  if (!each.named.is_array()) return false;
  const auto is_expected = [&](const json& diagnosis) {
    return std::ranges::any_of(each.mistakes,
                               [&](const json& ids) { return is_named(ids, diagnosis); });
  };
  const auto is_found = [&](const json& ids) {
    return std::ranges::any_of(each.named,
                               [&](const json& diagnosis) { return is_named(ids, diagnosis); });
  };
  return std::ranges::all_of(each.named, is_expected) &&
         std::ranges::all_of(each.mistakes, is_found);
}

struct Tally {
  int right = 0;
  int all = 0;
  [[nodiscard]] double share() const { return all == 0 ? 1 : static_cast<double>(right) / all; }
};

std::string in_words(const json& named) {
  if (!named.is_array()) return "no scorecard";
  std::string text;
  for (const json& diagnosis : named) {
    text += (text.empty() ? "" : ", ") + diagnosis.at("id").get<std::string>() + " (" +
            diagnosis.at("title").get<std::string>() + ")";
  }
  return text.empty() ? "nothing" : text;
}

/// Milliseconds and what they were spent on, ascending.
std::vector<std::pair<double, std::string>> costs_of(const std::vector<Diagnosed>& all) {
  std::vector<std::pair<double, std::string>> costs;
  for (const Diagnosed& each : all) {
    if (each.seconds) costs.emplace_back(1000 * *each.seconds, each.name);
  }
  std::ranges::sort(costs);
  return costs;
}

TEST(DiagnosedTest, NamesTheMistakesOfStudentCodeAndAccusesNoCorrectOne) {
  std::vector<Diagnosed> all = diagnosed_submissions();
  grade_all(all);
  Tally tallies[3];  // by number of mistakes
  for (const Diagnosed& each : all) {
    Tally& tally = tallies[std::min<std::size_t>(each.mistakes.size(), 2)];
    ++tally.all;
    if (is_right(each)) {
      ++tally.right;
    } else {
      std::cout << each.name << ": " << in_words(each.named) << " instead of "
                << each.mistakes.dump() << "\n";
    }
  }
  std::cout << "correct code not accused: " << tallies[0].right << " of " << tallies[0].all
            << "\none mistake named: " << tallies[1].right << " of " << tallies[1].all
            << "\ntwo mistakes named: " << tallies[2].right << " of " << tallies[2].all << "\n";
  const auto costs = costs_of(all);
  ASSERT_FALSE(costs.empty());
  std::cout << "processor time of the grader for a diagnosis: median "
            << costs[costs.size() / 2].first << " ms, most " << costs.back().first << " ms ("
            << costs.back().second << ")\n";
  EXPECT_EQ(tallies[0].right, tallies[0].all);
  EXPECT_GE(tallies[1].share(), 0.95);
  EXPECT_GE(tallies[2].share(), 0.85);
  EXPECT_GE(tallies[1].all + tallies[2].all, 60);
}

}  // namespace
