#include "grader/lms/row_matching.hpp"

#include <set>

#include "grader/batch/identity.hpp"
#include "grader/intake/names.hpp"

namespace grader {
namespace {

using Rows = std::set<std::size_t>;

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
    if (!found.empty()) return one_of(found);
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
  [[nodiscard]] bool speaks_against(const Sought& student, std::size_t row) const {
    return !student.name.empty() && !rows_[row].name.empty() &&
           letters_of(student.name) != letters_of(rows_[row].name);
  }

  const std::vector<RowIds>& rows_;
  std::map<std::string, std::map<std::string, Rows>> by_id_;
  std::map<std::string, Rows> by_name_;
  std::map<std::string, std::size_t> called_;  ///< how many students have this name
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
