// The texts, points and limits of assignment.json in lines of "key value", so that the student's
// copy needs no JSON library.
#pragma once

#include <filesystem>
#include <string>

#include "grader/assignment/policy.hpp"

namespace attention_home {

/// Writes what the student's copy needs of `policy`. `cases` is the number of random cases a check
/// for which numbers were stored.
[[nodiscard]] std::string write_texts(const grader::Policy& policy, std::int64_t cases);

/// Reads it back. Throws std::runtime_error that names the file.
[[nodiscard]] grader::Policy read_texts(const std::filesystem::path& file);

}  // namespace attention_home
