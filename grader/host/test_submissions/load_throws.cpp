// Throws before any function can be called.
#include <stdexcept>

#include "grader/host/test_submissions/transfer.hpp"

namespace {
const int started = [] {
  throw std::runtime_error("thrown by a static initialiser");
  return 0;
}();
}  // namespace

double toy::behave(std::int64_t, double) { return started; }
GRADER_DISPATCH(&toy::behave)
