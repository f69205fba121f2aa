#include "testcases/misconceptions/models.hpp"

#include <utility>

#include "testcases/misconceptions/misconceptions.hpp"

namespace attention_assignment::misconceptions {

std::vector<CorrectStyle> correct_styles() {
  std::vector<CorrectStyle> all;
  for (const auto& group :
       {summation_styles(), logits_styles(), softmax_styles(), composition_styles()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

std::vector<std::pair<std::string, std::vector<Misconception>>> misconceptions_by_stage() {
  return {
      {"shapes", shape_misconceptions()},
      {"product", product_misconceptions()},
      {"scale", scale_misconceptions()},
      {"mask", mask_misconceptions()},
      {"softmax", softmax_misconceptions()},
      {"normalisation", normalisation_misconceptions()},
      {"mixing", mixing_misconceptions()},
      {"index", index_misconceptions()},
      {"rows", row_misconceptions()},
      {"projections", projection_misconceptions()},
      {"options", option_misconceptions()},
      {"entropy", entropy_misconceptions()},
      {"state", state_misconceptions()},
      {"precision", precision_misconceptions()},
      {"assertions", assertion_misconceptions()},
  };
}

namespace {

using grader::Model;

std::vector<Model> all_models() {
  std::vector<Model> all;
  for (CorrectStyle& style : correct_styles()) {
    all.push_back({style.id,
                   Model::Role::correct_style,
                   "style",
                   style.title,
                   {},
                   0,
                   [model = style.model] { return implement(model); },
                   {}});
  }
  for (const auto& [stage, misconceptions] : misconceptions_by_stage()) {
    for (const Misconception& mistake : misconceptions) {
      all.push_back({mistake.id, Model::Role::misconception, stage, mistake.title,
                     mistake.objectives, 0, [model = mistake.model] { return implement(model); },
                     mistake.explanation});
    }
  }
  for (Model& model : null_implementations()) all.push_back(std::move(model));
  return all;
}

}  // namespace
}  // namespace attention_assignment::misconceptions

std::vector<grader::Model> attention_assignment::models() { return misconceptions::all_models(); }
