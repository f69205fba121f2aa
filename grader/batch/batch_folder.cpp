#include "grader/batch/batch_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <system_error>

#include "grader/assignment/fields.hpp"
#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/base/output.hpp"
#include "grader/batch/run_files.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFileLimit = std::size_t{64} << 20;
constexpr std::int64_t kFormat = 2;  ///< 2: "handed_in"

[[noreturn]] void cannot_write(const fs::path& path, const std::error_code& error) {
  throw EnvironmentFault("Cannot write " + path.string() + ": " + error.message() + ".",
                         "Free some space, or name a folder that you may write to with --out.");
}

std::string_view word_of(WhichAttempts which) {
  switch (which) {
    case WhichAttempts::last: return "last";
    case WhichAttempts::best: return "best";
    case WhichAttempts::all: return "all";
  }
  throw InternalFault("unknown choice of attempts");
}

// Files that write_atomically or the lock leave in a folder that was never described.
bool is_ours(const std::string& name) {
  return name == ".lock" || name == ".work" || name == "batch.json" || is_unfinished_file(name);
}

void require_ours_or_empty(const fs::path& directory) {
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    if (is_ours(entry->path().filename().string())) continue;
    throw UsageFault(directory.string() + " holds something else than the results of a batch.",
                     "Name a new or empty folder with --out.");
  }
}

