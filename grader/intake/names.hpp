// What a file or folder of a submission is, judged by its name alone.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace grader {

enum class NameKind : std::uint8_t {
  source,      ///< compiled: .cpp .cc .cxx .c++, in any case
  header,      ///< copied, for sources to include: .hpp .h .hh .hxx .h++ .inl .ipp .tpp .txx .inc
  product,     ///< of a compiler or archiver: never used, and its owner is told so
  irrelevant,  ///< anything else: project files, notes, editor settings
};

NameKind kind_of_file_name(std::string_view name);

/// Folders that hold no work of the student: hidden ones, build trees, version control, __MACOSX.
bool is_skipped_folder(std::string_view name);

/// Whether `path` (of a file, components separated by /) is hidden or lies in a folder that
/// is_skipped_folder. "." and ".." are neither.
bool lies_in_skipped_folder(std::string_view path);

/// A name that can be shown and compiled as it is: valid UTF-8 of at most 200 bytes without control
/// or invisible characters.
bool is_plain_name(std::string_view name);

/// A name that a program could take for an option or a file of options: it starts with - or @.
bool looks_like_option(std::string_view name);

/// `name` in a form that is the same for names which some file system takes for one: Unicode's
/// composed form (NFC), case folded. Bytes that are not UTF-8 keep all but the case of ASCII.
std::string folded(std::string_view name);

/// `name` in Unicode's composed form (NFC); bytes that are not UTF-8 as they are.
std::string composed(std::string_view name);

/// ASCII letters in lower case; other bytes as they are.
std::string lower_case(std::string_view text);

/// An identity for people and file systems from the last component of `path`: [A-Za-z0-9._-] only,
/// at most 64 characters, never empty and never starting with a dot or a dash.
std::string submission_id(const std::filesystem::path& path, bool is_directory);

}  // namespace grader
