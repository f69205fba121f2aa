// Reads the members of an archive from memory, within limits that hold while it inflates.
//
// Theory of operation. Formats and filters are named one by one (tar, zip, 7z; gzip, bzip2, xz,
// zstd), so that no rare parser ever sees a student's bytes. Nothing is written anywhere, nothing
// is skipped unread: every member's data is drawn block by block and counted, so an archive that
// inflates too much is left as soon as it does, whatever its headers promise. Of a submission only
// the text of sources and headers is kept. Links, devices and pipes are reported by name and kind
// alone. Names come out as the bytes they are; what they may look like is decided by archive.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace grader {

/// What an entry of a folder or an archive is.
enum class EntryKind : std::uint8_t { file, folder, link, other };

struct Member {
  EntryKind kind = EntryKind::other;
  bool is_too_large = false;  ///< kept but for its size, beyond the limit: `content` is empty
  std::string name;           ///< the whole path, as bytes
  std::string content;        ///< of what the limits keep
};

/// Whether a submission's file of this name is a source or header that is not in a folder of things
/// that are nobody's work.
bool is_source_of_submission(std::string_view path);

struct ArchiveLimits {
  bool (*keeps)(std::string_view path) = is_source_of_submission;  ///< whose content is kept
  std::int64_t file_bytes = 0;                                     ///< of one file that is kept
  std::int64_t entries = 20'000;                                   ///< members of any kind
  std::int64_t kept = std::int64_t{64} << 20;        ///< what is kept together, with names
  std::int64_t inflated = std::int64_t{256} << 20;   ///< everything, kept or not
  std::int64_t free_ratio = std::int64_t{16} << 20;  ///< up to here the ratio does not matter
  std::int64_t ratio = 200;                          ///< inflated : archive
  std::int64_t cpu_seconds = 20;
  std::int64_t wall_seconds = 180;  ///< for a machine that is very busy
};

/// Calls `take` for the members of the archive in `bytes`, in their order, until it says false.
/// Returns why the archive cannot be accepted, as the end of a sentence that begins with its name
/// ("is encrypted: pack it without a password."), or nothing. `ready` is called once between
/// preparations, which need the file system, and the first look at `bytes`, which needs memory
/// alone. Throws EnvironmentFault when the library lacks a format.
std::optional<std::string> read_archive(std::string_view bytes, const ArchiveLimits& limits,
                                        const std::function<void()>& ready,
                                        const std::function<bool(Member&&)>& take);

}  // namespace grader