// Whether `descriptor` is of the file that has this name now.
bool is_named(const Descriptor& descriptor, const fs::path& name) {
  struct stat opened {};
  struct stat named {};
  return fstat(descriptor.get(), &opened) == 0 && lstat(name.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

std::string holder_of(const fs::path& lock) {
  constexpr std::size_t kLimit = 200;
  try {
    const std::string text = read_file(lock, kLimit);
    const bool is_plain = std::ranges::all_of(text, [](char c) { return c >= ' ' && c < '\x7f'; });
    return is_plain && !text.empty() ? " (" + text + ")" : "";
  } catch (const UsageFault&) {
    return "";
  }
}

}  // namespace

std::map<std::string, std::int64_t> several_attempts_in(const std::vector<Attempt>& attempts) {
  std::map<std::string, std::int64_t> handed_in;
  for (const Attempt& attempt : attempts) {
    std::int64_t& last = handed_in[attempt.student];
    last = std::max(last, attempt.number);
  }
  std::erase_if(handed_in, [](const auto& one) { return one.second < 2; });
  return handed_in;
}

std::string batch_to_json(const BatchFile& batch) {
  nlohmann::ordered_json json;
  json["format"] = kFormat;
  json["assignment_id"] = batch.assignment_id;
  json["assignment"] = batch.assignment;
  json["attempts"] = word_of(batch.which);
  json["sources"] = batch.sources;
  if (!batch.left_out.empty()) {
    json["left_out"] = nlohmann::ordered_json::array();
    for (const LeftOut& one : batch.left_out) {
      json["left_out"].push_back({{"path", one.path}, {"reason", one.reason}});
    }
  }
  json["notices"] = batch.notices;
  for (const auto& [student, attempts] : batch.handed_in) {
    json["handed_in"].push_back({{"student", student}, {"attempts", attempts}});
  }
  constexpr int kIndent = 2;
  return json.dump(kIndent, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

BatchFile batch_from_json(const std::string& text, const std::string& name) {
  const nlohmann::json document = parse_strictly(name, text);
  Fields fields(name, "", document);
  if (fields.integer("format", 1) > kFormat) {
    throw UsageFault(name + " was written by a later version of the grader.",
                     "Use that version, or another --out folder.");
  }
  BatchFile batch;
  batch.assignment_id = fields.text("assignment_id");
  batch.assignment = fields.text("assignment");
  batch.which = which_attempts(fields.text("attempts"));
  batch.sources = fields.texts("sources");
  if (fields.has("left_out")) {
    for (Fields& one : fields.objects("left_out")) {
      const std::string path = one.text("path");
      batch.left_out.push_back({path, one.text("reason")});
      one.finish();
    }
  }
  batch.notices = fields.texts("notices");
  if (fields.has("handed_in")) {
    for (Fields& one : fields.objects("handed_in")) {
      const std::string student = one.text("student");
      batch.handed_in[student] = one.integer("attempts", 1);
      one.finish();
    }
  }
  fields.finish();
  return batch;
}

BatchFile read_batch_file(const BatchLayout& layout) {
  std::error_code error;
  if (!fs::exists(layout.batch(), error)) {
    throw UsageFault(layout.root().string() + " does not hold the results of a batch.",
                     "Name the folder that `attention-grader batch --out` wrote.");
  }
  return batch_from_json(read_file(layout.batch(), kFileLimit), layout.batch().string());
}

Descriptor lock_results(const BatchLayout& layout) {
  // Some of the commands that come here write to these results and to no others.
  const auto fail = [&](int error) {
    throw EnvironmentFault("Cannot write " + layout.lock().string() + ": " +
                               std::generic_category().message(error) + ".",
                           "Free some space, or see to it that you may write to this folder.");
  };
  // Who finishes removes the lock: one that was opened just before is nobody's any more.
  constexpr int kTries = 8;
  for (int time = 0; time < kTries; ++time) {
    constexpr mode_t kMode = 0644;
    Descriptor lock(open(layout.lock().c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kMode));
    if (!lock) fail(errno);
    int result = 0;
    do {
      result = flock(lock.get(), LOCK_EX | LOCK_NB);
    } while (result != 0 && errno == EINTR);
    if (result == 0) {
      if (is_named(lock, layout.lock())) return lock;
      continue;
    }
    if (errno != EWOULDBLOCK) fail(errno);
    break;
  }
  throw UsageFault(
      "Another process works on " + layout.root().string() + holder_of(layout.lock()) + ".",
      "Wait until it has finished, or stop it with Ctrl-C.");
}

BatchFolder::BatchFolder(const fs::path& directory, const std::string& assignment_id)
    : layout_(directory) {
  std::error_code error;
  if (fs::exists(directory, error) && !fs::is_directory(directory, error)) {
    throw UsageFault(directory.string() + " is not a folder.",
                     "Name a folder for the results with --out.");
  }
  is_described_ = fs::exists(layout_.batch(), error);
  if (is_described_) {
    const BatchFile known = read_batch_file(layout_);
    if (known.assignment_id != assignment_id) {
      throw UsageFault(directory.string() + " holds results of the assignment " +
                           known.assignment_id + ", not of " + assignment_id + ".",
                       "Name another folder with --out.");
    }
  } else {
    require_ours_or_empty(directory);
  }
  is_made_ = fs::create_directories(directory, error);
  if (error) cannot_write(directory, error);
  lock_ = lock_results(layout_);
  fs::remove_all(layout_.work(), error);
  if (!error) fs::create_directory(layout_.work(), error);
  if (error) cannot_write(layout_.work(), error);
  const std::string holder = "process " + std::to_string(getpid());
  if (ftruncate(lock_.get(), 0) != 0 || pwrite(lock_.get(), holder.data(), holder.size(), 0) < 0) {
    cannot_write(layout_.lock(), {errno, std::generic_category()});
  }
}

BatchFolder::~BatchFolder() {
  std::error_code ignored;  // the next run removes it
  fs::remove_all(layout_.work(), ignored);
  fs::remove(layout_.lock(), ignored);
  if (is_made_ && !is_described_) fs::remove(layout_.root(), ignored);
}

void BatchFolder::describe(const BatchFile& batch) {
  write_atomically(layout_.batch(), batch_to_json(batch));
  is_described_ = true;
}

fs::path BatchFolder::workplace(const std::string& name) const {
  fs::path place = layout_.work() / name;
  std::error_code error;
  fs::remove_all(place, error);
  if (!error) fs::create_directories(place, error);
  if (error) cannot_write(place, error);
  return place;
}

void BatchFolder::adopt(const fs::path& finished, const std::string& run_folder) const {
  const fs::path place = layout_.root() / run_folder;
  std::error_code error;
  fs::create_directories(place.parent_path(), error);
  if (!error) {
    sync_folder(finished);
    fs::rename(finished, place, error);
  }
  if (error) cannot_write(place, error);
  // The names of all folders above it, which may be new.
  for (fs::path above = place.parent_path();; above = above.parent_path()) {
    sync_folder(above);
    if (above == layout_.root()) break;
  }
}

}  // namespace grader
