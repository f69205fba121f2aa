// A folder that somebody made: each source file, folder and archive in it is one student's, named
// after the student. Several attempts are "jdoe_attempt_2.cpp", or folders "attempt-1", "attempt-2"
// in the student's.
#include <algorithm>
#include <charconv>

#include "grader/batch/formats/format.hpp"
#include "grader/intake/names.hpp"

namespace grader {
namespace {

struct Named {
  std::string student;
  std::optional<std::int64_t> attempt;
};

/// The number at the end of "attempt2", "attempt-2", "attempt_2", "Attempt 2", whose beginning is
/// cut off `text`; nothing, and `text` as it was, when it does not end so.
std::optional<std::int64_t> take_attempt(std::string_view& text) {
  const std::size_t digits = text.find_last_not_of("0123456789") + 1;
  std::int64_t number = 0;
  const auto end = text.data() + text.size();
  const auto [read_to, error] = std::from_chars(text.data() + digits, end, number);
  if (error != std::errc{} || read_to != end || number < 1) return std::nullopt;
  std::string_view head = text.substr(0, digits);
  if (head.ends_with('-') || head.ends_with('_') || head.ends_with(' ')) head.remove_suffix(1);
  constexpr std::string_view word = "attempt";
  if (head.size() < word.size() || lower_case(head.substr(head.size() - word.size())) != word) {
    return std::nullopt;
  }
  text = head.substr(0, head.size() - word.size());
  return number;
}

/// Whose "jdoe.cpp", "jdoe.tar.gz", "jdoe_attempt_2.zip" are.
Named named(const Entry& entry) {
  std::string_view name = entry.name;
  if (entry.kind == EntryKind::file) {
    name = name.substr(0, name.rfind('.'));
    if (lower_case(name).ends_with(".tar")) name.remove_suffix(4);
  }
  const std::string_view whole = name;
  const auto attempt = take_attempt(name);
  if (name.ends_with('-') || name.ends_with('_') || name.ends_with(' ')) name.remove_suffix(1);
  if (!attempt || name.empty()) return {std::string(whole), std::nullopt};
  return {std::string(name), attempt};
}

bool is_attempt_folder(const Entry* entry) {
  std::string_view name = entry->name;
  return entry->kind == EntryKind::folder && take_attempt(name) && name.empty();
}

bool recognises(const Entry& /*folder*/) { return true; }

void take_student(Haul& haul, const Entry& entry) {
  const Named whose = named(entry);
  const auto add = [&](const Entry& part, std::optional<std::int64_t> attempt) {
    HandIn hand_in;
    hand_in.id = whose.student;
    hand_in.attempt = attempt;
    hand_in.parts.push_back({part.name, &part});
    haul.hand_ins.push_back(std::move(hand_in));
  };
  const auto inside = visible(entry);
  if (inside.empty() || !std::ranges::all_of(inside, is_attempt_folder)) {
    return add(entry, whose.attempt);
  }
  for (const Entry* folder : inside) {
    std::string_view name = folder->name;
    add(*folder, take_attempt(name));
  }
}

Haul take(const Entry& folder, const CollectOptions& options) {
  Haul haul;
  if (find_entry(folder, options.main_file) != nullptr) {
    HandIn hand_in;
    hand_in.id = folder.name;
    hand_in.parts.push_back({folder.name, &folder});
    haul.hand_ins.push_back(std::move(hand_in));
    return haul;
  }
  for (const Entry* entry : visible(folder)) {
    const bool is_work_file = entry->kind == EntryKind::file && is_work(entry->name) &&
                              kind_of_file_name(entry->name) != NameKind::header;
    if (entry->kind == EntryKind::folder || is_work_file) {
      take_student(haul, *entry);
    } else if (entry->kind == EntryKind::link) {
      haul.left_out.emplace_back(entry->name, "It is a link, and links are not followed.");
    } else {
      haul.left_out.emplace_back(entry->name,
                                 "It is neither a C++ source nor a folder nor an archive.");
    }
  }
  return haul;
}

}  // namespace

Format plain_format() { return {"a plain folder of submissions", recognises, take}; }

}  // namespace grader
