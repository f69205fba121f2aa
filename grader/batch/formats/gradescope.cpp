// Gradescope: assignment_N_export/ with a folder submission_N of each student or group, in the
// state they submitted last, and submission_metadata.yml, which says whose and from when they are.
#include <algorithm>

#include "grader/batch/formats/format.hpp"
#include "grader/batch/formats/gradescope_metadata.hpp"

namespace grader {
namespace {

constexpr std::string_view kMetadata = "submission_metadata.yml";
constexpr std::string_view kFolder = "submission_";

bool is_submission(const Entry& entry) {
  return entry.kind == EntryKind::folder && entry.name.starts_with(kFolder) &&
         is_number(std::string_view(entry.name).substr(kFolder.size()));
}

const Entry* metadata_of(const Entry& folder) {
  const Entry* entry = find_entry(folder, kMetadata);
  return entry != nullptr && entry->kind == EntryKind::file ? entry : nullptr;
}

bool recognises(const Entry& folder) { return metadata_of(folder) != nullptr; }

HandIn hand_in_of(const Entry& folder) {
  HandIn hand_in;
  hand_in.id = folder.name;
  hand_in.lms_ids["gradescope_submission"] = folder.name.substr(kFolder.size());
  hand_in.parts.push_back({folder.name, &folder});
  return hand_in;
}

/// One hand-in for each of the people who share the folder.
void add_people(Haul& haul, const Entry& folder, const GradescopeSubmission& submission) {
  for (const GradescopeSubmitter& person : submission.submitters) {
    HandIn hand_in = hand_in_of(folder);
    hand_in.submitted_at = submission.created_at;
    hand_in.name = person.name;
    if (!person.sid.empty()) hand_in.lms_ids["gradescope_sid"] = person.sid;
    if (!person.email.empty()) hand_in.lms_ids["gradescope_email"] = person.email;
    if (!person.sid.empty() || !person.email.empty()) {
      hand_in.id = person.sid.empty() ? person.email : person.sid;
    }
    if (submission.submitters.size() > 1) {
      hand_in.notes.push_back("Handed in by a group of " +
                              std::to_string(submission.submitters.size()) + ".");
    }
    haul.hand_ins.push_back(std::move(hand_in));
  }
}

Haul take(const Entry& folder, const CollectOptions& /*options*/) {
  Haul haul;
  const auto metadata = read_gradescope_metadata(metadata_of(folder)->path);
  if (!metadata) {
    haul.left_out.emplace_back(kMetadata,
                               "It cannot be read, so submissions are known by their numbers.");
  }
  for (const Entry* entry : visible(folder)) {
    if (entry->name == kMetadata) continue;
    if (!is_submission(*entry)) {
      haul.left_out.emplace_back(entry->name, "It is not a submission_N folder of the export.");
      continue;
    }
    const GradescopeSubmission* known = nullptr;
    if (metadata && metadata->contains(entry->name)) known = &metadata->at(entry->name);
    if (known != nullptr && !known->submitters.empty()) {
      add_people(haul, *entry, *known);
    } else {
      haul.hand_ins.push_back(hand_in_of(*entry));
      haul.hand_ins.back().notes.emplace_back("The export does not say whose this is.");
    }
  }
  if (!metadata) return haul;
  for (const auto& [name, submission] : *metadata) {
    if (find_entry(folder, name) != nullptr) continue;
    haul.left_out.emplace_back(name, "The export's metadata names it, but it has no such folder.");
  }
  return haul;
}

}  // namespace

Format gradescope_format() { return {"an export from Gradescope", recognises, take}; }

}  // namespace grader
