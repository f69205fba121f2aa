#include "grader/build/diagnostics.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "grader/base/plain_text.hpp"
#include "grader/build/toolchain.hpp"

namespace grader {
namespace {

constexpr std::size_t kLongestLine = 400;
constexpr std::string_view kHidden = "(library)";  // replaced before "/", never in a file's name

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::size_t place = 0;
  while ((place = text.find(from, place)) != std::string::npos) {
    text.replace(place, from.size(), to);
    place += to.size();
  }
}

// The compiler's own temporary files: /tmp/ccAbCdEf.o is random and tells nothing.
void hide_temporary_files(std::string& line) {
  constexpr std::string_view start = "/tmp/cc";
  std::size_t place = 0;
  while ((place = line.find(start, place)) != std::string::npos) {
    const std::size_t end = line.find_first_of(":)( \t'", place);
    line.replace(place, std::min(end, line.size()) - place, "(your code)");
  }
}

bool contains(std::string_view line, std::string_view part) {
  return line.find(part) != std::string_view::npos;
}

// A missing function is named without its parameters: the contract's types in the linker's spelling
// take lines, and the header says them better.
void cut_parameters(std::string& line) {
  constexpr std::array<std::string_view, 2> starts = {"undefined symbol: ",
                                                      "undefined reference to `"};
  for (const std::string_view start : starts) {
    const std::size_t place = line.find(start);
    if (place == std::string::npos) continue;
    const std::size_t open = line.find('(', place + start.size());
    const std::size_t close = line.rfind(')');
    if (open == std::string::npos || close == std::string::npos || close <= open + 1) continue;
    line.replace(open, close - open + 1, "(…)");
  }
}

// Lines that repeat what the grader knows.
bool is_bookkeeping(std::string_view line) {
  return contains(line, "collect2: error:") || contains(line, "definition of main") ||
         line.starts_with(">>> ");
}

// How a header that is not the student's came to be included.
bool is_chain_outside(std::string_view line) {
  if (!line.starts_with("In file included from ") && !line.starts_with("                 from ")) {
    return false;
  }
  return contains(line, kContractInBox) || contains(line, kPreludeInBox) || contains(line, "/usr/");
}

// Lines that say nothing to somebody who has not written the library.
bool is_inside_of_library(std::string_view line) {
  constexpr std::array<std::string_view, 8> parts = {": note:",
                                                     "required from",
                                                     "In instantiation of",
                                                     "In substitution of",
                                                     "In member function",
                                                     "in 'constexpr' expansion",
                                                     "required by substitution",
                                                     "warning:"};
  return line.starts_with(kHidden) &&
         std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return contains(line, part); });
}

std::string cut_line(std::string line) {
  if (line.size() <= kLongestLine) return line;
  line.resize(kLongestLine);
  return line + " …";
}

}  // namespace

Replacements path_replacements(const std::vector<std::string>& include_directories,
                               const std::vector<std::string>& system_includes) {
  namespace fs = std::filesystem;
  const std::string hidden = std::string(kHidden) + "/";
  Replacements replacements = {{std::string(kSubmissionInBox) + "/", ""}};
  for (const std::string& directory : include_directories) {
    std::string place = (fs::path(kContractInBox) / directory).lexically_normal().string();
    if (!place.ends_with('/')) place += '/';
    replacements.emplace_back(place, "");
  }
  replacements.emplace_back(std::string(kContractInBox) + "/", "");
  for (const std::string& directory : system_includes) {
    replacements.emplace_back((fs::path(directory) / "").string(), hidden);
  }
  for (const char* directory : {"/usr/include/c++/12/", "/usr/include/x86_64-linux-gnu/c++/12/",
                                "/usr/lib/gcc/x86_64-linux-gnu/12/include/", "/usr/include/",
                                "/usr/lib/gcc/", "/usr/lib/", kPreludeInBox}) {
    replacements.emplace_back(directory, hidden);
  }
  replacements.emplace_back("/usr/bin/", "");
  return replacements;
}

std::string clean_diagnostics(std::string_view raw, const Replacements& replacements, bool was_cut,
                              std::size_t limit) {
  std::string text;
  std::size_t left_out = 0;
  while (!raw.empty()) {
    const std::size_t end = std::min(raw.find('\n'), raw.size());
    std::string line(raw.substr(0, end));
    raw.remove_prefix(std::min(end + 1, raw.size()));
    if (is_bookkeeping(line) || is_chain_outside(line)) continue;
    for (const auto& [from, to] : replacements) replace_all(line, from, to);
    hide_temporary_files(line);
    cut_parameters(line);
    if (is_inside_of_library(line)) {
      ++left_out;
      continue;
    }
    replace_all(line, std::string(kHidden) + "/", "");
    text += cut_line(std::move(line)) + "\n";
  }
  text = plain_text(text, limit);
  if (left_out > 0) {
    text += "(" + std::to_string(left_out) + " lines about the insides of libraries left out)\n";
  }
  if (was_cut) text += "(the compiler said more; the rest was cut)\n";
  return text;
}

}  // namespace grader
