#include "grader/batch/collect.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/batch/formats/format.hpp"
#include "grader/batch/hand_in_path.hpp"
#include "grader/batch/identity.hpp"
#include "grader/batch/listing.hpp"
#include "grader/batch/unpack.hpp"
#include "grader/intake/archive.hpp"
#include "grader/intake/names.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLeftOut = 1000;
constexpr std::size_t kMostNotes = 10;

/// An attempt before it has its number.
struct Unnumbered {
  Attempt attempt;
  std::size_t source = 0;
  std::optional<std::int64_t> given_number;
};

/// The folder that holds the submissions: `root`, or the only folder in it, and so on.
struct Recognised {
  const Entry* folder;
  Format format;
};

Recognised recognise(const Entry& root, const std::string& main_file) {
  const Entry* folder = &root;
  for (bool is_at_end = false; !is_at_end;) {
    for (const Format& format : download_formats()) {
      if (format.recognises(*folder)) return {folder, format};
    }
    const auto entries = visible(*folder);
    is_at_end = find_entry(*folder, main_file) != nullptr || entries.size() != 1 ||
                entries.front()->kind != EntryKind::folder;
    if (!is_at_end) folder = entries.front();
  }
  // Nobody's download: of folders in folders, the one whose folder holds what could be handed in.
  const auto holds_submissions = [&](const Entry& candidate) {
    return std::ranges::any_of(visible(candidate), [&](const Entry* entry) {
      return (entry->kind == EntryKind::file && is_work(entry->name)) ||
             find_entry(*entry, main_file) != nullptr;
    });
  };
  folder = &root;
  while (find_entry(*folder, main_file) == nullptr && !holds_submissions(*folder)) {
    const auto entries = visible(*folder);
    if (entries.size() != 1 || entries.front()->kind != EntryKind::folder) break;
    if (entries.front()->inside.empty()) break;
    folder = entries.front();
  }
  return {folder, plain_format()};
}

std::string without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(' ') + 1 - begin));
}

class Collecting {
 public:
  Collecting(fs::path workspace, const CollectOptions& options)
      : workspace_(std::move(workspace)), options_(options) {}

  void take(const fs::path& source);
  Collection finish();

 private:
  void take_folder(const Entry& root);
  void take_file(const fs::path& source);
  void add(HandIn&& hand_in);
  void leave_out(const std::string& name, const std::string& reason);
  void forget_workspace();
  void keep_apart_those_who_share_an_id();
  void tell_of_ids_that_look_alike();
  void number_attempts();

  fs::path workspace_;
  const CollectOptions& options_;
  std::size_t source_ = 0;
  std::string source_name_;
  fs::path assembled_;  ///< hand-ins of several loose files
  std::vector<Unnumbered> found_;
  std::map<std::string, std::set<std::string>> spellings_;  ///< Attempt::student → as downloaded
  std::size_t unmentioned_ = 0;
  Collection collection_;
};

void Collecting::leave_out(const std::string& name, const std::string& reason) {
  if (collection_.left_out.size() >= kMostLeftOut) {
    ++unmentioned_;
    return;
  }
  const std::string path = name.empty() ? source_name_ : source_name_ + ": " + shown_name(name);
  collection_.left_out.push_back({path, reason});
}

void Collecting::add(HandIn&& hand_in) {
  Unnumbered found;
  found.source = source_;
  found.given_number = hand_in.attempt;
  Attempt& attempt = found.attempt;
  attempt.student = identity_text(hand_in.id);
  spellings_[attempt.student].insert(without_blanks(hand_in.id));
  if (!hand_in.name.empty()) attempt.name = identity_text(hand_in.name);
  attempt.submitted_at = hand_in.submitted_at;
  attempt.marked_late = hand_in.marked_late;
  for (const auto& [system, id] : hand_in.lms_ids) attempt.lms_ids[system] = identity_text(id);
  for (std::size_t index = 0; index < std::min(hand_in.notes.size(), kMostNotes); ++index) {
    attempt.notes.push_back(shown_name(hand_in.notes[index]));
  }
  attempt.path =
      path_of(hand_in, assembled_ / std::to_string(found_.size() + 1),
              [&](const std::string& name, const std::string& reason) { leave_out(name, reason); });
  attempt.origin = source_name_ + ": " + shown_name(hand_in.parts.front().entry->name);
  if (hand_in.parts.size() > 1) {
    attempt.origin += " and " + std::to_string(hand_in.parts.size() - 1) + " more";
  }
  found_.push_back(std::move(found));
}

