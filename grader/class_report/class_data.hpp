// The class's results as the page's script reads them: a block of JSON inside the page.
#pragma once

#include <string>

#include "grader/class_report/class_results.hpp"

namespace grader {

/// A JSON object that may stand between <script type="application/json"> and </script>: it is plain
/// ASCII without <, > and &, so nothing in it can end the block or look like markup. Texts are made
/// safe to show (plain_line). class.js says what it looks like.
[[nodiscard]] std::string class_data(const ClassResults& results);

/// The report's path as a relative link: every byte that could mean something else is encoded.
/// Empty for none. Throws InternalFault for a path that is not relative.
[[nodiscard]] std::string report_link(const std::string& path);

}  // namespace grader
