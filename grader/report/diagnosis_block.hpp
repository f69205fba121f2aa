// What happened, in words: the mistakes that were recognised.
#pragma once

#include <string>
#include <vector>

#include "grader/diagnosis/diagnosis.hpp"
#include "grader/report/layout.hpp"

namespace grader {

/// A headline and a few sentences for each diagnosis; nothing when there is none.
[[nodiscard]] std::vector<std::string> diagnosis_block(const std::vector<Diagnosis>& all,
                                                       const Paint& paint);

}  // namespace grader
