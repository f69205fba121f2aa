// What learning platforms make of submissions when they hand them out: one file a format. To add
// one, write that file and name its function in formats.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/batch/collect.hpp"
#include "grader/batch/listing.hpp"

namespace grader {

/// A file or folder of a hand-in.
struct Part {
  std::string name;  ///< what the student called it, as bytes
  const Entry* entry = nullptr;
};

/// One hand-in of one student, as a format finds it. Texts are still the bytes of the download.
struct HandIn {
  std::string id;    ///< tells students apart
  std::string name;  ///< for people; empty where the download has none
  std::map<std::string, std::string> lms_ids;
  std::optional<std::int64_t> submitted_at;
  std::optional<std::int64_t> attempt;  ///< the number that the download gives it
  bool marked_late = false;
  std::vector<Part> parts;  ///< a folder, or files; later ones of one name replace earlier ones
  std::vector<std::string> notes;
};

struct Haul {
  std::vector<HandIn> hand_ins;
  std::vector<std::pair<std::string, std::string>> left_out;  ///< name as bytes, and the reason
};

struct Format {
  std::string_view name;  ///< as in "a download from Canvas"
  /// Whether the folder, judged by the names in it, is one of these.
  bool (*recognises)(const Entry& folder);
  Haul (*take)(const Entry& folder, const CollectOptions& options);
};

/// In the order in which they are asked. Of a folder that none of them knows, `plain_format`.
std::span<const Format> download_formats();

Format canvas_format();
Format moodle_format();
Format gradescope_format();
Format blackboard_format();
Format github_classroom_format();
/// Any folder: sources, folders and archives in it are one student's each.
Format plain_format();

/// Whether at least one of `all` things is like that, and no more than half are not.
inline bool are_most(std::size_t like_that, std::size_t all) {
  return like_that > 0 && 2 * like_that >= all;
}

/// Whether most of what is visible in `folder` is such.
bool are_most_in(const Entry& folder, bool (*is_such)(const Entry&));

/// Whether `text` is digits alone, and at least one.
inline bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace grader
