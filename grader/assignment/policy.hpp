// assignment.json: everything about an assignment that an instructor may change.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace grader {

enum class HintLevel : std::uint8_t { score_only, hints, full };

struct Objective {
  std::string id;     ///< "stable_softmax"
  std::string title;  ///< "stable softmax"
  double points = 0;
};

/// The texts and points of one check.
struct CheckPolicy {
  std::string id;
  std::string objective;
  std::string title;
  double points = 0;
  std::string hint;    ///< next step for the student
  std::string lesson;  ///< the sentence of the lesson that applies
};

/// Limits of one submission's build and run. Sizes in bytes, times in milliseconds.
struct Limits {
  std::int64_t build_cpu_ms = 20'000;
  std::int64_t build_wall_ms = 40'000;
  std::int64_t build_memory = std::int64_t{2} << 30;
  std::int64_t build_output = std::int64_t{64} << 20;
  std::int64_t diagnostics = 64 << 10;
  std::int64_t call_wall_ms = 2'000;
  std::int64_t run_memory = std::int64_t{512} << 20;
  std::int64_t run_cpu_ms = 60'000;
  std::int64_t answer = std::int64_t{16} << 20;  ///< encoded result of one call
  std::int64_t output_shown = 16 << 10;          ///< of what the submission prints
  std::int64_t threads = 16;  ///< at the same time; 0: a call that starts one is stopped
  std::int64_t submission_files = 64;
  std::int64_t submission_bytes = std::int64_t{4} << 20;
  std::int64_t file_bytes = std::int64_t{1} << 20;
};

/// When submissions are due and what lateness costs.
struct Deadline {
  std::int64_t due = 0;         ///< Unix seconds
  std::int64_t utc_offset = 0;  ///< seconds east of Greenwich, as the due time was written
  std::int64_t grace_minutes = 0;
  double penalty_percent_per_day = 0;       ///< of the score, for each started day
  std::optional<std::int64_t> latest_days;  ///< later than so many started days counts nothing
  std::int64_t free_late_days = 0;       ///< without penalty, for each student and all assignments
  std::optional<std::int64_t> attempts;  ///< later ones of a student do not count
};

struct Policy {
  std::string id;     ///< "causal-attention"
  std::string title;  ///< "Causal scaled dot-product attention"
  double max_score = 100;
  std::uint64_t seed = 2026;
  std::int64_t cases = 500;
  HintLevel hint_level = HintLevel::full;
  std::string main_file;                      ///< "attention.cpp": what a submission must hold
  std::vector<std::string> contract_headers;  ///< relative to contract/, "attention/attention.hpp"
  std::vector<std::string> include_directories;  ///< of the contract, relative to contract/
  std::string dispatch;                          ///< "dispatch.cpp"
  std::vector<std::string> system_includes;      ///< of libraries, "/usr/include/eigen3"
  std::vector<std::string> compile_flags;        ///< besides the machine's own
  std::vector<Objective> objectives;
  std::vector<CheckPolicy> checks;
  Limits limits;
  std::optional<Deadline> deadline;  ///< not in the assignment's digest: see without_deadline
};

/// Reads and validates assignment.json: known fields only, points of the checks add up to those of
/// their objective and to max_score, ids unique. Throws UsageFault naming file, field and remedy.
Policy read_policy(const std::filesystem::path& file);

/// The same for the text of an assignment.json; `name` is what messages call it.
Policy policy_from_json(const std::string& text, const std::string& name);

/// What of the text of an assignment.json decides how a submission is graded, in a canonical form:
/// all but the deadline, so that an extension does not make every result a thing of the past.
std::string without_deadline(const std::string& text, const std::string& name);

}  // namespace grader
