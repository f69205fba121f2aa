// Zip archives for platforms to take apart.
#pragma once

#include <string>
#include <string_view>

#include "grader/base/utf8_names.hpp"

struct archive;

namespace grader {

/// Collects files; finish() gives the archive. The same files give the same bytes: members carry no
/// time.
class ZipWriter {
 public:
  ZipWriter();
  ~ZipWriter();
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  /// `name` is UTF-8, folders separated by /.
  void add(const std::string& name, std::string_view content);
  std::string finish();

 private:
  void check(int result) const;

  Utf8Names utf8_names_;
  std::string bytes_;
  archive* writer_;
};

}  // namespace grader
