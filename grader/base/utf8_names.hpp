// What libarchive needs to treat names as UTF-8, whatever the language of the machine.
#pragma once

#include <clocale>

namespace grader {

/// As long as it lives, this thread's encoding is UTF-8: names that an archive holds in UTF-16 come
/// out in it, and names that are written to one are marked as such. Throws EnvironmentFault where
/// the C library has no such locale.
class Utf8Names {
 public:
  Utf8Names();
  ~Utf8Names();
  Utf8Names(const Utf8Names&) = delete;
  Utf8Names& operator=(const Utf8Names&) = delete;

 private:
  locale_t locale_;
  locale_t before_ = nullptr;
};

}  // namespace grader
