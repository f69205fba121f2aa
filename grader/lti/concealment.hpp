// What a request carries in secret, taken out of what comes back: platforms and proxies quote in
// their errors what they were sent, and those errors are shown and kept.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/lti/http.hpp"

namespace grader {

/// `text` with "[secret]" in place of every part of a secret: of eight characters at least, since
/// what is quoted may be cut or have escapes in it; of a shorter secret, the whole.
std::string concealed(std::string_view text, const std::vector<std::string>& secrets);

/// The same with what is shown of an outcome: why there is no answer, and the body of an answer
/// that is an error. The answer to a success is for the program alone, and may hold a new secret.
void conceal(const std::vector<std::string>& secrets, HttpOutcome& outcome);

}  // namespace grader
