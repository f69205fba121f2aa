#include "grader/assignment/policy.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "grader/assignment/fields.hpp"
#include "grader/base/files.hpp"
#include "grader/base/moment.hpp"

namespace grader {
namespace {

constexpr std::size_t kPolicySize = std::size_t{4} << 20;
constexpr std::int64_t kMillion = 1'000'000;
constexpr double kRoundingOfPoints = 1e-9;

std::string text_of(double points) {
  std::ostringstream stream;
  stream << points;
  return stream.str();
}

bool add_up(double sum, double expected) {
  return std::fabs(sum - expected) <= kRoundingOfPoints * std::max(1.0, std::fabs(expected));
}

HintLevel read_hint_level(Fields& fields) {
  const std::string level = fields.text("hint_level");
  if (level == "score_only") return HintLevel::score_only;
  if (level == "hints") return HintLevel::hints;
  if (level == "full") return HintLevel::full;
  fields.reject_field("hint_level", "is \"" + level + "\"",
                      "Choose \"score_only\", \"hints\" or \"full\".");
}

double read_points(Fields& fields, const std::string& name) {
  const double points = fields.number(name);
  if (!(points >= 0)) fields.reject_field(name, "is negative", "Give 0 points or more.");
  return points;
}

std::string read_id(Fields& fields) {
  std::string id = fields.text("id");
  const bool plain = !id.empty() && std::ranges::all_of(id, [](unsigned char character) {
    return std::isalnum(character) != 0 || character == '.' || character == '_' || character == '-';
  });
  if (!plain) {
    fields.reject_field("id", "is not an id", "Use letters, digits, dots, dashes and underscores.");
  }
  return id;
}

/// A path inside the assignment's folder.
std::string inside(const Fields& fields, const std::string& name, const std::string& path) {
  const std::filesystem::path parsed(path);
  const bool leaves = path.empty() || parsed.is_absolute() ||
                      std::ranges::find(parsed, std::filesystem::path("..")) != parsed.end();
  if (leaves) {
    fields.reject_field(name, "holds \"" + path + "\", which leaves the assignment's folder",
                        "Name a path below the folder, without \"..\".");
  }
  return path;
}

std::vector<std::string> read_inside(Fields& fields, const std::string& name) {
  std::vector<std::string> paths = fields.texts(name);
  if (paths.empty()) fields.reject_field(name, "is empty", "Name at least one.");
  for (const std::string& path : paths) inside(fields, name, path);
  return paths;
}

Limits read_limits(Fields fields) {
  Limits limits;
  const auto optional = [&fields](const char* name, std::int64_t& limit, std::int64_t least = 1) {
    if (fields.has(name)) limit = fields.integer(name, least);
  };
  optional("build_cpu_ms", limits.build_cpu_ms);
  optional("build_wall_ms", limits.build_wall_ms);
  optional("build_memory", limits.build_memory);
  optional("build_output", limits.build_output);
  optional("diagnostics", limits.diagnostics);
  optional("call_wall_ms", limits.call_wall_ms);
  optional("run_memory", limits.run_memory);
  optional("run_cpu_ms", limits.run_cpu_ms);
  optional("answer", limits.answer);
  optional("output_shown", limits.output_shown);
  optional("threads", limits.threads, 0);
  optional("submission_files", limits.submission_files);
  optional("submission_bytes", limits.submission_bytes);
  optional("file_bytes", limits.file_bytes);
  fields.finish();
  return limits;
}

Deadline read_deadline(Fields fields) {
  Deadline deadline;
  const std::string due = fields.text("due");
  const auto moment = parse_moment(due);
  if (!moment) {
    fields.reject_field("due", "is \"" + due + "\", which is no moment with an offset",
                        "Write it as \"2026-11-30T23:59:00+01:00\".");
  }
  deadline.due = moment->seconds;
  deadline.utc_offset = moment->utc_offset;
  if (fields.has("grace_minutes")) deadline.grace_minutes = fields.integer("grace_minutes", 0);
  if (fields.has("penalty_percent_per_day")) {
    deadline.penalty_percent_per_day = fields.number("penalty_percent_per_day");
    const double percent = deadline.penalty_percent_per_day;
    if (!(percent >= 0 && percent <= 100)) {
      fields.reject_field("penalty_percent_per_day", "is not from 0 to 100", "Give a percentage.");
    }
  }
  if (fields.has("latest_days")) deadline.latest_days = fields.integer("latest_days", 0);
  if (fields.has("free_late_days")) deadline.free_late_days = fields.integer("free_late_days", 0);
  if (fields.has("attempts")) deadline.attempts = fields.integer("attempts", 1);
  const std::pair<const char*, std::int64_t> counts[] = {
      {"grace_minutes", deadline.grace_minutes},
      {"latest_days", deadline.latest_days.value_or(0)},
      {"free_late_days", deadline.free_late_days}};
  for (const auto& [name, count] : counts) {
    if (count > kMillion) fields.reject_field(name, "is more than a million", "Choose fewer.");
  }
  fields.finish();
  return deadline;
}

std::vector<Objective> read_objectives(Fields& document) {
  std::vector<Objective> objectives;
  for (Fields& fields : document.objects("objectives")) {
    Objective objective{read_id(fields), fields.text("title"), read_points(fields, "points")};
    fields.finish();
    if (std::ranges::find(objectives, objective.id, &Objective::id) != objectives.end()) {
      fields.reject_field("id", "repeats \"" + objective.id + "\"", "Give each its own id.");
    }
    objectives.push_back(std::move(objective));
  }
  return objectives;
}

std::vector<CheckPolicy> read_checks(Fields& document, const std::vector<Objective>& objectives) {
  std::vector<CheckPolicy> checks;
  for (Fields& fields : document.objects("checks")) {
    CheckPolicy check{.id = read_id(fields),
                      .objective = fields.text("objective"),
                      .title = fields.text("title"),
                      .points = read_points(fields, "points"),
                      .hint = fields.text("hint"),
                      .lesson = fields.text("lesson")};
    fields.finish();
    if (std::ranges::find(checks, check.id, &CheckPolicy::id) != checks.end()) {
      fields.reject_field("id", "repeats \"" + check.id + "\"", "List each check once.");
    }
    if (std::ranges::find(objectives, check.objective, &Objective::id) == objectives.end()) {
      fields.reject_field("objective", "names \"" + check.objective + "\", which is not listed",
                          "Use an id of \"objectives\", or add the objective there.");
    }
    checks.push_back(std::move(check));
  }
  return checks;
}

/// The points of the checks add up to those of their objective, and those to the maximum.
void validate_points(const Fields& document, const Policy& policy) {
  double sum_of_objectives = 0;
  for (const Objective& objective : policy.objectives) {
    double sum = 0;
    for (const CheckPolicy& check : policy.checks) {
      if (check.objective == objective.id) sum += check.points;
    }
    if (!add_up(sum, objective.points)) {
      document.reject_field("checks",
                            "gives " + text_of(sum) + " points to objective \"" + objective.id +
                                "\", which has " + text_of(objective.points),
                            "Change the points of its checks or of the objective.");
    }
    sum_of_objectives += objective.points;
  }
  if (!add_up(sum_of_objectives, policy.max_score)) {
    document.reject_field("objectives",
                          "adds up to " + text_of(sum_of_objectives) +
                              " points, but max_score is " + text_of(policy.max_score),
                          "Change the points of the objectives or max_score.");
  }
}

}  // namespace

Policy read_policy(const std::filesystem::path& file) {
  return policy_from_json(read_file(file, kPolicySize), file.string());
}

Policy policy_from_json(const std::string& text, const std::string& name) {
  const nlohmann::json json = parse_strictly(name, text);
  Fields fields(name, "", json);
  Policy policy;
  policy.id = read_id(fields);
  policy.title = fields.text("title");
  policy.max_score = read_points(fields, "max_score");
  policy.seed = fields.natural("seed");
  policy.cases = fields.integer("cases", 1);
  if (policy.cases > kMillion) {
    fields.reject_field("cases", "is more than a million", "Choose fewer; 500 are usual.");
  }
  policy.hint_level = read_hint_level(fields);
  policy.main_file = inside(fields, "main_file", fields.text("main_file"));
  policy.contract_headers = read_inside(fields, "contract_headers");
  policy.include_directories = read_inside(fields, "include_directories");
  policy.dispatch = inside(fields, "dispatch", fields.text("dispatch"));
  if (fields.has("system_includes")) policy.system_includes = fields.texts("system_includes");
  if (fields.has("compile_flags")) policy.compile_flags = fields.texts("compile_flags");
  if (fields.has("limits")) policy.limits = read_limits(fields.object("limits"));
  if (fields.has("deadline")) policy.deadline = read_deadline(fields.object("deadline"));
  policy.objectives = read_objectives(fields);
  policy.checks = read_checks(fields, policy.objectives);
  fields.finish();
  validate_points(fields, policy);
  return policy;
}

std::string without_deadline(const std::string& text, const std::string& name) {
  nlohmann::json document = parse_strictly(name, text);
  if (document.is_object()) document.erase("deadline");
  return document.dump();
}

}  // namespace grader
