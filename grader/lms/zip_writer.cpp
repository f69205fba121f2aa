#include "grader/lms/zip_writer.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <memory>
#include <utility>

#include "grader/base/fault.hpp"

namespace grader {
namespace {

extern "C" la_ssize_t append(archive* /*writer*/, void* bytes, const void* block,
                             std::size_t size) {
  static_cast<std::string*>(bytes)->append(static_cast<const char*>(block), size);
  return static_cast<la_ssize_t>(size);
}

struct FreeEntry {
  void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};

}  // namespace

ZipWriter::ZipWriter() : writer_(archive_write_new()) {
  check(archive_write_set_format_zip(writer_));
  check(archive_write_set_bytes_in_last_block(writer_, 1));
  check(archive_write_open(writer_, &bytes_, nullptr, append, nullptr));
}

ZipWriter::~ZipWriter() { archive_write_free(writer_); }

void ZipWriter::add(const std::string& name, std::string_view content) {
  constexpr int kMode = 0644;
  const std::unique_ptr<archive_entry, FreeEntry> entry(archive_entry_new());
  archive_entry_set_pathname(entry.get(), name.c_str());
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), kMode);
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(content.size()));
  check(archive_write_header(writer_, entry.get()));
  if (archive_write_data(writer_, content.data(), content.size()) !=
      static_cast<la_ssize_t>(content.size())) {
    check(ARCHIVE_FATAL);
  }
}

std::string ZipWriter::finish() {
  check(archive_write_close(writer_));
  return std::move(bytes_);
}

void ZipWriter::check(int result) const {
  if (result == ARCHIVE_OK) return;
  const char* why = writer_ == nullptr ? nullptr : archive_error_string(writer_);
  throw EnvironmentFault(
      std::string("The zip archive cannot be made: ") + (why == nullptr ? "no memory" : why) + ".",
      "Is libarchive the distribution's own, and is there memory left?");
}

}  // namespace grader
