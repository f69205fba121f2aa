// The report as Markdown, for issue trackers, pull requests and chats.
#pragma once

#include <string>
#include <string_view>

#include "grader/report/failure.hpp"
#include "grader/scorecard/scorecard.hpp"

namespace grader {

/// Score by objective and one section a failure. Whatever a submission may have written stands in
/// code, where nothing is a link, a mention or markup.
std::string markdown_report(const Scorecard& scorecard, const CommandOptions& commands);

/// `text` as one line of Markdown that shows it as it is.
[[nodiscard]] std::string markdown_text(std::string_view text);

/// `text` as a code span, on one line.
[[nodiscard]] std::string markdown_code(std::string_view text);

/// `text` as a block of code that its content cannot end.
[[nodiscard]] std::string markdown_block(std::string_view text);

}  // namespace grader
