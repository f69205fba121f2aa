// Which row of a platform's table is which student's. A grade that goes to the wrong person is
// worse than one that a person has to type in, so whatever fits two is matched with none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace grader {

/// How far an id of ours is to be trusted to mean what the platform means by it.
enum class Trust : std::uint8_t {
  /// The platform's own id: where the table has that column, it decides alone, unless all else in
  /// the row says that it is another student's.
  decisive,
  /// What the roster says the platform calls the student.
  declared,
  /// An id of something else, or an address: counts where the names do not speak against it.
  guessed,
};

struct StudentKey {
  std::string kind;   ///< which of the row's ids it is compared with
  std::string value;  ///< empty: the student has no such id
  Trust trust = Trust::guessed;
};

/// A student of ours.
struct Sought {
  std::vector<StudentKey> keys;
  std::string name;  ///< may be empty
};

/// A row of the table.
struct RowIds {
  std::multimap<std::string, std::string> ids;  ///< by kind; empty ids are none
  std::string name;                             ///< may be empty
};

struct RowMatch {
  std::optional<std::size_t> row;  ///< position among the rows
  std::string why_not;             ///< "is in no row of the worksheet"; empty where there is one
  bool is_by_name_alone = false;
};

/// The row of each of `students`, each row for one of them at most. Ids are compared without regard
/// to case, names by their letters.
[[nodiscard]] std::vector<RowMatch> match_rows(const std::vector<Sought>& students,
                                               const std::vector<RowIds>& rows);

}  // namespace grader
