#include "grader/batch/overrides.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "grader/assignment/fields.hpp"
#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/sandbox/descriptor.hpp"

namespace grader {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kFileLimit = std::size_t{64} << 20;

OverrideRecord override_in(const std::string& name, const std::string& line) {
  // Said without the parser's own line number, which would be 1.
  if (!nlohmann::json::accept(line)) throw UsageFault(name + " is not valid JSON.", "");
  const nlohmann::json document = parse_strictly(name, line);
  Fields fields(name, "", document);
  OverrideRecord record;
  record.student = fields.text("student");
  if (fields.has("score")) record.score = fields.number("score");
  record.reason = fields.text("reason");
  record.made_at = fields.integer("made_at", 0);
  fields.finish();
  return record;
}

/// One more line at the end of `file`; where its last line has no end, behind an end. Nothing is
/// left of a line that cannot be written whole. Returns 0 or the system's error.
int append_line(const fs::path& file, const std::string& line) {
  constexpr mode_t kMode = 0644;
  const Descriptor opened(open(file.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, kMode));
  if (!opened) return errno;
  // One after the other. A file system without locks has to do without.
  while (flock(opened.get(), LOCK_EX) != 0 && errno == EINTR) {
  }
  struct stat status {};
  if (fstat(opened.get(), &status) != 0) return errno;
  char last = '\n';
  if (status.st_size > 0 && pread(opened.get(), &last, 1, status.st_size - 1) != 1) return EIO;
  const std::string bytes = (last == '\n' ? "" : "\n") + line + "\n";
  const ssize_t written = write(opened.get(), bytes.data(), bytes.size());
  if (written == static_cast<ssize_t>(bytes.size()) && fsync(opened.get()) == 0) return 0;
  const int error = written < 0 || written == static_cast<ssize_t>(bytes.size()) ? errno : ENOSPC;
  return ftruncate(opened.get(), status.st_size) == 0 ? error : errno;
}

}  // namespace

std::vector<OverrideRecord> read_overrides(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) return {};
  std::istringstream lines(read_file(file, kFileLimit));
  std::vector<OverrideRecord> records;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string name = file.string() + ", line " + std::to_string(++number);
    try {
      records.push_back(override_in(name, line));
    } catch (const UsageFault& fault) {
      throw UsageFault(fault.what(),
                       "A score that somebody has set is lost there: correct the line, or delete "
                       "it and set the score again with `attention-grader override`.");
    }
  }
  return records;
}

void append_override(const fs::path& file, const OverrideRecord& record) {
  nlohmann::ordered_json json;
  json["student"] = record.student;
  if (record.score) json["score"] = *record.score;
  json["reason"] = record.reason;
  json["made_at"] = record.made_at;
  const int error =
      append_line(file, json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  if (error == 0) return;
  throw EnvironmentFault(
      "Cannot write " + file.string() + ": " + std::generic_category().message(error) + ".",
      "Free some space, or see to it that you may write to this file; nothing "
      "was changed.");
}

}  // namespace grader
