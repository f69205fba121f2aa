#include "grader/examples/learn.hpp"

#include <algorithm>
#include <system_error>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/report/number_text.hpp"
#include "grader/scorecard/json.hpp"

namespace grader::cli {
namespace {

namespace fs = std::filesystem;

/// The scorecards that were named, those of a folder in the order of their paths.
std::vector<fs::path> named_scorecards(const LearnCommand& command) {
  std::vector<fs::path> files;
  for (const fs::path& named : command.scorecards) {
    std::error_code error;
    if (!fs::is_directory(named, error)) {
      files.push_back(named);
      continue;
    }
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(named)) {
      if (entry.path().filename() == "scorecard.json") found.push_back(entry.path());
    }
    if (found.empty()) {
      throw UsageFault("There is no scorecard.json in " + named.string() + ".",
                       "Name a scorecard that `grade` wrote, or a folder that holds some.");
    }
    std::ranges::sort(found);
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

std::vector<Scorecard> scorecards_of(const LearnCommand& command, const std::string& assignment) {
  std::vector<Scorecard> scorecards;
  for (const fs::path& file : named_scorecards(command)) {
    scorecards.push_back(read_scorecard(file));
    const std::string& other = scorecards.back().assignment_id;
    if (other == assignment) continue;
    throw UsageFault(file.string() + " is of assignment " + other + ", not of " + assignment + ".",
                     "Name the folder of its assignment with --assignment.");
  }
  return scorecards;
}

}  // namespace

int run(const LearnCommand& command, Console& console) {
  const LoadedAssignment assignment = assignment_in(command.assignment);
  const std::string& id = assignment.policy.id;
  const fs::path file = assignment.directory / kExamplesFile;
  std::vector<Example> known;
  if (!assignment.examples.empty()) {
    known = examples_from_json(assignment.examples, id, file.string());
  }
  const std::vector<Scorecard> scorecards = scorecards_of(command, id);
  const Learned learned = learn_examples(std::move(known), scorecards, *assignment.judge);
  if (learned.added > 0) write_atomically(file, examples_to_json(learned.examples, id));
  for (const std::string& sentence : learned.not_kept) console.note(sentence);
  console.result(counted(learned.added, "new example") + " from " +
                 counted(scorecards.size(), "scorecard") + "; " + file.string() + " holds " +
                 std::to_string(learned.examples.size()) + ".\n");
  return kDone;
}

}  // namespace grader::cli
