// The rules by which files of a submission are taken or left, one for folders and archives alike.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/assignment/policy.hpp"
#include "grader/intake/archive_reader.hpp"
#include "grader/intake/names.hpp"

namespace grader {

/// A source or header of a submission, whole in memory.
struct FoundFile {
  std::filesystem::path name;  ///< relative to the submission
  NameKind kind = NameKind::source;
  std::string content;
};

/// What was handed in.
enum class HandedIn : std::uint8_t { file, folder, archive };

struct Walk {
  HandedIn handed_in = HandedIn::file;
  std::vector<FoundFile> files;        ///< sorted by name
  std::vector<std::string> notices;    ///< what was left out, one sentence each
  std::optional<std::string> refusal;  ///< a limit or a link at the top: one sentence
};

/// Folders of a submission may be nested this deep.
constexpr int kDeepestFolder = 16;

/// Collects files within the limits of a policy. After a refusal nothing more is taken.
class Collector {
 public:
  explicit Collector(const Policy& policy);

  void refuse(std::string reason);
  [[nodiscard]] bool is_refused() const { return walk_.refusal.has_value(); }

  /// Counts one more entry, whatever it is; refuses too many.
  bool count_entry();
  /// Whether the entry at `path` is worth opening; says why not where its owner may miss it.
  bool wants(const std::filesystem::path& path, EntryKind kind);
  /// Whether the folder at `path` (empty: the submission itself) that holds `names` is looked into.
  bool enters(const std::filesystem::path& path, const std::vector<std::string>& names);
  /// Begins a file that is `wanted`; false after a refusal.
  bool begin_file(const std::filesystem::path& path);
  /// Adds to the file begun last; false after a refusal.
  bool append(std::string_view content);
  void leave_out(const std::filesystem::path& path, std::string_view why);
  void refuse_too_large(const std::filesystem::path& path);

  Walk finish(HandedIn handed_in);

 private:
  const Limits& limits_;
  // Names at the top of the libraries' include directories: folders of these names are copies of a
  // library, and so is a folder that holds one of these files.
  std::set<std::string> library_folders_;
  std::set<std::string> library_files_;
  Walk walk_;
  std::size_t entries_ = 0;
  std::int64_t bytes_ = 0;
  std::size_t unmentioned_ = 0;
};

/// `name` as one line for people.
std::string shown(const std::filesystem::path& name);

}  // namespace grader
