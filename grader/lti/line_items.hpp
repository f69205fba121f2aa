// The column of a platform's gradebook that scores go to.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "grader/lti/authorized_http.hpp"
#include "grader/lti/platform.hpp"

namespace grader {

/// The URL of the line item that `choice` names or describes. Looks through all pages of the
/// course's line items. Throws UsageFault when none or more than one fits, and what
/// require_no_general_refusal and AccessTokens::token throw.
std::string find_line_item(const LineItemChoice& choice, AuthorizedHttp& http);

/// The URL of the next page in the value of a Link header (RFC 8288), if there is one. Moodle
/// writes typographic quotes around the relation, and "&amp;" for "&".
std::optional<std::string> next_page(std::string_view link_header);

}  // namespace grader
