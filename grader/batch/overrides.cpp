#include "grader/batch/overrides.hpp"

#include <fcntl.h>
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

std::vector<OverrideRecord> read_overrides(const fs::path& file) {
  constexpr std::size_t kFileLimit = std::size_t{64} << 20;
  std::error_code error;
  if (!fs::exists(file, error)) return {};
  std::istringstream lines(read_file(file, kFileLimit));
  std::vector<OverrideRecord> records;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string name = file.string() + ", line " + std::to_string(++number);
    const nlohmann::json document = parse_strictly(name, line);
    Fields fields(name, "", document);
    OverrideRecord record;
    record.student = fields.text("student");
    if (fields.has("score")) record.score = fields.number("score");
    record.reason = fields.text("reason");
    record.made_at = fields.integer("made_at", 0);
    fields.finish();
    records.push_back(std::move(record));
  }
  return records;
}

void append_override(const fs::path& file, const OverrideRecord& record) {
  nlohmann::ordered_json json;
  json["student"] = record.student;
  if (record.score) json["score"] = *record.score;
  json["reason"] = record.reason;
  json["made_at"] = record.made_at;
  const std::string line =
      json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  constexpr mode_t kMode = 0644;
  const Descriptor descriptor(open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, kMode));
  // One write, so that two programs at once leave two whole lines.
  const bool is_written =
      descriptor &&
      write(descriptor.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
      fsync(descriptor.get()) == 0;
  if (is_written) return;
  throw EnvironmentFault("Cannot write " + file.string() + ": " +
                             std::error_code(errno, std::generic_category()).message() + ".",
                         "Free some space and look at the file's last line.");
}

}  // namespace grader