void Collecting::take_folder(const Entry& root) {
  const auto [folder, format] = recognise(root, options_.main_file);
  Haul haul = format.take(*folder, options_);
  for (const auto& [name, reason] : haul.left_out) leave_out(name, reason);
  if (haul.hand_ins.empty()) {
    return leave_out("", visible(*folder).empty() ? "It is empty." : "It holds no submission.");
  }
  const std::size_t before = found_.size();
  for (HandIn& hand_in : haul.hand_ins) add(std::move(hand_in));
  const std::size_t count = found_.size() - before;
  collection_.formats.push_back(source_name_ + " is taken for " + std::string(format.name) +
                                " with " + std::to_string(count) +
                                (count == 1 ? " submission." : " submissions."));
}

void Collecting::take_file(const fs::path& source) {
  const std::string name = source.filename().string();
  if (is_archive(name, read_head(source, kArchiveHead))) {
    const fs::path folder = workspace_ / ("source-" + std::to_string(source_)) / "unpacked";
    const auto refusal = unpack(
        source, folder,
        [&](const std::string& member, const std::string& reason) { leave_out(member, reason); });
    if (refusal) return leave_out("", "It " + *refusal);
    Entry root = list_folder(folder);
    root.name = submission_id(source, false);  // whose it is, if it is one student's
    return take_folder(root);
  }
  if (!is_work(name)) {
    return leave_out("", "It is neither a C++ source nor a folder nor an archive.");
  }
  const Entry parent{"", EntryKind::folder, {}, {{name, EntryKind::file, source, {}}}};
  Haul haul = plain_format().take(parent, {});
  for (HandIn& hand_in : haul.hand_ins) {
    // "attention.cpp" alone says nothing of its author, but nothing better is known.
    add(std::move(hand_in));
    collection_.formats.push_back(source_name_ + " is taken for one submission.");
  }
  for (const auto& [left_out, reason] : haul.left_out) leave_out("", reason);
}

void Collecting::take(const fs::path& given) {
  // "folder/" and "." are called by their real names.
  std::error_code error;
  const fs::path source = fs::canonical(given, error);
  if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory) {
    throw UsageFault("There is no file or folder " + shown_name(given.string()) + ".",
                     "Check the path of the source.");
  }
  if (error) {
    throw UsageFault("Cannot read " + shown_name(given.string()) + ": " + error.message() + ".",
                     "Check the path and its permissions.");
  }
  ++source_;
  source_name_ = shown_name(source.filename().string());
  const fs::path place = workspace_ / ("source-" + std::to_string(source_));
  assembled_ = place / "assembled";
  fs::remove_all(place, error);
  if (error) {
    throw EnvironmentFault("Cannot remove " + place.string() + ": " + error.message() + ".",
                           "Choose another place with --out.");
  }
  if (fs::is_directory(source, error)) {
    take_folder(list_folder(source));
  } else if (fs::is_regular_file(source, error)) {
    take_file(source);
  } else {
    leave_out("", "It is neither a file nor a folder.");
  }
}

