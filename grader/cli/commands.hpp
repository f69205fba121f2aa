// The commands of the program: what each was asked for, and how to run it. Each returns an exit
// code and throws the faults of grader/base/fault.hpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "grader/batch/selection.hpp"
#include "grader/cli/console.hpp"
#include "grader/pipeline/grade_submission.hpp"
#include "grader/sandbox/level.hpp"

namespace grader::cli {

enum class Format : std::uint8_t { text, json, html, markdown, junit };

/// How strongly submissions are isolated: as far as the machine allows, unless asked otherwise.
struct IsolationChoice {
  std::optional<Level> highest;  ///< no more than this
  bool accepts_none = false;     ///< even if nothing isolates them
};

/// How an export of one scorecard looks, where its format reads that.
struct ExportLook {
  std::string column;      ///< what the platform calls the assignment
  std::string visibility;  ///< when Gradescope shows the checks to students
};

struct GradeCommand {
  Console::Options console;
  std::string program = "attention-grader";  ///< as it is typed to start it from here
  std::filesystem::path submission;
  std::filesystem::path out;         ///< empty: <submission>.grade in the current folder
  std::filesystem::path assignment;  ///< empty: the one that is installed
  std::vector<Format> formats;       ///< what stdout gets, in this order
  std::vector<std::string> exports;  ///< FORMAT=FILE each
  ExportLook export_look;
  GradeOptions options;
  IsolationChoice isolation;
  bool is_strict = false;
  std::optional<double> fail_under;  ///< percent of the highest score
};

/// Where the submissions of a class are graded.
struct ExecutorChoice {
  bool is_slurm = false;
  std::string partition;  ///< of Slurm; empty: its default
  std::string account;
  std::string time;  ///< limit of one submission, as sbatch takes it
};

struct BatchCommand {
  Console::Options console;
  std::string program = "attention-grader";  ///< as it is typed to start it from here
  std::vector<std::filesystem::path> sources;
  std::filesystem::path out;
  std::filesystem::path roster;      ///< empty: the one that was given before, if any
  std::filesystem::path assignment;  ///< empty: the one that is installed
  WhichAttempts which = WhichAttempts::last;
  std::optional<std::int64_t> jobs;  ///< at a time; nothing: as many as there are processors
  bool grades_again = false;         ///< also what is finished
  std::string only;                  ///< student to grade again; empty: everybody
  std::string check;                 ///< to grade again alone; empty: all
  ExecutorChoice executor;
  GradeOptions options;
  IsolationChoice isolation;
};

struct GradeTaskCommand {
  Console::Options console;
  std::filesystem::path request;
  std::optional<std::int64_t> core;  ///< processor to stay on
};

struct UngradedCommand {
  Console::Options console;
  std::string reason;
  std::string hint;
  std::filesystem::path assignment;
};

struct OverrideCommand {
  Console::Options console;
  std::filesystem::path results;
  std::string student;
  std::optional<double> score;
  bool is_withdrawn = false;  ///< an earlier one, in place of a score
  std::string reason;
};

struct CompareCommand {
  Console::Options console;
  std::filesystem::path before;
  std::filesystem::path after;  ///< empty: the newest results against the ones before, of `before`
};

struct ReplayCommand {
  Console::Options console;
  std::filesystem::path scorecard;
  std::string check;
  std::filesystem::path submission;  ///< empty: the one kept beside the scorecard
  std::filesystem::path assignment;
  IsolationChoice isolation;
  bool is_changed = false;
};

struct ReportCommand {
  Console::Options console;
  std::string program = "attention-grader";  ///< as it is typed to start it from here
  std::filesystem::path scorecard;           ///< or the results folder of a batch
  std::filesystem::path assignment;
  std::vector<Format> formats;  ///< what stdout gets, in this order
};

struct ExportCommand {
  Console::Options console;
  std::string program = "attention-grader";  ///< as it is typed to start it from here
  std::string format;
  std::filesystem::path source;     ///< a scorecard, or the results folder of a batch
  std::filesystem::path out;        ///< file or folder; empty: stdout
  std::filesystem::path worksheet;  ///< exported by the platform, to be filled in
  ExportLook look;
  std::optional<HintLevel> hint_level;
  std::filesystem::path assignment;  ///< empty: the one that the batch was graded with
};

struct PushCommand {
  Console::Options console;
  std::filesystem::path results;   ///< that batch wrote
  std::filesystem::path platform;  ///< platform file
  bool is_dry_run = false;
  std::vector<std::string> only;     ///< students; empty: everybody
  std::filesystem::path assignment;  ///< empty: the one that the batch was graded with
};

struct KeygenCommand {
  Console::Options console;
  std::filesystem::path directory;
};

struct SignCommand {
  Console::Options console;
  std::filesystem::path source;  ///< a scorecard, or a folder that holds some
  std::filesystem::path key;     ///< the secret one
  bool signs_again = false;      ///< also what has a signature that does not hold
};

struct VerifyCommand {
  Console::Options console;
  std::filesystem::path source;  ///< a scorecard, or a folder that holds some
  std::filesystem::path key;     ///< the public one
};

struct ListCommand {
  enum class What : std::uint8_t { checks, misconceptions };
  Console::Options console;
  What what = What::checks;
  std::string explain;  ///< id of the misconception to explain; empty: list them
  std::filesystem::path assignment;
};

struct ValidateCommand {
  Console::Options console;
  std::filesystem::path assignment;
};

struct LearnCommand {
  Console::Options console;
  std::vector<std::filesystem::path> scorecards;  ///< files, or folders that hold scorecard.json
  std::filesystem::path assignment;
};

struct DoctorCommand {
  Console::Options console;
  IsolationChoice isolation;
};

struct SelftestCommand {
  Console::Options console;
  std::filesystem::path assignment;
  std::optional<std::uint64_t> seed;
  std::optional<std::int64_t> cases;
  std::int64_t seeds = 1;
  std::string filter;
  Format format = Format::text;
};

using Command =
    std::variant<GradeCommand, BatchCommand, GradeTaskCommand, UngradedCommand, OverrideCommand,
                 CompareCommand, ReplayCommand, ReportCommand, ExportCommand, PushCommand,
                 KeygenCommand, SignCommand, VerifyCommand, ListCommand, ValidateCommand,
                 LearnCommand, DoctorCommand, SelftestCommand>;

int run(const GradeCommand& command, Console& console);
int run(const BatchCommand& command, Console& console);
int run(const GradeTaskCommand& command, Console& console);
int run(const UngradedCommand& command, Console& console);
int run(const OverrideCommand& command, Console& console);
int run(const CompareCommand& command, Console& console);
int run(const ReplayCommand& command, Console& console);
int run(const ReportCommand& command, Console& console);
int run(const ExportCommand& command, Console& console);
int run(const PushCommand& command, Console& console);
int run(const KeygenCommand& command, Console& console);
int run(const SignCommand& command, Console& console);
int run(const VerifyCommand& command, Console& console);
int run(const ListCommand& command, Console& console);
int run(const ValidateCommand& command, Console& console);
int run(const LearnCommand& command, Console& console);
int run(const DoctorCommand& command, Console& console);
int run(const SelftestCommand& command, Console& console);

/// Makes the choice for this process. Call it before anything is isolated.
void apply(const IsolationChoice& choice);
/// The assignment in `directory`, or the installed one when that is empty.
LoadedAssignment assignment_in(const std::filesystem::path& directory);

}  // namespace grader::cli
