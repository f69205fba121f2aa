#include "grader/lms/row_matching.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>

#include "grader/batch/identity.hpp"
#include "grader/intake/names.hpp"

namespace grader {
namespace {

using Rows = std::set<std::size_t>;

bool is_address(const std::string& id) { return id.find('@') != std::string::npos; }

// Both have an address, and it is not the same.
bool have_other_addresses(const Sought& student, const RowIds& row) {
  const auto is_one = [](const auto& id) { return is_address(id.second); };
  return std::ranges::any_of(student.keys, is_address, &StudentKey::value) &&
         std::ranges::any_of(row.ids, is_one);
}

std::set<std::string> words_of(const std::string& name) {
  std::string text = folded(name);
  std::ranges::replace_if(
      text,
      [](char character) {
        return std::string_view(",.'-_").find(character) != std::string_view::npos;
      },
      ' ');
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

bool share_a_word(const std::string& one, const std::string& other) {
  const std::set<std::string> words = words_of(other);
  return std::ranges::any_of(words_of(one),
                             [&](const std::string& word) { return words.contains(word); });
}

// What a row shows of whose it is.
std::string described(const RowIds& row) {
  const auto address =
      std::ranges::find_if(row.ids, [](const auto& id) { return is_address(id.second); });
  if (address == row.ids.end()) return row.name;
  return row.name.empty() ? address->second : row.name + " (" + address->second + ")";
}

class Matcher {
 public:
  Matcher(const std::vector<Sought>& students, const std::vector<RowIds>& rows) : rows_(rows) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (const auto& [kind, id] : rows[row].ids) {
        if (!id.empty()) by_id_[kind][folded(id)].insert(row);
      }
      if (!rows[row].name.empty()) by_name_[letters_of(rows[row].name)].insert(row);
    }
    for (const Sought& student : students) {
      if (!student.name.empty()) ++called_[letters_of(student.name)];
      for (const StudentKey& key : student.keys) {
        if (key.trust != Trust::decisive && !key.value.empty()) {
          owned_[key.kind].insert(folded(key.value));
        }
        // A name alone is no claim against an id, but one whose own id leads elsewhere is a sign.
        if (key.trust == Trust::decisive && !rows_with(key).empty() && !student.name.empty()) {
          displaced_.insert(letters_of(student.name));
        }
      }
    }
  }

  [[nodiscard]] RowMatch match(const Sought& student) const {
    if (const auto decided = by_decisive_ids(student)) return *decided;
    if (const Rows found = all(student, Trust::declared); !found.empty()) return one_of(found);
    if (const Rows found = all(student, Trust::guessed); !found.empty()) {
      RowMatch match = one_of(found);
      if (match.row && speaks_against(student, *match.row)) {
        return {std::nullopt,
                "has the id of a row of the worksheet with another name, " +
                    shown_name(rows_[*match.row].name),
                false};
      }
      return match;
    }
    return by_name(student);
  }

 private:
  [[nodiscard]] std::optional<RowMatch> by_decisive_ids(const Sought& student) const {
    Rows found;
    const StudentKey* decisive = nullptr;
    for (const StudentKey& key : student.keys) {
      const bool decides = key.trust == Trust::decisive && !key.value.empty();
      if (!decides || !by_id_.contains(key.kind)) continue;
      decisive = &key;
      found.merge(rows_with(key));
    }
    if (decisive == nullptr) return std::nullopt;
    if (!found.empty()) {
      const RowMatch match = one_of(found);
      if (!match.row || !is_anothers(student, *match.row)) return match;
      return RowMatch{std::nullopt,
                      "has the " + decisive->kind + " of a row of the worksheet that is somebody " +
                          "else's, " + shown_name(described(rows_[*match.row])),
                      false};
    }
    return RowMatch{std::nullopt,
                    "is in no row of the worksheet: none has the " + decisive->kind + " " +
                        shown_name(decisive->value),
                    false};
  }

