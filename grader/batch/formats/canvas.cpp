// Canvas: a flat folder of PERSON[_LATE]_USER_ATTACHMENT_FILE, PERSON[_LATE]_USER_text.html and
// …_link.html, where PERSON has only letters, digits and underscores, USER and ATTACHMENT are
// numbers and FILE is the student's own name for it. In anonymous assignments anon_ID stands for
// PERSON and USER; LATE then comes before or behind it. Only the last attempt is handed out. A file
// handed in again under its name is called "attention-1.cpp", "attention-2.cpp", …
#include <algorithm>
#include <array>
#include <charconv>

#include "grader/batch/formats/format.hpp"
#include "grader/intake/names.hpp"

namespace grader {
namespace {

struct CanvasName {
  std::string_view person;
  std::string_view user;
  std::string_view attachment;  ///< empty of what was typed in
  std::string_view file;
  bool is_late = false;
  bool is_anonymous = false;
};

/// Takes the text before the next underscore, and the underscore; nothing when there is none.
std::optional<std::string_view> take_field(std::string_view& text) {
  const std::size_t underscore = text.find('_');
  if (underscore == std::string_view::npos) return std::nullopt;
  const std::string_view field = text.substr(0, underscore);
  text.remove_prefix(underscore + 1);
  return field;
}

bool is_late_mark(std::string_view field) { return field == "LATE" || field == "late"; }

bool take_late_mark(std::string_view& text) {
  std::string_view rest = text;
  const auto field = take_field(rest);
  if (!field || !is_late_mark(*field)) return false;
  text = rest;
  return true;
}

/// Takes the ending of a file that holds what was typed in, not handed in as a file.
std::optional<std::string_view> take_typed_ending(std::string_view& name) {
  for (const std::string_view ending : {"text.html", "link.html"}) {
    if (!name.ends_with(ending)) continue;
    name.remove_suffix(ending.size());
    if (name.ends_with('_')) return ending;
  }
  return std::nullopt;
}

std::optional<CanvasName> parse_anonymous(std::string_view name) {
  CanvasName parsed;
  parsed.is_anonymous = true;
  parsed.is_late = take_late_mark(name);
  const auto anon = take_field(name);
  const auto id = take_field(name);
  if (!anon || *anon != "anon" || !id || id->empty()) return std::nullopt;
  parsed.user = *id;
  parsed.is_late = take_late_mark(name) || parsed.is_late;
  if (name == "text.html" || name == "link.html") {
    parsed.file = name;
    return parsed;
  }
  const auto attachment = take_field(name);
  if (!attachment || !is_number(*attachment) || name.empty()) return std::nullopt;
  parsed.attachment = *attachment;
  parsed.file = name;
  return parsed;
}

/// Sets PERSON out of PERSON[_LATE].
void set_person(CanvasName& parsed, std::string_view person) {
  const std::size_t underscore = person.rfind('_');
  const bool is_late =
      underscore != std::string_view::npos && is_late_mark(person.substr(underscore + 1));
  parsed.is_late = is_late;
  parsed.person = is_late ? person.substr(0, underscore) : person;
}

std::optional<CanvasName> parse(std::string_view name) {
  if (const auto anonymous = parse_anonymous(name)) return anonymous;
  CanvasName parsed;
  // The first two numbers in a row: Canvas keeps them out of PERSON, but FILE may hold more.
  for (std::size_t user = name.find('_'); user != std::string_view::npos;
       user = name.find('_', user + 1)) {
    std::string_view rest = name.substr(user + 1);
    const auto number = take_field(rest);
    const auto attachment = take_field(rest);
    if (!attachment) break;
    if (!is_number(*number) || !is_number(*attachment) || rest.empty()) continue;
    set_person(parsed, name.substr(0, user));
    parsed.user = *number;
    parsed.attachment = *attachment;
    parsed.file = rest;
    return parsed;
  }
  std::string_view head = name;
  const auto ending = take_typed_ending(head);
  if (!ending) return std::nullopt;
  head.remove_suffix(1);
  const std::size_t underscore = head.rfind('_');
  if (underscore == std::string_view::npos || !is_number(head.substr(underscore + 1))) {
    return std::nullopt;
  }
  set_person(parsed, head.substr(0, underscore));
  parsed.user = head.substr(underscore + 1);
  parsed.file = *ending;
  return parsed;
}

/// "attention.cpp" for "attention-2.cpp"; nothing for names without such a number.
std::optional<std::string> without_number(std::string_view file) {
  const std::size_t dot = std::min(file.rfind('.'), file.size());
  const std::string_view stem = file.substr(0, dot);
  const std::size_t dash = stem.rfind('-');
  constexpr std::size_t most_digits = 3;
  if (dash == std::string_view::npos || dash == 0 || stem.size() - dash - 1 > most_digits ||
      !is_number(stem.substr(dash + 1))) {
    return std::nullopt;
  }
  return std::string(stem.substr(0, dash)) + std::string(file.substr(dot));
}

/// Gives files their first names back where others need them: the main file its own, and a header
/// both, since nobody knows which of them it is included by.
void undo_numbers(HandIn& hand_in, const std::string& main_file) {
  const auto has = [&](const std::string& name) {
    return std::ranges::find(hand_in.parts, name, &Part::name) != hand_in.parts.end();
  };
  const std::size_t count = hand_in.parts.size();
  for (std::size_t index = 0; index < count; ++index) {
    const std::string given = hand_in.parts[index].name;
    const auto first = without_number(given);
    if (!first || has(*first)) continue;
    if (lower_case(*first) == lower_case(main_file)) {
      hand_in.parts[index].name = *first;
    } else if (kind_of_file_name(given) == NameKind::header) {
      hand_in.parts.push_back({*first, hand_in.parts[index].entry});
    } else {
      continue;
    }
    hand_in.notes.push_back("Canvas numbers files that are handed in again: " + given +
                            " is taken as " + *first + ".");
  }
}

bool recognises(const Entry& folder) {
  return are_most_in(folder, [](const Entry& entry) {
    return entry.kind == EntryKind::file && parse(entry.name).has_value();
  });
}

std::uint64_t number_of(std::string_view digits) {
  std::uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

Haul take(const Entry& folder, const CollectOptions& options) {
  struct Found {
    CanvasName name;
    const Entry* entry;
  };
  Haul haul;
  std::map<std::pair<std::string_view, std::string_view>, std::vector<Found>> found;
  for (const Entry* entry : visible(folder)) {
    const auto name = parse(entry->name);
    if (name && entry->kind == EntryKind::file) {
      // By person too: should two share a number, neither gets the other's files.
      found[{name->user, name->person}].push_back({*name, entry});
    } else {
      haul.left_out.emplace_back(entry->name, "Its name is not one that Canvas gives submissions.");
    }
  }
  for (auto& [user, files] : found) {
    std::ranges::sort(files, {}, [](const Found& file) { return number_of(file.name.attachment); });
    HandIn hand_in;
    const CanvasName& first = files.front().name;
    hand_in.id = std::string(first.user);
    hand_in.name = std::string(first.person);
    hand_in.lms_ids[first.is_anonymous ? "canvas_anonymous" : "canvas_user"] = hand_in.id;
    for (const Found& file : files) {
      hand_in.marked_late = hand_in.marked_late || file.name.is_late;
      if (!file.name.attachment.empty()) {
        hand_in.lms_ids["canvas_attachment"] = std::string(file.name.attachment);
      }
      hand_in.parts.push_back({std::string(file.name.file), file.entry});
    }
    if (files.size() > 1) undo_numbers(hand_in, options.main_file);
    haul.hand_ins.push_back(std::move(hand_in));
  }
  return haul;
}

}  // namespace

Format canvas_format() { return {"a download from Canvas", recognises, take}; }

}  // namespace grader
