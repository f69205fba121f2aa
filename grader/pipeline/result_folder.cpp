#include "grader/pipeline/result_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/signature/signature.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProbe = ".attention-grader-probe";

[[noreturn]] void fail(const fs::path& directory, const std::string& why) {
  throw EnvironmentFault("Cannot write results to " + directory.string() + ": " + why + ".",
                         "Name a folder that you may write to with --out.");
}

// The topmost missing folder of `directory`, or empty when it exists.
fs::path first_missing(const fs::path& directory) {
  fs::path missing;
  std::error_code error;
  for (fs::path path = directory; !path.empty() && !fs::exists(path, error);
       path = path.parent_path()) {
    missing = path;
    if (path == path.parent_path()) break;
  }
  return missing;
}

// Removes `directory` and its parents up to `topmost`, as far as they are empty.
void remove_empty(fs::path directory, const fs::path& topmost) {
  std::error_code ignored;  // what cannot be removed is not empty or not ours
  while (fs::remove(directory, ignored) && directory != topmost) {
    directory = directory.parent_path();
  }
}

// What a grader that was killed while it wrote its results has left beside them.
void remove_unfinished(const fs::path& directory) {
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const bool is_unfinished =
        (name.starts_with(".submission-") && name.size() == std::strlen(".submission-XXXXXX")) ||
        name == kProbe;
    std::error_code ignored;  // the results are written beside it
    if (is_unfinished) fs::remove_all(entry->path(), ignored);
  }
}

// A folder beside the results that nobody else uses.
fs::path temporary_folder(const fs::path& directory) {
  std::string name = (directory / ".submission-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    fail(directory, std::error_code(errno, std::generic_category()).message());
  }
  return name;
}

}  // namespace

ResultFolder::ResultFolder(const fs::path& directory) : directory_(directory) {
  if (directory.empty()) {
    throw UsageFault("--out names nothing.", "Name the folder for the results.");
  }
  std::error_code error;
  if (!directory_.has_filename()) directory_ = directory_.parent_path();  // "out/"
  const fs::file_status status = fs::status(directory_, error);
  if (fs::exists(status) && !fs::is_directory(status)) {
    throw UsageFault(directory.string() + " is not a folder.",
                     "Name a folder for the results with --out.");
  }
  made_ = first_missing(directory_);
  fs::create_directories(directory_, error);
  if (error) fail(directory, error.message());
  remove_unfinished(directory_);
  // Permissions alone do not tell (read-only mounts, root, full disks): try.
  try {
    const fs::path probe = directory_ / kProbe;
    write_atomically(probe, "probe\n");
    fs::remove(probe, error);
  } catch (const EnvironmentFault& fault) {
    if (!made_.empty()) remove_empty(directory_, made_);
    throw EnvironmentFault(fault.what(), "Name a folder that you may write to with --out.");
  }
}

ResultFolder::~ResultFolder() {
  if (!is_written_ && !made_.empty()) remove_empty(directory_, made_);
}

void ResultFolder::write(const fs::path& clean_tree, std::string_view document,
                         std::string_view page_text) {
  const fs::path kept = directory_ / "submission";
  std::error_code error;
  if (fs::exists(clean_tree)) {
    const fs::path copy = temporary_folder(directory_);
    fs::copy(clean_tree, copy, fs::copy_options::recursive, error);
    if (!error) fs::permissions(copy, fs::perms(0755), error);
    if (!error) fs::remove_all(kept, error);
    if (!error) fs::rename(copy, kept, error);
    if (error) {
      std::error_code ignored;  // the first error is the one to tell
      fs::remove_all(copy, ignored);
      fail(directory_, error.message());
    }
  } else {
    fs::remove_all(kept, error);
    if (error) fail(directory_, error.message());
  }
  fs::remove(signature_file(scorecard()), error);  // of an earlier scorecard
  if (error) fail(directory_, error.message());
  write_atomically(page(), page_text);
  write_atomically(scorecard(), document);
  is_written_ = true;
}

}  // namespace grader
