#include "grader/batch/layout.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

#include "grader/base/digest.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStudents = "students";
constexpr std::string_view kAttempt = "attempt-";
constexpr std::string_view kRun = "run-";

// The number in "run-12", or nothing for another name.
std::optional<std::int64_t> number_in(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  std::int64_t number = 0;
  const auto end = std::from_chars(name.data(), name.data() + name.size(), number);
  if (end.ec != std::errc() || end.ptr != name.data() + name.size() || number < 1) {
    return std::nullopt;
  }
  return number;
}

std::vector<std::string> folders_in(const fs::path& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;  // what cannot be looked at is no folder of ours
    if (entry->is_directory(ignored)) names.push_back(entry->path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace

std::string student_folder(const std::string& key) {
  constexpr std::size_t kLongest = 48;
  constexpr std::size_t kDigits = 12;
  std::string name;
  for (const char character : key) {
    const bool is_safe = (character >= 'a' && character <= 'z') ||
                         (character >= '0' && character <= '9') || character == '_' ||
                         ((character == '.' || character == '-') && !name.empty());
    if (is_safe && name.size() < kLongest) name += character;
  }
  if (name == key && !name.empty()) return name;
  return name + "+" + sha256_of_bytes(key).substr(0, kDigits);
}

std::string BatchLayout::run_folder(const std::string& student, std::int64_t attempt,
                                    std::int64_t run) {
  return std::string(kStudents) + "/" + student_folder(student) + "/" + std::string(kAttempt) +
         std::to_string(attempt) + "/" + std::string(kRun) + std::to_string(run);
}

std::int64_t BatchLayout::next_run(const std::string& student, std::int64_t attempt) const {
  std::int64_t last = 0;
  for (const std::string& name :
       folders_in((root_ / run_folder(student, attempt, 1)).parent_path())) {
    last = std::max(last, number_in(name, kRun).value_or(0));
  }
  return last + 1;
}

std::vector<std::string> BatchLayout::run_folders() const {
  std::vector<std::string> found;
  const fs::path students = root_ / kStudents;
  for (const std::string& student : folders_in(students)) {
    for (const std::string& attempt : folders_in(students / student)) {
      if (!number_in(attempt, kAttempt)) continue;
      for (const std::string& run : folders_in(students / student / attempt)) {
        if (!number_in(run, kRun)) continue;
        found.push_back(std::string(kStudents) + "/" + student + "/" + attempt + "/" + run);
      }
    }
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace grader
