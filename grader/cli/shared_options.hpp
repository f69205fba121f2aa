// Options that several commands have. CLI11 stays in the sources of options.
#pragma once

#include <CLI/App.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "grader/cli/commands.hpp"

namespace grader::cli {

inline constexpr std::int64_t kMostCases = 1'000'000;

extern const std::map<std::string, HintLevel> kHintLevels;

/// The whole word as a number within the limits, or what is wrong. CLI11 itself would take -1 for
/// 2^64 - 1 and round what is too large.
template <class Number>
CLI::Validator between(Number least, Number most) {
  const auto complaint = [least, most](const std::string& word) -> std::string {
    Number number{};
    const auto end = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool is_number = end.ec == std::errc() && end.ptr == word.data() + word.size();
    if (is_number && number >= least && number <= most) return "";
    std::ostringstream limits;
    limits << least << " to " << most;
    return word + " is not a number from " + limits.str();
  };
  return {complaint, ""};
}

/// What is wrong with `word`, which is none of `words`.
std::string none_of(const std::vector<std::string>& words, const std::string& word);

/// One of the words that `values` has, or what is wrong. CLI11 itself would show the values, too.
template <class Value>
CLI::Validator one_of(const std::map<std::string, Value>& values) {
  std::vector<std::string> words;
  for (const auto& [word, value] : values) words.push_back(word);
  const CLI::CheckedTransformer transformer(values);
  const auto transform = [words, transformer](std::string& word) -> std::string {
    if (std::ranges::find(words, word) == words.end()) return none_of(words, word);
    return transformer(word);
  };
  return {transform, ""};
}

/// --quiet and --no-color.
void add_console(CLI::App& app, Console::Options& options);
/// --isolation.
void add_isolation(CLI::App& app, IsolationChoice& isolation);
/// --accept-unsafe.
void add_accept_unsafe(CLI::App& app, IsolationChoice& isolation);
/// --assignment.
void add_assignment(CLI::App& app, std::filesystem::path& assignment);
/// --format, for what stdout gets.
void add_formats(CLI::App& app, std::vector<Format>& formats);
/// --hint-level, where the default is the assignment's.
void add_hint_level(CLI::App& app, std::optional<HintLevel>& level);

/// --column and --visibility.
void add_export_look(CLI::App& app, ExportLook& look);

/// --seed and --cases.
template <class Integer>
void add_seed_and_cases(CLI::App& app, std::optional<std::uint64_t>& seed,
                        std::optional<Integer>& cases) {
  app.add_option("--seed", seed, "Seed of the random cases (default: the assignment's)")
      ->type_name("N")
      ->check(between(std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max()));
  app.add_option("--cases", cases, "Random cases a check (default: the assignment's)")
      ->type_name("N")
      ->check(between(std::int64_t{1}, kMostCases));
}

}  // namespace grader::cli
