// What lies in a downloaded folder, by names and kinds alone.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/intake/archive_reader.hpp"

namespace grader {

/// A file or folder of a download.
struct Entry {
  std::string name;  ///< bytes, one component
  EntryKind kind = EntryKind::other;
  std::filesystem::path path;
  std::vector<Entry> inside;  ///< of a folder, sorted by name; some levels deep
};

/// The folder at `path`, as deep as formats look. Links are listed and not followed; hidden folders
/// are listed and not entered, nor is what cannot be read. Throws UsageFault when the folder itself
/// cannot be read or holds far too much.
Entry list_folder(const std::filesystem::path& path);

/// What systems leave in folders and archives on their own: hidden files, __MACOSX, Thumbs.db.
bool is_clutter(std::string_view name);

/// The entries of `folder` that are not clutter.
std::vector<const Entry*> visible(const Entry& folder);

/// The entry of this name, in any case of ASCII letters; null if there is none.
const Entry* find_entry(const Entry& folder, std::string_view name);

/// Whether a file of this name may be (part of) a submission: a source, a header or an archive.
bool is_work(std::string_view name);

/// The first `limit` bytes of a regular file; "" when it cannot be read.
std::string read_head(const std::filesystem::path& file, std::size_t limit);

}  // namespace grader
