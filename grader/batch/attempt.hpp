// One hand-in of one student, whatever it was downloaded from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace grader {

/// A student's hand-in. All texts are valid UTF-8, on one line, bounded and fit to be shown.
struct Attempt {
  /// Whose: the roster's id where a roster knows the student, else the id that the LMS gave, else
  /// the name of the file or folder (in Unicode's composed form). The same for all attempts of one
  /// student, and of nobody else.
  std::string student;
  std::string name;         ///< for people; may be empty
  std::int64_t number = 1;  ///< 1, 2, … of this student, in the order of submission
  std::optional<std::int64_t> submitted_at;  ///< Unix seconds, where the download says it
  bool marked_late = false;                  ///< by the LMS
  /// What the LMS calls them, for later exports: "canvas_user", "canvas_attachment",
  /// "canvas_anonymous", "moodle_participant", "gradescope_submission", "gradescope_sid",
  /// "gradescope_email", "blackboard_user", "github_repository".
  std::map<std::string, std::string> lms_ids;
  std::filesystem::path path;      ///< a file, folder or archive that take_in() takes
  std::string origin;              ///< where it came from: "download.zip: doe_12_34_attention.cpp"
  std::vector<std::string> notes;  ///< what was decided about it, one sentence each
};

/// Something in a source that is no part of any attempt.
struct LeftOut {
  std::string path;    ///< fit to be shown
  std::string reason;  ///< one sentence
};

/// What was found in the sources of a batch. Nothing is dropped silently: what is no attempt is
/// left_out, and what was decided about attempts is in the notices.
struct Collection {
  std::vector<Attempt> attempts;     ///< sorted by student, then number
  std::vector<LeftOut> left_out;     ///< in the order of the sources
  std::vector<std::string> formats;  ///< one sentence a source: what it was taken for
  std::vector<std::string> notices;  ///< what needs a look: two students with one id, …
};

}  // namespace grader