  [[nodiscard]] RowMatch by_name(const Sought& student) const {
    const std::string letters = letters_of(student.name);
    const auto found = by_name_.find(letters);
    if (student.name.empty() || found == by_name_.end()) {
      return {std::nullopt, "is in no row of the worksheet", false};
    }
    if (found->second.size() > 1 || called_.at(letters) > 1) {
      return {std::nullopt, "has no id that the worksheet has, and a name that is not one person's",
              false};
    }
    return {*found->second.begin(), "", true};
  }

  [[nodiscard]] Rows rows_with(const StudentKey& key) const {
    const auto kind = by_id_.find(key.kind);
    if (kind == by_id_.end() || key.value.empty()) return {};
    const auto found = kind->second.find(folded(key.value));
    return found == kind->second.end() ? Rows{} : found->second;
  }
  [[nodiscard]] Rows all(const Sought& student, Trust trust) const {
    Rows found;
    for (const StudentKey& key : student.keys) {
      if (key.trust == trust) found.merge(rows_with(key));
    }
    return found;
  }
  [[nodiscard]] static RowMatch one_of(const Rows& found) {
    if (found.size() == 1) return {*found.begin(), "", false};
    return {std::nullopt, "fits " + std::to_string(found.size()) + " rows of the worksheet", false};
  }
  // Ids that were mixed up: by everything else the row is another student's.
  [[nodiscard]] bool is_anothers(const Sought& student, std::size_t row) const {
    const RowIds& found = rows_[row];
    if (speaks_for(student, found)) return false;
    for (const auto& [kind, id] : found.ids) {
      const auto owned = owned_.find(kind);
      if (owned != owned_.end() && owned->second.contains(folded(id))) return true;
    }
    const std::string letters = letters_of(found.name);
    const bool is_one_persons = displaced_.contains(letters) && called_.at(letters) == 1 &&
                                by_name_.at(letters).size() == 1;
    return is_one_persons ||
           (have_other_addresses(student, found) && !share_a_word(student.name, found.name));
  }
  [[nodiscard]] static bool speaks_for(const Sought& student, const RowIds& row) {
    const auto has = [&](const StudentKey& key) {
      if (key.trust == Trust::decisive || key.value.empty()) return false;
      const auto [begin, end] = row.ids.equal_range(key.kind);
      return std::any_of(begin, end,
                         [&](const auto& id) { return folded(id.second) == folded(key.value); });
    };
    if (std::ranges::any_of(student.keys, has)) return true;
    return !student.name.empty() && letters_of(student.name) == letters_of(row.name);
  }
  [[nodiscard]] bool speaks_against(const Sought& student, std::size_t row) const {
    return !student.name.empty() && !rows_[row].name.empty() &&
           letters_of(student.name) != letters_of(rows_[row].name);
  }

  const std::vector<RowIds>& rows_;
  std::map<std::string, std::map<std::string, Rows>> by_id_;
  std::map<std::string, Rows> by_name_;
  std::map<std::string, std::size_t> called_;  ///< how many students have this name
  std::set<std::string> displaced_;  ///< names of students whose deciding id is in the table
  std::map<std::string, std::set<std::string>> owned_;  ///< ids of students that do not decide
};

}  // namespace

std::vector<RowMatch> match_rows(const std::vector<Sought>& students,
                                 const std::vector<RowIds>& rows) {
  const Matcher matcher(students, rows);
  std::vector<RowMatch> matches;
  std::map<std::size_t, std::size_t> claims;  // a name alone is no claim against an id
  std::map<std::size_t, std::size_t> claims_by_name;
  for (const Sought& student : students) {
    const RowMatch& match = matches.emplace_back(matcher.match(student));
    if (match.row) ++(match.is_by_name_alone ? claims_by_name : claims)[*match.row];
  }
  for (RowMatch& match : matches) {
    if (!match.row) continue;
    const std::size_t rivals = match.is_by_name_alone ? claims[*match.row] : 0;
    const auto& own = match.is_by_name_alone ? claims_by_name : claims;
    if (rivals + own.at(*match.row) > 1) {
      match = {std::nullopt, "fits the same row of the worksheet as another student", false};
    }
  }
  return matches;
}

}  // namespace grader
