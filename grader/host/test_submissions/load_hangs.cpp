// Never finishes loading.
#include "grader/host/test_submissions/transfer.hpp"

namespace {
const int started = [] {
  for (volatile bool forever = true; forever;) {
  }
  return 0;
}();
}  // namespace

double toy::behave(std::int64_t, double) { return started; }
GRADER_DISPATCH(&toy::behave)
