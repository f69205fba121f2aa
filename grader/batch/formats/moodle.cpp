// Moodle: PERSON_NUMBER_assignsubmission_PLUGIN, as folders (…_file or …_file_, with the student's
// folders in them) or as the beginning of files (…_file_NAME). PERSON is the full name, in which an
// underscore has become a blank, or a group, or "Participant" where marking is blind; NUMBER is the
// participant's in this assignment. What was typed in is …_onlinetext. Only the last attempt is
// handed out, and no times.
#include <algorithm>

#include "grader/batch/formats/format.hpp"

namespace grader {
namespace {

struct MoodleName {
  std::string_view person;
  std::string_view number;  ///< empty of a team without one
  std::string_view plugin;  ///< "file", "onlinetext"
  std::string_view file;    ///< of a flat download
};

std::optional<MoodleName> parse(const Entry& entry) {
  constexpr std::string_view mark = "_assignsubmission_";
  const std::string_view name = entry.name;
  const std::size_t place = name.find(mark);
  if (place == std::string_view::npos || place == 0) return std::nullopt;
  MoodleName parsed;
  parsed.person = name.substr(0, place);
  if (const std::size_t underscore = parsed.person.rfind('_');
      underscore != std::string_view::npos && is_number(parsed.person.substr(underscore + 1))) {
    parsed.number = parsed.person.substr(underscore + 1);
    parsed.person = parsed.person.substr(0, underscore);
  }
  const std::string_view rest = name.substr(place + mark.size());
  const std::size_t end = std::min(rest.find('_'), rest.size());
  parsed.plugin = rest.substr(0, end);
  parsed.file = rest.substr(std::min(end + 1, rest.size()));
  const bool is_folder = entry.kind == EntryKind::folder;
  if (parsed.plugin.empty() || (is_folder && !parsed.file.empty())) return std::nullopt;
  if (!is_folder && (entry.kind != EntryKind::file || parsed.file.empty())) return std::nullopt;
  return parsed;
}

bool recognises(const Entry& folder) {
  return are_most_in(folder, [](const Entry& entry) { return parse(entry).has_value(); });
}

/// The parts to grade: files that were handed in, and only where there are none, what was typed in.
void add_parts(Haul& haul, HandIn& hand_in, const std::vector<std::pair<MoodleName, Part>>& parts) {
  const bool has_files =
      std::ranges::any_of(parts, [](const auto& part) { return part.first.plugin == "file"; });
  for (const auto& [name, part] : parts) {
    if (has_files == (name.plugin == "file")) {
      hand_in.parts.push_back(part);
    } else {
      haul.left_out.emplace_back(part.entry->name,
                                 "What was typed into Moodle is not graded beside files.");
    }
  }
}

Haul take(const Entry& folder, const CollectOptions& /*options*/) {
  Haul haul;
  using Key = std::pair<std::string_view, std::string_view>;
  std::map<Key, std::vector<std::pair<MoodleName, Part>>> found;
  for (const Entry* entry : visible(folder)) {
    if (const auto name = parse(*entry)) {
      found[{name->number, name->person}].push_back({*name, {std::string(name->file), entry}});
    } else {
      haul.left_out.emplace_back(entry->name, "Its name is not one that Moodle gives submissions.");
    }
  }
  // Where marking is blind all are called "Participant", in the language of the site.
  const bool are_blind = found.size() > 1 && std::ranges::all_of(found, [&](const auto& one) {
                           return one.first.second == found.begin()->first.second;
                         });
  for (const auto& [key, parts] : found) {
    const auto& [number, person] = key;
    HandIn hand_in;
    hand_in.id = std::string(number.empty() ? person : number);
    if (!are_blind) hand_in.name = std::string(person);
    if (!number.empty()) hand_in.lms_ids["moodle_participant"] = hand_in.id;
    add_parts(haul, hand_in, parts);
    haul.hand_ins.push_back(std::move(hand_in));
  }
  return haul;
}

}  // namespace

Format moodle_format() { return {"a download from Moodle", recognises, take}; }

}  // namespace grader
