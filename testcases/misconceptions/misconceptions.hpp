// The known mistakes, one function and one file per stage. To add one, add an entry in its file.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "testcases/misconceptions/model.hpp"

namespace attention_assignment::misconceptions {

/// A wrong attention that people really write.
struct Misconception {
  std::string id;     ///< stable: M mask, S scale, X softmax, P products and indices, …
  std::string title;  ///< what the code does, in a few words
  /// The objectives in which it may cost points, its own first. Checks that are judged end to end
  /// may fail besides.
  std::vector<std::string> objectives;
  AttentionModel model;
  /// What a tutor would say: the idea that is wrong, and what is right.
  std::string explanation = {};
  /// The same idea with other constants, for recognising it: the self-test runs `model` alone.
  std::vector<AttentionModel> variations = {};
};

inline constexpr const char* kShapes = "shapes";
inline constexpr const char* kScaling = "scaling";
inline constexpr const char* kMask = "mask";
inline constexpr const char* kSoftmaxObjective = "stable_softmax";
inline constexpr const char* kValues = "values";
inline constexpr const char* kAssertions = "assertions";
inline constexpr const char* kWhole = "whole";

std::vector<Misconception> shape_misconceptions();
std::vector<Misconception> product_misconceptions();
std::vector<Misconception> scale_misconceptions();
std::vector<Misconception> mask_misconceptions();
std::vector<Misconception> softmax_misconceptions();
std::vector<Misconception> normalisation_misconceptions();
std::vector<Misconception> mixing_misconceptions();
std::vector<Misconception> index_misconceptions();
std::vector<Misconception> row_misconceptions();
std::vector<Misconception> projection_misconceptions();
std::vector<Misconception> option_misconceptions();
std::vector<Misconception> entropy_misconceptions();
std::vector<Misconception> state_misconceptions();
std::vector<Misconception> precision_misconceptions();
std::vector<Misconception> assertion_misconceptions();

/// All of the above by the name of their stage, in the order of the lesson.
std::vector<std::pair<std::string, std::vector<Misconception>>> misconceptions_by_stage();

}  // namespace attention_assignment::misconceptions
