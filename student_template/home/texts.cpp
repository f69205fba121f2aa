#include "home/texts.hpp"

#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace attention_home {
namespace {

using grader::CheckPolicy;
using grader::Objective;
using grader::Policy;

std::string one_line(std::string text) {
  for (char& character : text) {
    if (character == '\n' || character == '\r' || character == '\t') character = ' ';
  }
  return text;
}

std::string number(double value) {
  std::ostringstream stream;
  stream.precision(17);
  stream << value;
  return stream.str();
}

/// What each key does with its value. "objective" and "check" begin a new entry.
std::map<std::string, std::function<void(const std::string&)>> readers(Policy& policy) {
  const auto last_objective = [&policy]() -> Objective& { return policy.objectives.back(); };
  const auto last_check = [&policy]() -> CheckPolicy& { return policy.checks.back(); };
  return {
      {"title", [&policy](const std::string& text) { policy.title = text; }},
      {"seed", [&policy](const std::string& text) { policy.seed = std::stoull(text); }},
      {"cases", [&policy](const std::string& text) { policy.cases = std::stoll(text); }},
      {"max_score", [&policy](const std::string& text) { policy.max_score = std::stod(text); }},
      {"call_wall_ms",
       [&policy](const std::string& text) { policy.limits.call_wall_ms = std::stoll(text); }},
      {"run_memory",
       [&policy](const std::string& text) { policy.limits.run_memory = std::stoll(text); }},
      {"objective",
       [&policy](const std::string& text) {
         policy.objectives.push_back({text, "", 0});
       }},
      {"objective.title", [=](const std::string& text) { last_objective().title = text; }},
      {"objective.points",
       [=](const std::string& text) { last_objective().points = std::stod(text); }},
      {"check",
       [&policy](const std::string& text) {
         policy.checks.emplace_back();
         policy.checks.back().id = text;
       }},
      {"check.objective", [=](const std::string& text) { last_check().objective = text; }},
      {"check.title", [=](const std::string& text) { last_check().title = text; }},
      {"check.points", [=](const std::string& text) { last_check().points = std::stod(text); }},
      {"check.hint", [=](const std::string& text) { last_check().hint = text; }},
      {"check.lesson", [=](const std::string& text) { last_check().lesson = text; }},
  };
}

}  // namespace

std::string write_texts(const Policy& policy, std::int64_t cases) {
  std::ostringstream stream;
  const auto line = [&stream](const char* key, const std::string& value) {
    stream << key << ' ' << one_line(value) << '\n';
  };
  line("title", policy.title);
  line("seed", std::to_string(policy.seed));
  line("cases", std::to_string(cases));
  line("max_score", number(policy.max_score));
  line("call_wall_ms", std::to_string(policy.limits.call_wall_ms));
  line("run_memory", std::to_string(policy.limits.run_memory));
  for (const Objective& objective : policy.objectives) {
    line("objective", objective.id);
    line("objective.title", objective.title);
    line("objective.points", number(objective.points));
  }
  for (const CheckPolicy& check : policy.checks) {
    line("check", check.id);
    line("check.objective", check.objective);
    line("check.title", check.title);
    line("check.points", number(check.points));
    line("check.hint", check.hint);
    line("check.lesson", check.lesson);
  }
  return stream.str();
}

Policy read_texts(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  Policy policy;
  const auto reader_of = readers(policy);
  std::string line;
  for (int line_number = 1; std::getline(stream, line); ++line_number) {
    const std::size_t space = line.find(' ');
    const std::string key = line.substr(0, space);
    const auto reader = reader_of.find(key);
    const bool misplaced = reader == reader_of.end() ||
                           (key.starts_with("objective.") && policy.objectives.empty()) ||
                           (key.starts_with("check.") && policy.checks.empty());
    if (misplaced) {
      throw std::runtime_error(file.string() + ", line " + std::to_string(line_number) +
                               ": unknown entry \"" + key + "\"");
    }
    reader->second(space == std::string::npos ? "" : line.substr(space + 1));
  }
  return policy;
}

}  // namespace attention_home
