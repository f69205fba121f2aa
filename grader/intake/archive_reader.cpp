#include "grader/intake/archive_reader.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <cerrno>
#include <memory>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/base/utf8_names.hpp"
#include "grader/intake/names.hpp"
#include "grader/intake/zip_directory.hpp"

namespace grader {
namespace {

constexpr std::size_t kReasonShown = 120;

struct FreeArchive {
  void operator()(archive* reader) const { archive_read_free(reader); }
};

std::string in_megabytes(std::int64_t bytes) { return std::to_string(bytes >> 20) + " MB"; }

/// Thrown and caught in this file alone.
struct Unacceptable {
  std::string reason;
};

class Reading {
 public:
  Reading(const ArchiveLimits& limits, const std::function<bool(Member&&)>& take)
      : limits_(limits), take_(take), reader_(archive_read_new()) {
    support(archive_read_support_format_tar(reader_.get()));
    // The directory at the end is what every other program shows; the local headers may lie.
    support(archive_read_support_format_zip_seekable(reader_.get()));
    support(archive_read_support_format_7zip(reader_.get()));
    support(archive_read_support_filter_gzip(reader_.get()));
    support(archive_read_support_filter_bzip2(reader_.get()));
    support(archive_read_support_filter_xz(reader_.get()));
    support(archive_read_support_filter_zstd(reader_.get()));
  }

  void read(std::string_view bytes);

 private:
  // A warning means that the library would start another program for the filter.
  static void support(int result) {
    if (result != ARCHIVE_OK) {
      throw EnvironmentFault("libarchive was built without zip, tar, 7z or their compressions.",
                             "Install libarchive of the distribution, or hand in a folder.");
    }
  }

  [[noreturn]] void damaged();
  Member header(archive_entry* entry);
  void data(archive_entry* entry, Member& member);
  void count(std::int64_t bytes);
  void check_inflation(std::int64_t inflated) const;
  void keep(std::size_t bytes);

