#include "grader/intake/collector.hpp"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

#include "grader/base/plain_text.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kEntries = 20'000;  // looked at, whatever they are
constexpr std::size_t kNotices = 20;
constexpr std::size_t kNameShown = 120;
constexpr std::string_view kMarker = "not_submitted.txt";
constexpr std::string_view kLibraryCopy =
    "was left out: the grader uses its own copy of the library.";

std::string in_kilobytes(std::int64_t bytes) { return std::to_string(bytes / 1024) + " KB"; }

}  // namespace

std::string shown(const fs::path& name) { return plain_line(name.string(), kNameShown); }

Collector::Collector(const Policy& policy) : limits_(policy.limits) {
  for (const std::string& include : policy.system_includes) {
    std::error_code error;
    for (fs::directory_iterator entry(include, error), end; !error && entry != end;
         entry.increment(error)) {
      std::error_code unknown;
      (entry->is_directory(unknown) ? library_folders_ : library_files_)
          .insert(entry->path().filename().string());
    }
  }
}

void Collector::refuse(std::string reason) {
  if (!walk_.refusal) walk_.refusal = std::move(reason);
}

bool Collector::count_entry() {
  if (++entries_ <= kEntries) return true;
  refuse("The submission holds more than " + std::to_string(kEntries) +
         " files: hand in only your sources.");
  return false;
}

void Collector::leave_out(const fs::path& path, std::string_view why) {
  if (walk_.notices.size() < kNotices) {
    walk_.notices.push_back(shown(path) + " " + std::string(why));
  } else {
    ++unmentioned_;
  }
}

bool Collector::wants(const fs::path& path, EntryKind kind) {
  const std::string name = path.filename().string();
  const auto without = [&](std::string_view why) {
    leave_out(path, why);
    return false;
  };
  const bool is_folder = kind == EntryKind::folder;
  const NameKind name_kind = kind_of_file_name(name);
  if (name.starts_with('.') || (is_folder && is_skipped_folder(name))) return false;
  if (is_folder && library_folders_.contains(name)) return without(kLibraryCopy);
  if (kind == EntryKind::link) {
    return without("was left out: it is a link, and links are not followed.");
  }
  if (!is_folder && name_kind == NameKind::irrelevant) return false;
  if (!is_folder && name_kind == NameKind::product) {
    return without("was left out: only C++ sources and headers are used.");
  }
  if (!is_plain_name(name)) {
    return without("was left out: its name has unusual characters or is too long.");
  }
  if (looks_like_option(name)) {
    return without("was left out: its name starts like an option of the compiler.");
  }
  if (kind == EntryKind::other) return without("was left out: it is not a regular file.");
  return true;
}

bool Collector::enters(const fs::path& path, const std::vector<std::string>& names) {
  const auto depth = std::distance(path.begin(), path.end());
  if (depth > kDeepestFolder) {
    refuse("The folders are nested too deeply: hand in only your sources.");
    return false;
  }
  if (depth == 0) return true;
  if (std::any_of(names.begin(), names.end(),
                  [&](const std::string& name) { return library_files_.contains(name); })) {
    leave_out(path, kLibraryCopy);
    return false;
  }
  return std::find(names.begin(), names.end(), kMarker) == names.end();
}

bool Collector::begin_file(const fs::path& path) {
  if (is_refused()) return false;
  if (static_cast<std::int64_t>(walk_.files.size()) >= limits_.submission_files) {
    refuse("The submission has more than " + std::to_string(limits_.submission_files) +
           " source files: hand in only your own.");
    return false;
  }
  walk_.files.push_back({path, kind_of_file_name(path.filename().string()), {}});
  return true;
}

void Collector::refuse_too_large(const fs::path& path) {
  refuse(shown(path) + " is larger than " + in_kilobytes(limits_.file_bytes) +
         ": hand in the source text alone.");
}

bool Collector::append(std::string_view content) {
  if (is_refused()) return false;
  FoundFile& file = walk_.files.back();
  bytes_ += static_cast<std::int64_t>(content.size());
  if (static_cast<std::int64_t>(file.content.size() + content.size()) > limits_.file_bytes) {
    refuse_too_large(file.name);
    return false;
  }
  if (bytes_ > limits_.submission_bytes) {
    refuse("The sources are larger than " + in_kilobytes(limits_.submission_bytes) +
           " together: hand in only your own.");
    return false;
  }
  file.content += content;
  return true;
}

Walk Collector::finish(HandedIn handed_in) {
  if (unmentioned_ > 0) {
    walk_.notices.push_back(std::to_string(unmentioned_) + " more files were left out.");
  }
  std::sort(walk_.files.begin(), walk_.files.end(),
            [](const FoundFile& left, const FoundFile& right) {
              return left.name.native() < right.name.native();
            });
  walk_.handed_in = handed_in;
  return std::move(walk_);
}

}  // namespace grader
