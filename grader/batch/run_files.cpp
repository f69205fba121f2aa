#include "grader/batch/run_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>

#include "grader/assignment/fields.hpp"
#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/sandbox/descriptor.hpp"
#include "grader/scorecard/json.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFileLimit = std::size_t{1} << 20;
constexpr std::int64_t kFormat = 2;  ///< 2: "regraded"; where there is none, 1

void sync_one(const fs::path& path, int flags) {
  const Descriptor descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | flags));
  if (descriptor && (fsync(descriptor.get()) == 0 || errno == EINVAL)) return;
  throw EnvironmentFault("Cannot write " + path.string() + ": " +
                             std::error_code(errno, std::generic_category()).message() + ".",
                         "Free some space and run the same command again.");
}

// The last number of ".../run-12".
std::int64_t number_of(const std::string& folder) {
  const std::size_t dash = folder.rfind('-');
  std::int64_t number = 0;
  if (dash != std::string::npos) {
    std::from_chars(folder.data() + dash + 1, folder.data() + folder.size(), number);
  }
  return number;
}

}  // namespace

std::string attempt_to_json(const AttemptFile& attempt) {
  nlohmann::ordered_json json;
  json["format"] = attempt.regraded.empty() ? 1 : kFormat;
  json["student"] = attempt.submission.student;
  json["name"] = attempt.name;
  json["attempt"] = attempt.submission.number;
  if (attempt.submission.submitted_at) json["submitted_at"] = *attempt.submission.submitted_at;
  json["marked_late"] = attempt.submission.marked_late ? 1 : 0;
  json["origin"] = attempt.submission.origin;
  for (const auto& [key, value] : attempt.submission.lms_ids) {
    json["lms_ids"].push_back({{"name", key}, {"id", value}});
  }
  json["content"] = attempt.content;
  json["configuration"] = attempt.configuration;
  for (const RegradedCheck& check : attempt.regraded) {
    json["regraded"].push_back(
        {{"check", check.id}, {"assignment_digest", check.assignment_digest}});
  }
  json["needs_attention"] = attempt.needs_attention;
  constexpr int kIndent = 2;
  return json.dump(kIndent, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

AttemptFile attempt_from_json(const std::string& text, const std::string& name) {
  const nlohmann::json document = parse_strictly(name, text);
  Fields fields(name, "", document);
  if (fields.integer("format", 1) > kFormat) {
    throw UsageFault(name + " was written by a later version of the grader.",
                     "Use that version, or another --out folder.");
  }
  AttemptFile attempt;
  attempt.submission.student = fields.text("student");
  attempt.name = fields.text("name");
  attempt.submission.number = fields.integer("attempt", 1);
  if (fields.has("submitted_at")) {
    attempt.submission.submitted_at =
        fields.integer("submitted_at", std::numeric_limits<std::int64_t>::min());
  }
  attempt.submission.marked_late = fields.integer("marked_late", 0) != 0;
  attempt.submission.origin = fields.text("origin");
  if (fields.has("lms_ids")) {
    for (Fields& id : fields.objects("lms_ids")) {
      const std::string key = id.text("name");
      attempt.submission.lms_ids[key] = id.text("id");
      id.finish();
    }
  }
  attempt.content = fields.text("content");
  attempt.configuration = fields.text("configuration");
  if (fields.has("regraded")) {
    for (Fields& check : fields.objects("regraded")) {
      const std::string id = check.text("check");
      attempt.regraded.push_back({id, check.text("assignment_digest")});
      check.finish();
    }
  }
  attempt.needs_attention = fields.text("needs_attention");
  fields.finish();
  return attempt;
}

StoredRun read_run(const fs::path& root, const std::string& folder) {
  const fs::path file = root / folder / kAttemptFileName;
  StoredRun stored;
  stored.attempt = attempt_from_json(read_file(file, kFileLimit), file.string());
  struct stat status {};
  if (stat(file.c_str(), &status) == 0) stored.run.graded_at = status.st_mtime;
  stored.run.number = number_of(folder);
  stored.run.folder = folder;
  stored.run.content = stored.attempt.content;
  stored.run.configuration = stored.attempt.configuration;
  stored.run.needs_attention = stored.attempt.needs_attention;
  if (stored.run.needs_attention.empty()) {
    stored.run.grade = grade_record(read_scorecard(root / folder / kScorecardName));
  }
  return stored;
}

EarlierResult read_earlier_result(const fs::path& place) {
  const fs::path file = place / kAttemptFileName;
  return {read_scorecard(place / kScorecardName),
          attempt_from_json(read_file(file, kFileLimit), file.string()).regraded};
}

void sync_tree(const fs::path& tree) {
  for (const auto& entry : fs::recursive_directory_iterator(tree)) sync_one(entry.path(), 0);
  sync_folder(tree);
}

void sync_folder(const fs::path& directory) { sync_one(directory, O_DIRECTORY); }

}  // namespace grader
