// Attempts and roster side by side. A grade that goes to the wrong person is worse than one that a
// person has to hand out, so whatever fits two is left for people to decide.
#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "grader/batch/identity.hpp"
#include "grader/batch/roster.hpp"
#include "grader/intake/names.hpp"

namespace grader {
namespace {

constexpr std::size_t kMostNamed = 5;

class Finder {
 public:
  explicit Finder(const Roster& roster) : students_(roster.students) {
    for (const Student& student : students_) {
      by_["id"].emplace(folded(student.id), &student);
      if (!student.email.empty()) by_["email"].emplace(folded(student.email), &student);
      if (!student.name.empty()) by_["name"].emplace(letters_of(student.name), &student);
      for (const auto& [system, id] : student.lms_ids) by_[system].emplace(folded(id), &student);
    }
  }

  /// The students to whom the ids of `attempt` belong: usually one or none.
  [[nodiscard]] std::set<const Student*> by_id(const Attempt& attempt) const {
    // What the platform itself calls them decides where the roster knows it.
    std::set<const Student*> found;
    bool is_decided = false;
    for (const auto& [system, id] : attempt.lms_ids) {
      const bool is_repository = system == "github_repository";
      if (!by_.contains(is_repository ? "github_user" : system)) continue;
      is_decided = true;
      found.merge(is_repository ? by_repository(id) : all(system, id));
    }
    if (is_decided) return found;
    std::vector<std::string> ids = {attempt.student};
    for (const char* system : {"gradescope_sid", "gradescope_email", "canvas_user"}) {
      const auto id = attempt.lms_ids.find(system);
      if (id != attempt.lms_ids.end()) ids.push_back(id->second);
    }
    for (const char* kind : {"id", "blackboard_user", "email"}) {
      for (const std::string& id : ids) found.merge(all(kind, id));
      if (!found.empty()) return found;
    }
    return found;
  }
  [[nodiscard]] std::set<const Student*> by_name(const std::string& name) const {
    return all_of("name", letters_of(name));
  }
  [[nodiscard]] std::set<const Student*> all(const std::string& kind, const std::string& id) const {
    return all_of(kind, folded(id));
  }

 private:
  [[nodiscard]] std::set<const Student*> all_of(const std::string& kind,
                                                const std::string& key) const {
    std::set<const Student*> found;
    const auto index = by_.find(kind);
    if (index == by_.end()) return found;
    const auto [begin, end] = index->second.equal_range(key);
    for (auto one = begin; one != end; ++one) found.insert(one->second);
    return found;
  }
  /// Of those whose user name ends the repository's name, the one with the longest.
  [[nodiscard]] std::set<const Student*> by_repository(const std::string& repository) const {
    const std::string name = folded(repository);
    for (std::size_t dash = name.find('-'); dash != std::string::npos;
         dash = name.find('-', dash + 1)) {
      auto found = all_of("github_user", name.substr(dash + 1));
      if (!found.empty()) return found;
    }
    return all_of("github_user", name);
  }

  const std::vector<Student>& students_;
  std::map<std::string, std::multimap<std::string, const Student*>> by_;
};

/// "Jane Doe (row 3), …" of at most some.
class Names {
 public:
  void add(const std::string& name) {
    if (count_++ < kMostNamed) list_ += (list_.empty() ? "" : ", ") + name;
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::string list() const {
    return count_ <= kMostNamed ? list_
                                : list_ + " and " + std::to_string(count_ - kMostNamed) + " more";
  }

 private:
  std::size_t count_ = 0;
  std::string list_;
};

std::string row_of(const Student& student) { return "row " + std::to_string(student.row); }

/// Calls the roll of one download's students.
class Calling {
 public:
  Calling(const Roster& roster, std::vector<Attempt> attempts) : roster_(roster), finder_(roster) {
    roll_.attempts = std::move(attempts);
  }

  Roll call() {
    match_by_id();
    match_by_name();
    separate_those_who_share_a_student();
    for (Attempt& attempt : roll_.attempts) {
      const auto match = matches_.find(attempt.student);
      if (match == matches_.end()) {
        // Another platform's number may be somebody else's id.
        if (!finder_.all("id", attempt.student).empty()) {
          attempt.student = identity_text(attempt.student + " (not in the roster)");
        }
        if (unmatched_.insert(attempt.student).second) roll_.unmatched.push_back(attempt.student);
        continue;
      }
      attempt.student = match->second->id;
      if (!match->second->name.empty()) attempt.name = match->second->name;
    }
    list_missing();
    renumber();
    return std::move(roll_);
  }

