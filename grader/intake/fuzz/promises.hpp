// What holds for every submission that intake lets through, whatever was handed in.
#pragma once

#include <cstdlib>

#include "grader/base/plain_text.hpp"
#include "grader/intake/collector.hpp"

namespace grader::fuzz {

/// Ends the program, which the fuzzer reports, when `promise` is broken.
inline void require(bool promise) {
  if (!promise) std::abort();
}

/// Small, so that every limit is reached by small inputs.
inline Policy small_policy() {
  Policy policy;
  policy.main_file = "attention.cpp";
  policy.limits.file_bytes = 1000;
  policy.limits.submission_bytes = 3000;
  policy.limits.submission_files = 5;
  return policy;
}

/// The files lie beneath the submission under names that can be shown and compiled, within the
/// limits, sorted and different; sentences are plain.
inline void require_promises(const Walk& walk, const Limits& limits) {
  std::int64_t bytes = 0;
  const std::filesystem::path* before = nullptr;
  for (const FoundFile& file : walk.files) {
    require(file.name.is_relative() && !file.name.empty());
    for (const auto& component : file.name) {
      require(is_plain_name(component.string()) && !looks_like_option(component.string()));
      require(!component.string().starts_with('.'));
      require(component.string().find_first_of("/\\") == std::string::npos);
    }
    require(file.kind == NameKind::source || file.kind == NameKind::header);
    require(static_cast<std::int64_t>(file.content.size()) <= limits.file_bytes);
    require(before == nullptr || before->native() < file.name.native());
    bytes += static_cast<std::int64_t>(file.content.size());
    before = &file.name;
  }
  require(bytes <= limits.submission_bytes);
  require(static_cast<std::int64_t>(walk.files.size()) <= limits.submission_files);
  std::vector<std::string> sentences = walk.notices;
  if (walk.refusal) sentences.push_back(*walk.refusal);
  constexpr std::size_t longest = 400;
  for (const std::string& sentence : sentences) {
    require(plain_line(sentence, longest) == sentence && sentence.ends_with('.'));
  }
}

}  // namespace grader::fuzz
