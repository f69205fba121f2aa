#include "grader/batch/listing.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "grader/base/fault.hpp"
#include "grader/batch/identity.hpp"
#include "grader/intake/archive.hpp"
#include "grader/intake/names.hpp"
#include "grader/sandbox/descriptor.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

// Source folder, class folder, student, attempt, and what lies in that.
constexpr int kLevels = 5;
constexpr std::size_t kMostEntries = 500'000;

EntryKind kind_of(const fs::directory_entry& entry) {
  std::error_code error;
  switch (entry.symlink_status(error).type()) {
    case fs::file_type::regular: return EntryKind::file;
    case fs::file_type::directory: return EntryKind::folder;
    case fs::file_type::symlink: return EntryKind::link;
    default: return EntryKind::other;
  }
}

void fill(Entry& folder, int levels, std::size_t& count, std::error_code& error) {
  for (fs::directory_iterator entry(folder.path, error), end; !error && entry != end;
       entry.increment(error)) {
    if (++count > kMostEntries) {
      throw UsageFault(shown_name(folder.path.string()) + " and the folders around it hold more " +
                           "than " + std::to_string(kMostEntries) + " files.",
                       "Name the folder that holds the submissions.");
    }
    folder.inside.push_back(
        {entry->path().filename().string(), kind_of(*entry), entry->path(), {}});
  }
  std::ranges::sort(folder.inside, {}, &Entry::name);
  if (levels == 1) return;
  for (Entry& entry : folder.inside) {
    if (entry.kind != EntryKind::folder || is_clutter(entry.name)) continue;
    std::error_code unreadable;  // whoever takes the submission says so
    fill(entry, levels - 1, count, unreadable);
  }
}

}  // namespace

Entry list_folder(const fs::path& path) {
  Entry root{path.filename().string(), EntryKind::folder, path, {}};
  std::size_t count = 0;
  std::error_code error;
  fill(root, kLevels, count, error);
  if (error) {
    throw UsageFault("Cannot read " + shown_name(path.string()) + ": " + error.message() + ".",
                     "Check the path and its permissions.");
  }
  return root;
}

bool is_clutter(std::string_view name) {
  const std::string lower = lower_case(name);
  return name.starts_with('.') || lower == "__macosx" || lower == "thumbs.db" ||
         lower == "desktop.ini";
}

std::vector<const Entry*> visible(const Entry& folder) {
  std::vector<const Entry*> entries;
  for (const Entry& entry : folder.inside) {
    if (!is_clutter(entry.name)) entries.push_back(&entry);
  }
  return entries;
}

const Entry* find_entry(const Entry& folder, std::string_view name) {
  const std::string wanted = lower_case(name);
  const auto found = std::ranges::find_if(
      folder.inside, [&](const Entry& entry) { return lower_case(entry.name) == wanted; });
  return found != folder.inside.end() ? &*found : nullptr;
}

bool is_work(std::string_view name) {
  const NameKind kind = kind_of_file_name(name);
  return kind == NameKind::source || kind == NameKind::header || is_archive(name, {});
}

std::string read_head(const fs::path& file, std::size_t limit) {
  const Descriptor descriptor(
      open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  std::string head(limit, '\0');
  const ssize_t count = descriptor ? pread(descriptor.get(), head.data(), head.size(), 0) : 0;
  head.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return head;
}

}  // namespace grader