 private:
  void match_by_id() {
    Names differing;
    for (const Attempt& attempt : roll_.attempts) {
      if (matches_.contains(attempt.student) || !seen_.insert(attempt.student).second) continue;
      const auto found = finder_.by_id(attempt);
      if (found.size() > 1) {
        roll_.notices.push_back(attempt.student + " fits " + std::to_string(found.size()) +
                                " rows of the roster and is matched with none of them.");
        ambiguous_.insert(attempt.student);
      }
      if (found.size() != 1) continue;
      const Student& student = **found.begin();
      matches_[attempt.student] = &student;
      if (!attempt.name.empty() && !student.name.empty() &&
          letters_of(attempt.name) != letters_of(student.name)) {
        differing.add(attempt.name + " / " + student.name + " (" + row_of(student) + ")");
      }
    }
    if (differing.count() > 0) {
      roll_.notices.push_back(
          "Download and roster have different names for one id: " + differing.list() + ".");
    }
  }

  // Last, and only where it cannot be anybody else.
  void match_by_name() {
    std::set<const Student*> taken;
    for (const auto& [id, student] : matches_) taken.insert(student);
    std::map<const Student*, std::set<std::string>> candidates;
    for (const Attempt& attempt : roll_.attempts) {
      if (matches_.contains(attempt.student) || ambiguous_.contains(attempt.student)) continue;
      const auto found = finder_.by_name(attempt.name.empty() ? attempt.student : attempt.name);
      if (found.size() == 1) candidates[*found.begin()].insert(attempt.student);
    }
    Names names;
    for (const auto& [student, ids] : candidates) {
      if (ids.size() != 1 || taken.contains(student)) continue;
      matches_[*ids.begin()] = student;
    }
    for (const Student& student : roster_.students) {
      const auto found = candidates.find(&student);
      if (found != candidates.end() && found->second.size() == 1 && !taken.contains(&student)) {
        names.add(student.name + " (" + row_of(student) + ")");
      }
    }
    if (names.count() > 0) roll_.notices.push_back("Matched by name alone: " + names.list() + ".");
  }

  // Two students of a download that are one of the roster: whose attempts are whose?
  void separate_those_who_share_a_student() {
    std::map<const Student*, std::vector<std::string>> ids;
    for (const auto& [id, student] : matches_) ids[student].push_back(id);
    for (const Student& student : roster_.students) {
      const auto found = ids.find(&student);
      if (found == ids.end() || found->second.size() < 2) continue;
      // The same person under two ids of different systems is one; under two of one system, not.
      if (!share_a_system(found->second)) continue;
      Names names;
      for (const std::string& id : found->second) {
        names.add(id);
        matches_.erase(id);
      }
      roll_.notices.push_back(names.list() + " all fit " + row_of(student) +
                              " of the roster and are matched with none.");
    }
  }
  [[nodiscard]] bool share_a_system(const std::vector<std::string>& ids) const {
    std::map<std::string, std::set<std::string>> students;
    for (const Attempt& attempt : roll_.attempts) {
      if (std::ranges::find(ids, attempt.student) == ids.end()) continue;
      if (attempt.lms_ids.empty()) students["plain"].insert(attempt.student);
      for (const auto& [system, id] : attempt.lms_ids) students[system].insert(attempt.student);
    }
    return std::ranges::any_of(students, [](const auto& one) { return one.second.size() > 1; });
  }

  void list_missing() {
    std::set<const Student*> present;
    for (const auto& [id, student] : matches_) present.insert(student);
    for (const Student& student : roster_.students) {
      if (!present.contains(&student)) roll_.missing.push_back(student);
    }
  }

  // What was two students may be one now.
  void renumber() {
    std::map<std::string, bool> has_times;
    for (const Attempt& attempt : roll_.attempts) {
      const auto place = has_times.emplace(attempt.student, true).first;
      place->second = place->second && attempt.submitted_at.has_value();
    }
    std::ranges::stable_sort(roll_.attempts, {}, [&](const Attempt& attempt) {
      const bool has_time = has_times.at(attempt.student);
      return std::pair(std::string_view(attempt.student), has_time ? *attempt.submitted_at : 0);
    });
    for (std::size_t index = 0; index < roll_.attempts.size(); ++index) {
      const bool is_next =
          index > 0 && roll_.attempts[index - 1].student == roll_.attempts[index].student;
      roll_.attempts[index].number = is_next ? roll_.attempts[index - 1].number + 1 : 1;
    }
  }

  const Roster& roster_;
  Finder finder_;
  Roll roll_;
  std::map<std::string, const Student*> matches_;  ///< by Attempt::student of the download
  std::set<std::string> seen_;
  std::set<std::string> ambiguous_;
  std::set<std::string> unmatched_;
};

}  // namespace

Roll call_roll(std::vector<Attempt> attempts, const Roster& roster) {
  return Calling(roster, std::move(attempts)).call();
}

}  // namespace grader
