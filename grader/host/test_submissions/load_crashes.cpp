// Reads through a null pointer while it is loaded.
#include "grader/host/test_submissions/transfer.hpp"

namespace {
volatile int* volatile nowhere = nullptr;
const int started = *nowhere;
}  // namespace

double toy::behave(std::int64_t, double) { return started; }
GRADER_DISPATCH(&toy::behave)
