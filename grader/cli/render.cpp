#include "grader/cli/render.hpp"

#include "grader/base/fault.hpp"
#include "grader/report/formats/junit.hpp"
#include "grader/report/formats/markdown.hpp"
#include "grader/report/html/html.hpp"
#include "grader/scorecard/json.hpp"

namespace grader::cli {

std::string rendered(const Scorecard& scorecard, Format format, const TextOptions& options) {
  switch (format) {
    case Format::text: return text_report(scorecard, options);
    case Format::json: return scorecard_to_json(scorecard);
    case Format::html: return html_report(scorecard, options.commands);
    case Format::markdown: return markdown_report(scorecard, options.commands);
    case Format::junit: return junit_report(scorecard, options.commands);
  }
  throw InternalFault("unknown format");
}

}  // namespace grader::cli
