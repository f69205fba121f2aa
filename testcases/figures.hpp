// What reports draw of a submission: its shape ledger, its weights on the lesson's example, and
// how variance and entropy go with d_k, each beside what is right.
#pragma once

#include <functional>
#include <vector>

#include "grader/assignment/figure.hpp"
#include "testcases/checks/student.hpp"
#include "testcases/checks/trusted.hpp"

namespace attention_assignment {

/// `trusted` outlives the result.
std::vector<std::function<grader::Figure(grader::Implementation&)>> figures(const Trusted& trusted);

}  // namespace attention_assignment
