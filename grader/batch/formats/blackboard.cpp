// Blackboard: a flat folder of ASSIGNMENT_USER_attempt_YYYY-MM-DD-HH-MM-SS_FILE and, for each
// attempt, ASSIGNMENT_USER_attempt_YYYY-MM-DD-HH-MM-SS.txt, whose first line is "Name: Jane Doe
// (jdoe)" in the language of the server. Both ASSIGNMENT and USER may hold underscores; times are
// the server's own, without an offset.
#include <algorithm>
#include <charconv>
#include <set>

#include "grader/base/moment.hpp"
#include "grader/batch/formats/format.hpp"

namespace grader {
namespace {

constexpr std::string_view kMark = "_attempt_";
constexpr std::string_view kDate = "dddd-dd-dd-dd-dd-dd";

struct BlackboardName {
  std::string_view head;  ///< ASSIGNMENT_USER
  std::string_view date;
  std::string_view file;  ///< empty of the attempt's .txt
};

bool is_date(std::string_view text) {
  return std::ranges::equal(text, kDate, [](char character, char pattern) {
    return pattern == 'd' ? character >= '0' && character <= '9' : character == pattern;
  });
}

std::optional<BlackboardName> parse(std::string_view name) {
  // FILE may hold the mark once more.
  for (std::size_t place = name.find(kMark); place != std::string_view::npos && place > 0;
       place = name.find(kMark, place + 1)) {
    BlackboardName parsed{name.substr(0, place), name.substr(place + kMark.size()), {}};
    const std::string_view rest = parsed.date.substr(std::min(kDate.size(), parsed.date.size()));
    parsed.date = parsed.date.substr(0, kDate.size());
    if (!is_date(parsed.date)) continue;
    if (rest == ".txt") return parsed;
    if (rest.size() < 2 || rest.front() != '_') continue;
    parsed.file = rest.substr(1);
    return parsed;
  }
  return std::nullopt;
}

std::optional<std::int64_t> time_of(std::string_view date, std::int64_t utc_offset) {
  const auto number = [&](std::size_t place, std::size_t digits) {
    int value = 0;
    std::from_chars(date.data() + place, date.data() + place + digits, value);
    return value;
  };
  return seconds_of(number(0, 4), static_cast<unsigned>(number(5, 2)),
                    static_cast<unsigned>(number(8, 2)), number(11, 2), number(14, 2),
                    number(17, 2), utc_offset);
}

struct Person {
  std::string user;
  std::string name;
};

/// The person in the first line of the attempt's text, "…: Jane Doe (jdoe)", if that is the one
/// whose ASSIGNMENT_USER this is.
std::optional<Person> person_in(const Entry& text, std::string_view head) {
  constexpr std::size_t first_line = 1024;
  const std::string content = read_head(text.path, first_line);
  std::string_view line = content;
  if (line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
  line = line.substr(0, line.find_first_of("\r\n"));
  const std::size_t end = line.rfind(')');
  const std::size_t begin = line.rfind('(', end);
  if (end == std::string_view::npos || begin == std::string_view::npos) return std::nullopt;
  const std::string_view user = line.substr(begin + 1, end - begin - 1);
  if (user.empty() || !head.ends_with("_" + std::string(user))) return std::nullopt;
  std::string_view name = line.substr(0, begin);
  const std::size_t colon = name.find(':');
  if (colon != std::string_view::npos) name.remove_prefix(colon + 1);
  return Person{std::string(user), std::string(name)};
}

/// The length of ASSIGNMENT_ as far as all heads share it.
std::size_t shared_length(const std::set<std::string_view>& heads) {
  if (heads.size() < 2) {
    // One student: the user is what stands behind the last underscore.
    const std::size_t underscore = heads.empty() ? 0 : heads.begin()->rfind('_');
    return underscore == std::string_view::npos ? 0 : underscore + 1;
  }
  // Sorted: what the first and the last share, all do.
  const auto [first, last] = std::ranges::mismatch(*heads.begin(), *heads.rbegin());
  const std::string_view shared(heads.begin()->data(),
                                static_cast<std::size_t>(first - heads.begin()->begin()));
  const std::size_t underscore = shared.rfind('_');
  return underscore == std::string_view::npos ? 0 : underscore + 1;
}

bool recognises(const Entry& folder) {
  return are_most_in(folder, [](const Entry& entry) {
    return entry.kind == EntryKind::file && parse(entry.name).has_value();
  });
}

struct Files {
  const Entry* text = nullptr;
  std::vector<Part> parts;
};

Haul take(const Entry& folder, const CollectOptions& options) {
  Haul haul;
  std::map<std::string_view, std::map<std::string_view, Files>> heads;  // then by date
  std::set<std::string_view> names;
  for (const Entry* entry : visible(folder)) {
    const auto name = parse(entry->name);
    if (!name || entry->kind != EntryKind::file) {
      haul.left_out.emplace_back(entry->name,
                                 "Its name is not one that Blackboard gives submissions.");
      continue;
    }
    names.insert(name->head);
    Files& files = heads[name->head][name->date];
    if (name->file.empty()) {
      files.text = entry;
    } else {
      files.parts.push_back({std::string(name->file), entry});
    }
  }
  const std::size_t shared = shared_length(names);
  for (auto& [head, attempts] : heads) {
    Person person{std::string(head.substr(shared)), {}};
    for (const auto& [date, files] : attempts) {
      if (files.text == nullptr) continue;
      if (auto found = person_in(*files.text, head)) person = std::move(*found);
    }
    for (auto& [date, files] : attempts) {
      HandIn hand_in;
      hand_in.id = person.user;
      hand_in.name = person.name;
      hand_in.lms_ids["blackboard_user"] = person.user;
      hand_in.submitted_at = time_of(date, options.utc_offset);
      hand_in.parts = std::move(files.parts);
      // An attempt without a file is one nevertheless, and is refused for it.
      if (hand_in.parts.empty()) hand_in.parts.push_back({files.text->name, files.text});
      haul.hand_ins.push_back(std::move(hand_in));
    }
  }
  return haul;
}

}  // namespace

Format blackboard_format() { return {"a download from Blackboard", recognises, take}; }

}  // namespace grader
