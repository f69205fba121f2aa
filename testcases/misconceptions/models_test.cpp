#include "testcases/misconceptions/models.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "testcases/contract.hpp"
#include "testcases/misconceptions/misconceptions.hpp"

namespace attention_assignment::misconceptions {
namespace {

using grader::Ending;
using grader::Model;
using grader::Outcome;

/// Numbers without a pattern, between -2 and 2.
Matrix numbers(std::int64_t rows, std::int64_t columns, std::uint64_t& state) {
  Matrix matrix(rows, columns);
  for (double& entry : matrix.entries) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    entry = static_cast<double>(state >> 40) / static_cast<double>(1U << 22) - 2;
  }
  return matrix;
}

Problem problem_of(std::int64_t n, std::int64_t d_k, std::int64_t d_v, Options options) {
  std::uint64_t state = 11;
  return {numbers(n, d_k, state), numbers(n, d_k, state), numbers(n, d_v, state), options};
}

constexpr Options kAllOptions[] = {{true, true}, {true, false}, {false, true}, {false, false}};

double largest_difference(const Matrix& left, const Matrix& right) {
  if (left.rows != right.rows || left.columns != right.columns) return INFINITY;
  double largest = 0;
  for (std::size_t e = 0; e < left.entries.size(); ++e) {
    if (left.entries[e] == right.entries[e]) continue;
    const double difference = std::abs(left.entries[e] - right.entries[e]);
    if (std::isnan(difference)) return INFINITY;
    largest = std::max(largest, difference);
  }
  return largest;
}

double largest_difference(const AttentionResult& left, const AttentionResult& right) {
  return std::max({largest_difference(left.logits, right.logits),
                   largest_difference(left.weights, right.weights),
                   largest_difference(left.output, right.output)});
}

const Misconception& misconception(const std::vector<Misconception>& group, const std::string& id) {
  const auto found = std::find_if(group.begin(), group.end(),
                                  [&](const Misconception& mistake) { return mistake.id == id; });
  if (found == group.end()) throw std::out_of_range("no misconception " + id);
  return *found;
}

AttentionResult result_of(const std::vector<Misconception>& group, const std::string& id,
                          const Problem& problem) {
  const AttentionModel& model = misconception(group, id).model;
  return model.attention(model, problem);
}

TEST(ModelsTest, CoverEveryStageWithUniqueNames) {
  std::set<std::string> ids;
  std::size_t styles = 0;
  std::size_t mistakes = 0;
  std::size_t nulls = 0;
  for (const Model& model : models()) {
    EXPECT_TRUE(ids.insert(model.id).second) << model.id << " comes twice";
    EXPECT_FALSE(model.title.empty()) << model.id;
    styles += model.role == Model::Role::correct_style;
    nulls += model.role == Model::Role::null_implementation;
    if (model.role != Model::Role::misconception) continue;
    ++mistakes;
    EXPECT_FALSE(model.objectives.empty()) << model.id;
    EXPECT_FALSE(model.explanation.empty()) << model.id;
  }
  EXPECT_GE(styles, 12U);
  EXPECT_GE(mistakes, 60U);
  EXPECT_GE(nulls, 10U);
}

TEST(ModelsTest, PlainLoopsComputeTheLessonsExample) {
  // Two tokens whose logits are 0 and ln 3 in the second row: weights 1/4 and 3/4.
  Problem problem;
  problem.Q = Matrix(2, 1, 1.0);
  problem.K = Matrix(2, 1);
  problem.K(1, 0) = std::log(3.0);
  problem.V = Matrix(2, 1);
  problem.V(1, 0) = 8;
  const AttentionResult result = stage_after_stage(AttentionModel{}, problem);
  EXPECT_EQ(result.logits(0, 1), -INFINITY);
  EXPECT_EQ(result.weights(0, 0), 1);
  EXPECT_EQ(result.weights(0, 1), 0);
  EXPECT_NEAR(result.weights(1, 1), 0.75, 1e-15);
  EXPECT_NEAR(result.output(1, 0), 6, 1e-14);
}

TEST(ModelsTest, CorrectStylesAgreeForAllOptions) {
  for (const CorrectStyle& style : correct_styles()) {
    for (const Options& options : kAllOptions) {
      const Problem problem = problem_of(7, 3, 4, options);
      const AttentionResult expected = stage_after_stage(AttentionModel{}, problem);
      EXPECT_LE(largest_difference(style.model.attention(style.model, problem), expected), 1e-12)
          << style.id;
    }
  }
}

TEST(ModelsTest, MistakesOfAttentionDifferFromTheRightResultSomewhere) {
  const std::vector<std::vector<Misconception>> groups = {
      product_misconceptions(), scale_misconceptions(), mixing_misconceptions(),
      mask_misconceptions(), option_misconceptions()};
  // Equal in exact arithmetic, or a mask that fills zeros: seen on other inputs only.
  const std::set<std::string> equal_here = {
      "M03", "M20", "M22",
      "Clearing future weights after the softmax and dividing by the new sum is the same on paper. "
      "But a future logit that is far larger than the visible ones makes all of these underflow, "
      "and the row becomes 0/0. Mask before the softmax."};
  for (const auto& group : groups) {
    for (const Misconception& mistake : group) {
      double largest = 0;
      for (const Options& options : kAllOptions) {
        const Problem problem = problem_of(7, 3, 4, options);
        try {
          largest =
              std::max(largest, largest_difference(mistake.model.attention(mistake.model, problem),
                                                   stage_after_stage(AttentionModel{}, problem)));
        } catch (const std::exception&) {
          largest = INFINITY;
        }
      }
      if (equal_here.count(mistake.id) != 0) {
        EXPECT_LE(largest, 1e-12) << mistake.id;
      } else {
        EXPECT_GE(largest, 1e-9) << mistake.id;
      }
    }
  }
}

TEST(ModelsTest, MaskMistakesShowOrHideTheTokensTheyAreNamedAfter) {
  const auto group = mask_misconceptions();
  const Problem problem = problem_of(6, 3, 4, {});
  EXPECT_GT(result_of(group, "M08", problem).weights(2, 3), 0);
  EXPECT_EQ(result_of(group, "M08", problem).weights(2, 4), 0);
  EXPECT_EQ(result_of(group, "M17", problem).weights(5, 2), 0);
  EXPECT_GT(result_of(group, "M17", problem).weights(5, 3), 0);
  EXPECT_TRUE(std::isnan(result_of(group, "M04", problem).weights(0, 0)));
  EXPECT_TRUE(std::isnan(result_of(group, "M10", problem).logits(3, 1)));
  EXPECT_EQ(result_of(group, "M18", problem).output(3, 0), problem.V(3, 0));
}

TEST(ModelsTest, WhatThrowsIsAnOutcomeOfTheCall) {
  const auto implementation = implement(misconception(index_misconceptions(), "C10").model);
  const Problem problem = problem_of(5, 3, 4, {});
  const grader::Record options{{{"causal", true}, {"scaled", true}}};
  const Outcome outcome =
      implementation->call(kAttention, {problem.Q, problem.K, problem.V, options});
  EXPECT_EQ(outcome.ending, Ending::threw);
  EXPECT_NE(outcome.message.find("4 tokens"), std::string::npos);
}

TEST(ModelsTest, StateIsForgottenByAFreshStart) {
  const auto implementation = implement(misconception(state_misconceptions(), "P25").model);
  const Problem problem = problem_of(5, 3, 4, {});
  const grader::Arguments arguments = {problem.Q, problem.K, problem.V,
                                       grader::Record{{{"causal", true}, {"scaled", true}}}};
  const Outcome first = implementation->call(kAttention, arguments);
  const Outcome second = implementation->call(kAttention, arguments);
  EXPECT_FALSE(identical(first.value, second.value));
  implementation->start_fresh();
  EXPECT_TRUE(identical(first.value, implementation->call(kAttention, arguments).value));
}

TEST(ModelsTest, StateIsNotSharedBetweenImplementations) {
  const auto all = models();
  const auto model = std::find_if(all.begin(), all.end(),
                                  [](const Model& candidate) { return candidate.id == "C22"; });
  ASSERT_NE(model, all.end());
  const Problem problem = problem_of(5, 3, 4, {});
  const grader::Arguments arguments = {problem.Q, problem.K, problem.V,
                                       grader::Record{{{"causal", true}, {"scaled", true}}}};
  const auto left = model->make();
  const auto right = model->make();
  left->call(kAttention, arguments);
  EXPECT_FALSE(
      identical(left->call(kAttention, arguments).value, right->call(kAttention, arguments).value));
}

TEST(ModelsTest, AnswersHaveTheTypesOfTheContract) {
  for (const Model& model : models()) {
    const auto implementation = model.make();
    const RowVector row{{0.25, 0.75}};
    const Outcome softmax = implementation->call(kSoftmax, {row});
    if (softmax.ending == Ending::returned) {
      EXPECT_TRUE(has_type(softmax.value, contract()[kSoftmax].result)) << model.id;
    }
    const Outcome ledger =
        implementation->call(kShapeLedger, {std::int64_t{4}, std::int64_t{2}, std::int64_t{3}});
    if (ledger.ending == Ending::returned) {
      EXPECT_TRUE(has_type(ledger.value, contract()[kShapeLedger].result)) << model.id;
    }
  }
}

}  // namespace
}  // namespace attention_assignment::misconceptions
