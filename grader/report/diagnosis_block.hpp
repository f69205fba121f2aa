// What happened, in words: the mistakes that were recognised.
#pragma once

#include <string>
#include <vector>

#include "grader/diagnosis/diagnosis.hpp"
#include "grader/report/layout.hpp"

namespace grader {

/// "The mask is applied after the softmax."
[[nodiscard]] std::string diagnosis_title(const Diagnosis& diagnosis);

/// "M03 or M20", or empty when no known mistake matches.
[[nodiscard]] std::string diagnosis_ids(const Diagnosis& diagnosis);

/// What a tutor would say, and on what evidence.
[[nodiscard]] std::string diagnosis_text(const Diagnosis& diagnosis);

/// A headline and a few sentences for each diagnosis; nothing when there is none.
[[nodiscard]] std::vector<std::string> diagnosis_block(const std::vector<Diagnosis>& all,
                                                       const Paint& paint);

}  // namespace grader
