// The submissions in this folder, what each expects of the grader, and a run of the built program
// on one of them.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace bundled {

/// One submission folder `<verdict>/<name>/`.
struct Submission {
  std::string verdict;         ///< "accepted", "wrong_answer", …
  std::string name;            ///< "plain_loops"
  std::filesystem::path path;  ///< what is handed to the grader
  nlohmann::json expected;     ///< expect.json, see README.md
};

/// How GoogleTest prints a submission.
inline void PrintTo(const Submission& submission, std::ostream* out) {
  *out << submission.verdict << '/' << submission.name;
}

/// All of them but the hostile ones (hostile/README.md), sorted by verdict and name. Throws
/// std::runtime_error naming a folder without a readable expect.json, or with a field that
/// README.md does not know.
std::vector<Submission> submissions();

/// How one run of the program ended.
// NOLINTNEXTLINE(bugprone-exception-escape): moving a document does not throw
struct Graded {
  int exit_code = -1;
  nlohmann::json scorecard;  ///< null when none was written
  std::string printed;       ///< stdout and stderr
};

/// Grades `submission` with further `arguments` and removes what was written.
Graded grade(const Submission& submission, const std::vector<std::string>& arguments = {});

/// Grades what is at `submission` with the results in the new folder `results`, and leaves them
/// there. What the program printed is also in a file beside it, "<results>.log".
Graded grade_into(const std::filesystem::path& results, const std::filesystem::path& submission,
                  const std::vector<std::string>& arguments = {});

/// The program under test.
std::filesystem::path program();

/// The folder that holds the folders of verdicts.
std::filesystem::path root();

/// Ids of the checks of `scorecard` that did not pass.
std::set<std::string> lost_checks(const nlohmann::json& scorecard);

}  // namespace bundled
