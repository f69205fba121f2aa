#include "grader/cli/shared_options.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "grader/base/plain_text.hpp"

namespace grader::cli {
namespace {

const std::map<std::string, Format> kFormats{{"text", Format::text},
                                             {"json", Format::json},
                                             {"html", Format::html},
                                             {"markdown", Format::markdown},
                                             {"junit", Format::junit}};

const std::map<std::string, Level> kLevels{{"L4", Level::l4}, {"L3", Level::l3},
                                           {"L2", Level::l2}, {"L1", Level::l1},
                                           {"L0", Level::l0}, {"none", Level::none}};

// As Gradescope calls them.
const std::map<std::string, std::string> kVisibilities{{"visible", "visible"},
                                                       {"after_due_date", "after_due_date"},
                                                       {"after_published", "after_published"},
                                                       {"hidden", "hidden"}};

}  // namespace

const std::map<std::string, HintLevel> kHintLevels{
    {"score_only", HintLevel::score_only}, {"hints", HintLevel::hints}, {"full", HintLevel::full}};

std::string none_of(const std::vector<std::string>& words, const std::string& word) {
  constexpr std::size_t kShown = 80;
  std::string known;
  for (const std::string& one : words) known += (known.empty() ? "" : ", ") + one;
  return "\"" + plain_line(word, kShown) + "\" is none of " + known;
}

void add_console(CLI::App& app, Console::Options& options) {
  app.add_flag("-q,--quiet", options.is_quiet, "Print nothing but what --format asks for");
  app.add_flag("--no-color", options.has_no_color, "No colors (as with NO_COLOR=1)");
}

void add_isolation(CLI::App& app, IsolationChoice& isolation) {
  app.add_option("--isolation", isolation.highest,
                 "Isolate no more than LEVEL (L4, L3, L2, L1, L0) even if the machine offers it")
      ->transform(one_of(kLevels))
      ->type_name("LEVEL");
}

void add_accept_unsafe(CLI::App& app, IsolationChoice& isolation) {
  app.add_flag("--accept-unsafe", isolation.accepts_none,
               "Run code of yours even where nothing isolates it; the report says so");
}

void add_assignment(CLI::App& app, std::filesystem::path& assignment) {
  app.add_option("--assignment", assignment, "Folder of the assignment (default: attention)")
      ->type_name("DIR");
}

void add_formats(CLI::App& app, std::vector<Format>& formats) {
  app.add_option("--format", formats,
                 "What to print: text, json, html, markdown or junit; may be repeated")
      ->transform(one_of(kFormats))
      ->allow_extra_args(false)
      ->type_name("FORMAT");
}

void add_hint_level(CLI::App& app, std::optional<HintLevel>& level) {
  app.add_option("--hint-level", level,
                 "What the results tell: score_only, hints or full (default: the assignment's)")
      ->transform(one_of(kHintLevels))
      ->type_name("LEVEL");
}

void add_export_look(CLI::App& app, ExportLook& look) {
  app.add_option("--column", look.column, "What the platform calls the assignment")
      ->type_name("NAME");
  app.add_option("--visibility", look.visibility,
                 "When Gradescope shows the checks: visible, after_due_date, after_published or "
                 "hidden (default: visible)")
      ->check(one_of(kVisibilities))
      ->type_name("WHEN");
}

}  // namespace grader::cli