// Two people with one id would otherwise get one grade between them.
void Collecting::keep_apart_those_who_share_an_id() {
  std::map<std::string, std::map<std::string, std::string>> names;  // id → folded name → name
  for (const Unnumbered& found : found_) {
    const Attempt& attempt = found.attempt;
    if (!attempt.name.empty()) names[attempt.student].emplace(folded(attempt.name), attempt.name);
  }
  for (Unnumbered& found : found_) {
    Attempt& attempt = found.attempt;
    if (names[attempt.student].size() < 2) continue;
    const std::string name = attempt.name.empty() ? "no name" : attempt.name;
    attempt.notes.push_back("Others have the id " + attempt.student + " too.");
    attempt.student = identity_text(attempt.student + " (" + name + ")");
  }
  for (const auto& [id, people] : names) {
    if (people.size() < 2) continue;
    std::string all;
    for (const auto& [key, name] : people) all += (all.empty() ? "" : ", ") + name;
    collection_.notices.push_back(std::to_string(people.size()) + " students have the id " + id +
                                  " (" + all + "): each is graded, under id and name.");
  }
}

// One person may have typed an id in two ways, and two persons may have ids that look like one.
void Collecting::tell_of_ids_that_look_alike() {
  for (const auto& [student, spellings] : spellings_) {
    if (spellings.size() < 2) continue;
    collection_.notices.push_back(
        student +
        " is written in several forms of Unicode, which are taken for one "
        "student's id: look whether they are.");
  }
  std::map<std::string, std::set<std::string>> alike;  // by folded id
  for (const Unnumbered& found : found_) {
    alike[folded(found.attempt.student)].insert(found.attempt.student);
  }
  for (const auto& [id, students] : alike) {
    if (students.size() < 2) continue;
    std::string all;
    for (const std::string& student : students) all += (all.empty() ? "" : ", ") + student;
    collection_.notices.push_back(all + " differ only in the case of letters: they are graded as " +
                                  std::to_string(students.size()) + " students.");
  }
}

void Collecting::number_attempts() {
  // By time where all of a student's have one; else by source, in the order they were named in.
  std::map<std::string, bool> has_times;
  for (const Unnumbered& found : found_) {
    const auto place = has_times.emplace(found.attempt.student, true).first;
    place->second = place->second && found.attempt.submitted_at.has_value();
  }
  const auto order = [&](const Unnumbered& one) {
    const std::string& student = one.attempt.student;
    const std::int64_t time = has_times.at(student) ? *one.attempt.submitted_at : 0;
    return std::tuple(std::string_view(student), time, one.source, one.given_number.value_or(0));
  };
  std::ranges::stable_sort(found_, {}, order);
  std::set<std::string> unclear;
  for (std::size_t index = 1; index < found_.size(); ++index) {
    const Unnumbered& before = found_[index - 1];
    Unnumbered& here = found_[index];
    if (before.attempt.student != here.attempt.student) continue;
    here.attempt.number = before.attempt.number + 1;
    const bool is_clear = order(before) != order(here);
    if (!is_clear) unclear.insert(here.attempt.student);
  }
  for (const std::string& student : unclear) {
    collection_.notices.push_back(student +
                                  " handed in several things, and nothing says in which order: "
                                  "they are numbered by their names.");
  }
}

Collection Collecting::finish() {
  if (unmentioned_ > 0) {
    collection_.left_out.push_back(
        {std::to_string(unmentioned_) + " more", "They are too many to be listed."});
  }
  if (found_.empty()) {
    std::string why;
    constexpr std::size_t shown = 3;
    for (std::size_t index = 0; index < std::min(shown, collection_.left_out.size()); ++index) {
      // The last ones are about whole sources.
      const LeftOut& one = collection_.left_out[collection_.left_out.size() - 1 - index];
      why += " " + one.path + ": " + one.reason;
    }
    throw UsageFault("There is nothing to grade." + why,
                     "Name a folder or an archive that holds submissions.");
  }
  keep_apart_those_who_share_an_id();
  tell_of_ids_that_look_alike();
  number_attempts();
  for (Unnumbered& found : found_) collection_.attempts.push_back(std::move(found.attempt));
  return std::move(collection_);
}

}  // namespace

Collection collect(const std::vector<fs::path>& sources, const fs::path& workspace,
                   const CollectOptions& options) {
  Collecting collecting(workspace, options);
  for (const fs::path& source : sources) collecting.take(source);
  return collecting.finish();
}

}  // namespace grader
