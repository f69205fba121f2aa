#include "grader/base/utf8_names.hpp"

#include "grader/base/fault.hpp"

namespace grader {

Utf8Names::Utf8Names() : locale_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
  if (locale_ == nullptr) {
    throw EnvironmentFault("The locale C.UTF-8 is missing, so names in archives mean nothing.",
                           "Install the locales of the C library.");
  }
  before_ = uselocale(locale_);
}

Utf8Names::~Utf8Names() {
  uselocale(before_);
  freelocale(locale_);
}

}  // namespace grader
