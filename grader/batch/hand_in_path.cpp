#include "grader/batch/hand_in_path.hpp"

#include <algorithm>
#include <system_error>

#include "grader/base/fault.hpp"
#include "grader/intake/archive.hpp"
#include "grader/intake/names.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

void make_copy(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directories(to.parent_path(), error);
  if (!error) fs::copy_file(from, to, error);
  if (error) {
    throw EnvironmentFault("Cannot write " + to.string() + ": " + error.message() + ".",
                           "Free some space, or choose another place with --out.");
  }
}

/// The last part of each name, in the order of the names.
std::map<std::string, const Entry*> last_of_each_name(const std::vector<const Part*>& parts) {
  std::map<std::string, const Entry*> last;
  for (const Part* part : parts) last[part->name] = part->entry;
  return last;
}

}  // namespace

fs::path path_of(
    const HandIn& hand_in, const fs::path& folder,
    const std::function<void(const std::string& name, const std::string& reason)>& leave_out) {
  if (hand_in.parts.size() == 1) return hand_in.parts.front().entry->path;
  std::vector<const Part*> work;
  for (const Part& part : hand_in.parts) {
    const bool is_one_level = part.name != "." && part.name != "..";
    if (is_one_level && part.entry->kind == EntryKind::file && is_work(part.name)) {
      work.push_back(&part);
    }
  }
  // Nothing to choose from: intake says what is wrong with it.
  if (work.empty()) work.push_back(&hand_in.parts.front());
  // Beside sources an archive is not opened, so alone it has to be.
  const auto is_source = [](const Part* part) { return !is_archive(part->name, {}); };
  const auto used = last_of_each_name(work);
  for (const Part& part : hand_in.parts) {
    const auto found = used.find(part.name);
    if (found != used.end() && found->second == part.entry) continue;
    // A header under two names is used under one of them at least.
    if (std::ranges::any_of(used, [&](const auto& one) { return one.second == part.entry; })) {
      continue;
    }
    leave_out(part.entry->name, found != used.end()
                                    ? "Another file of this hand-in has the same name and is taken."
                                    : "It is neither a C++ source nor a header nor an archive.");
  }
  if (used.size() == 1) return used.begin()->second->path;
  if (std::ranges::none_of(work, is_source)) {
    for (const auto& [name, entry] : used) {
      if (entry != work.back()->entry) {
        leave_out(entry->name, "Another archive of this hand-in is taken.");
      }
    }
    return work.back()->entry->path;
  }
  for (const auto& [name, entry] : used) make_copy(entry->path, folder / name);
  return folder;
}

}  // namespace grader
