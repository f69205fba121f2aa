// Comes before every submission: an Eigen assertion that does not hold throws std::logic_error with
// a sentence in plain words instead of ending the process, so that a slip in shapes says what it
// is.
#pragma once

namespace attention_grader {

/// Throws. `condition` is the text of the assertion, `function` where it stands.
[[noreturn, gnu::cold]] void eigen_assertion_failed(const char* condition, const char* function);

}  // namespace attention_grader

#define eigen_assert(condition)                                                    \
  do {                                                                             \
    if (!(condition)) {                                                            \
      ::attention_grader::eigen_assertion_failed(#condition, __PRETTY_FUNCTION__); \
    }                                                                              \
  } while (false)