  const ArchiveLimits& limits_;
  const std::function<bool(Member&&)>& take_;
  const std::unique_ptr<archive, FreeArchive> reader_;
  bool is_open_ = false;
  std::int64_t size_ = 0;
  std::int64_t entries_ = 0;
  std::int64_t inflated_ = 0;
  std::int64_t kept_ = 0;
};

void Reading::damaged() {
  // Asked before a format is found, the library reads where nothing is.
  if (is_open_ && archive_read_has_encrypted_entries(reader_.get()) == 1) {
    throw Unacceptable{"is encrypted: pack it again without a password."};
  }
  if (archive_errno(reader_.get()) == ENOMEM) {
    throw Unacceptable{"needs too much memory to unpack: pack it again as a common zip."};
  }
  const char* why = archive_error_string(reader_.get());
  throw Unacceptable{"is damaged, or is not a zip, tar or 7z (" +
                     plain_line(why != nullptr ? why : "no reason is known", kReasonShown) +
                     "): pack your folder again."};
}

void Reading::check_inflation(std::int64_t inflated) const {
  if (inflated > limits_.inflated) {
    throw Unacceptable{"unpacks to more than " + in_megabytes(limits_.inflated) +
                       ": hand in only your sources."};
  }
  if (inflated > limits_.free_ratio && inflated / limits_.ratio > size_) {
    throw Unacceptable{"unpacks to more than " + std::to_string(limits_.ratio) +
                       " times its size: hand in only your sources."};
  }
}

void Reading::count(std::int64_t bytes) {
  inflated_ += bytes;
  check_inflation(inflated_);
  // Of a compressed tar also what lies between the members.
  check_inflation(archive_filter_bytes(reader_.get(), 0));
}

void Reading::keep(std::size_t bytes) {
  kept_ += static_cast<std::int64_t>(bytes);
  if (kept_ > limits_.kept) {
    throw Unacceptable{"holds more than " + in_megabytes(limits_.kept) +
                       " of sources: hand in only your own."};
  }
}

Member Reading::header(archive_entry* entry) {
  if (++entries_ > limits_.entries) {
    throw Unacceptable{"holds more than " + std::to_string(limits_.entries) +
                       " files: hand in only your sources."};
  }
  if (archive_entry_is_encrypted(entry) != 0) {
    throw Unacceptable{"is encrypted: pack it again without a password."};
  }
  const char* name = archive_entry_pathname(entry);
  if (name == nullptr) {
    throw Unacceptable{"holds a file whose name cannot be read: pack your folder again."};
  }
  Member member;
  member.name = name;
  keep(member.name.size());
  count(static_cast<std::int64_t>(member.name.size()));
  if (archive_entry_hardlink(entry) != nullptr || archive_entry_filetype(entry) == AE_IFLNK) {
    member.kind = EntryKind::link;
  } else if (archive_entry_filetype(entry) == AE_IFREG) {
    member.kind = EntryKind::file;
  } else if (archive_entry_filetype(entry) == AE_IFDIR) {
    member.kind = EntryKind::folder;
  }
  return member;
}

// Draws all data of a member, whether it is of use or not: the library must not skip any of it on
// its own, uncounted.
void Reading::data(archive_entry* entry, Member& member) {
  const bool is_wanted = member.kind == EntryKind::file && limits_.keeps(member.name);
  const auto too_large = [&] {
    member.is_too_large = true;
    member.content = {};
  };
  const bool is_promised = member.kind == EntryKind::file && archive_entry_size_is_set(entry) != 0;
  const la_int64_t promised = is_promised ? archive_entry_size(entry) : 0;
  while (true) {
    const void* block = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    const int result = archive_read_data_block(reader_.get(), &block, &size, &offset);
    if (result == ARCHIVE_EOF) break;
    if (result != ARCHIVE_OK) damaged();
    count(static_cast<std::int64_t>(size));
    if (is_promised && offset + static_cast<la_int64_t>(size) > promised) {
      throw Unacceptable{"holds more of " + plain_line(member.name, kReasonShown) +
                         " than it says: pack your folder again."};
    }
    if (!is_wanted || member.is_too_large || size == 0) continue;
    if (offset < static_cast<la_int64_t>(member.content.size())) damaged();
    if (offset > limits_.file_bytes ||
        offset + static_cast<la_int64_t>(size) > limits_.file_bytes) {
      too_large();
      continue;
    }
    keep(static_cast<std::size_t>(offset) + size - member.content.size());
    member.content.resize(static_cast<std::size_t>(offset));  // a hole in a sparse file
    member.content.append(static_cast<const char*>(block), size);
  }
  // A sparse file may end in a hole.
  if (!is_wanted || !is_promised || member.is_too_large) return;
  if (promised > limits_.file_bytes) return too_large();
  if (promised > static_cast<la_int64_t>(member.content.size())) {
    keep(static_cast<std::size_t>(promised) - member.content.size());
    member.content.resize(static_cast<std::size_t>(promised));
  }
}

void Reading::read(std::string_view bytes) {
  size_ = static_cast<std::int64_t>(bytes.size());
  if (bytes.starts_with("PK")) {
    if (const auto contradiction = zip_contradiction(bytes)) {
      throw Unacceptable{*contradiction + ": pack your folder again."};
    }
    if (bytes.starts_with("PK\x05\x06")) return;  // empty, which the library takes for no zip
  }
  if (archive_read_open_memory(reader_.get(), bytes.data(), bytes.size()) != ARCHIVE_OK) damaged();
  is_open_ = true;
  constexpr int one_compression = 2;  // the other is the memory itself
  if (archive_filter_count(reader_.get()) > one_compression) {
    throw Unacceptable{"is compressed more than once: pack it again as a common zip."};
  }
  while (true) {
    archive_entry* entry = nullptr;
    const int result = archive_read_next_header(reader_.get(), &entry);
    if (result == ARCHIVE_EOF) return;
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN) damaged();
    Member member = header(entry);
    data(entry, member);
    if (!take_(std::move(member))) return;
  }
}

}  // namespace

bool is_source_of_submission(std::string_view path) {
  const NameKind kind = kind_of_file_name(path.substr(path.rfind('/') + 1));
  return (kind == NameKind::source || kind == NameKind::header) && !lies_in_skipped_folder(path);
}

std::optional<std::string> read_archive(std::string_view bytes, const ArchiveLimits& limits,
                                        const std::function<void()>& ready,
                                        const std::function<bool(Member&&)>& take) {
  const Utf8Names names;
  Reading reading(limits, take);
  ready();
  try {
    reading.read(bytes);
  } catch (const Unacceptable& unacceptable) {
    return unacceptable.reason;
  }
  return std::nullopt;
}

}  // namespace grader
