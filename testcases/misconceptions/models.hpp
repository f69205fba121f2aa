// Everything the self-test runs against the checks: correct styles, misconceptions, and
// implementations that do no work.
#pragma once

#include <vector>

#include "grader/assignment/assignment.hpp"
#include "testcases/misconceptions/model.hpp"

namespace attention_assignment::misconceptions {

/// A correct implementation that computes in its own way.
struct CorrectStyle {
  std::string id;
  std::string title;
  AttentionModel model;
};

// No correct style may lose a point.
std::vector<CorrectStyle> summation_styles();
std::vector<CorrectStyle> logits_styles();
std::vector<CorrectStyle> softmax_styles();
std::vector<CorrectStyle> composition_styles();
/// All of the above.
std::vector<CorrectStyle> correct_styles();

std::vector<grader::Model> null_implementations();

}  // namespace attention_assignment::misconceptions

namespace attention_assignment {

/// Correct styles, misconceptions and null implementations, in the order of the kill matrix.
std::vector<grader::Model> models();

}  // namespace attention_assignment
