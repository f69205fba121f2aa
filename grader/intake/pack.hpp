// Makes archives for the tests of intake, honest and dishonest ones.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace grader {

/// Collects members; bytes() is the archive. Names are written as the bytes they are.
class Pack {
 public:
  /// `format`: as libarchive calls it ("zip", "ustar", "pax", "7zip"); `filters` from the inside
  /// out ("gzip"); `options` such as "zip:encryption=traditional".
  explicit Pack(const std::string& format, const std::vector<std::string>& filters = {},
                const std::string& options = {})
      : writer_(archive_write_new(), &archive_write_free) {
    check(archive_write_set_format_by_name(writer_.get(), format.c_str()));
    for (const std::string& filter : filters) {
      check(archive_write_add_filter_by_name(writer_.get(), filter.c_str()));
    }
    if (!options.empty()) {
      check(archive_write_set_options(writer_.get(), options.c_str()));
      check(archive_write_set_passphrase(writer_.get(), "secret"));
    }
    archive_write_set_bytes_in_last_block(writer_.get(), 1);
    check(archive_write_open(writer_.get(), &bytes_, nullptr, &Pack::append, nullptr));
  }

  Pack& file(const std::string& name, const std::string& content) {
    archive_entry* entry = begin(name, AE_IFREG, static_cast<la_int64_t>(content.size()));
    check(archive_write_header(writer_.get(), entry));
    EXPECT_EQ(archive_write_data(writer_.get(), content.data(), content.size()),
              static_cast<la_ssize_t>(content.size()));
    archive_entry_free(entry);
    return *this;
  }
  Pack& folder(const std::string& name) { return header(begin(name, AE_IFDIR, 0)); }
  /// A FIFO, a device, a socket: `type` as in AE_IFIFO.
  Pack& special(const std::string& name, unsigned type) { return header(begin(name, type, 0)); }
  Pack& symbolic_link(const std::string& name, const std::string& target) {
    archive_entry* entry = begin(name, AE_IFLNK, 0);
    archive_entry_set_symlink(entry, target.c_str());
    return header(entry);
  }
  Pack& hard_link(const std::string& name, const std::string& target) {
    archive_entry* entry = begin(name, AE_IFREG, 0);
    archive_entry_set_hardlink(entry, target.c_str());
    return header(entry);
  }

  /// Ends the archive.
  std::string bytes() {
    check(archive_write_close(writer_.get()));
    return bytes_;
  }

 private:
  static la_ssize_t append(archive* /*writer*/, void* bytes, const void* block, std::size_t size) {
    static_cast<std::string*>(bytes)->append(static_cast<const char*>(block), size);
    return static_cast<la_ssize_t>(size);
  }
  static archive_entry* begin(const std::string& name, unsigned type, la_int64_t size) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_filetype(entry, type);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, size);
    return entry;
  }
  Pack& header(archive_entry* entry) {
    check(archive_write_header(writer_.get(), entry));
    archive_entry_free(entry);
    return *this;
  }
  void check(int result) const {
    EXPECT_GE(result, ARCHIVE_WARN) << archive_error_string(writer_.get());
  }

  std::string bytes_;
  std::unique_ptr<archive, decltype(&archive_write_free)> writer_;
};

}  // namespace grader
