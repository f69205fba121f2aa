#include "grader/report/diagnosis_block.hpp"

#include <algorithm>
#include <cstddef>

#include "grader/base/plain_text.hpp"

namespace grader {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t kIndent = 2;

std::string sentence(std::string text) {
  if (text.empty()) return text;
  // A name of the code keeps its spelling.
  const std::string first = text.substr(0, text.find(' '));
  const bool is_name = first.find_first_of("_(") != std::string::npos;
  if (!is_name && text.front() >= 'a' && text.front() <= 'z') {
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  }
  if (!text.ends_with('.')) text += '.';
  return text;
}

// "M03", "M03 or M20", "S01, S09 or S16"
std::string ids_of(const Diagnosis& diagnosis) {
  std::string ids = diagnosis.id;
  for (const std::string& other : diagnosis.indistinguishable) {
    ids += (&other == &diagnosis.indistinguishable.back() ? " or " : ", ") + other;
  }
  return ids;
}

std::string evidence_text(const Diagnosis& diagnosis) {
  const auto& [agreeing, cases] = diagnosis.evidence;
  if (cases == 0) return "";
  if (cases == 1) return "It explains your answer to the diagnostic input that shows it.";
  return "It explains your answers to " +
         (agreeing == cases ? "all " + std::to_string(cases)
                            : std::to_string(agreeing) + " of " + std::to_string(cases)) +
         " diagnostic inputs on which they are not right.";
}

}  // namespace

std::string diagnosis_title(const Diagnosis& diagnosis) { return sentence(diagnosis.title); }

std::string diagnosis_ids(const Diagnosis& diagnosis) {
  return diagnosis.id == kUnknownMistake ? "" : ids_of(diagnosis);
}

std::string diagnosis_text(const Diagnosis& diagnosis) {
  std::string text = diagnosis.explanation;
  if (diagnosis.id != kUnknownMistake) {
    text += (text.empty() ? "" : " ") + evidence_text(diagnosis);
  }
  return text;
}

Lines diagnosis_block(const std::vector<Diagnosis>& all, const Paint& paint) {
  Lines lines;
  for (const Diagnosis& diagnosis : all) {
    lines.push_back("");
    if (&diagnosis == &all.front()) lines.emplace_back("What happened");
    const std::string ids = diagnosis_ids(diagnosis);
    const std::string title = diagnosis_title(diagnosis) + (ids.empty() ? "" : "  (" + ids + ")");
    for (const std::string& line : wrapped(title, kIndent)) lines.push_back(paint.strong(line));
    append(lines, wrapped(diagnosis_text(diagnosis), kIndent));
  }
  return lines;
}

}  // namespace grader
