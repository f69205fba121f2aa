// A page in one file: what all pages share. Style and script travel inside it and are named by
// their hashes in the page's own policy, so that nothing else runs.
#pragma once

#include <string>
#include <string_view>

#include "grader/report/html/data.hpp"

namespace grader::html {

/// `form` filled with `page`. `style` and `script` are those of this kind of page; what all pages
/// have comes before them. The form uses {{{style}}}, {{{script}}}, {{style_hash}} and
/// {{script_hash}}. Every {{text}} is made safe to show (plain_text), then safe in HTML. Throws
/// InternalFault for a broken form.
[[nodiscard]] std::string document(std::string_view form, Data& page, std::string_view style,
                                   std::string_view script);

}  // namespace grader::html
