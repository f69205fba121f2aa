// GitHub Classroom: a folder of clones, ASSIGNMENT-USER each, where both may hold dashes.
#include <algorithm>

#include "grader/batch/formats/format.hpp"

namespace grader {
namespace {

bool is_clone(const Entry& entry) {
  return entry.kind == EntryKind::folder && find_entry(entry, ".git") != nullptr;
}

bool recognises(const Entry& folder) {
  const auto entries = visible(folder);
  const auto is_folder = [](const Entry* entry) { return entry->kind == EntryKind::folder; };
  return are_most(static_cast<std::size_t>(std::ranges::count_if(
                      entries, [](const Entry* entry) { return is_clone(*entry); })),
                  static_cast<std::size_t>(std::ranges::count_if(entries, is_folder)));
}

/// The length of "ASSIGNMENT-", as far as all clones share it; 0 when there is but one.
std::size_t shared_length(const std::vector<const Entry*>& clones) {
  if (clones.size() < 2) return 0;
  const std::string_view first = clones.front()->name;  // sorted: what first and last share, all do
  const std::string_view last = clones.back()->name;
  const auto end = std::ranges::mismatch(first, last).in1;
  const std::string_view shared = first.substr(0, static_cast<std::size_t>(end - first.begin()));
  const std::size_t dash = shared.rfind('-');
  return dash == std::string_view::npos ? 0 : dash + 1;
}

Haul take(const Entry& folder, const CollectOptions& /*options*/) {
  Haul haul;
  std::vector<const Entry*> clones;
  for (const Entry* entry : visible(folder)) {
    if (is_clone(*entry)) {
      clones.push_back(entry);
    } else {
      haul.left_out.emplace_back(entry->name, "It is not a clone of a repository.");
    }
  }
  const std::size_t shared = shared_length(clones);
  for (const Entry* clone : clones) {
    HandIn hand_in;
    // A repository that is called like the assignment alone is the template.
    hand_in.id = clone->name.size() > shared ? clone->name.substr(shared) : clone->name;
    hand_in.lms_ids["github_repository"] = clone->name;
    hand_in.parts.push_back({clone->name, clone});
    haul.hand_ins.push_back(std::move(hand_in));
  }
  return haul;
}

}  // namespace

Format github_classroom_format() {
  return {"clones of GitHub Classroom repositories", recognises, take};
}

}  // namespace grader
