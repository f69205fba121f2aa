#include "testcases/checks/assertions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "testcases/misconceptions/misconceptions.hpp"
#include "testcases/misconceptions/model.hpp"

namespace attention_assignment {
namespace {

using namespace misconceptions;
using grader::Case;
using grader::Check;
using grader::Judgement;
using Verdict = grader::Judgement::Verdict;

const Check& check_of(const std::string& id) {
  static const std::vector<Check> checks = assertion_checks();
  const auto found = std::find_if(checks.begin(), checks.end(),
                                  [&](const Check& check) { return check.id == id; });
  if (found == checks.end()) throw std::out_of_range("no check " + id);
  return *found;
}

/// How many cases of the check have each verdict on the model.
struct Tally {
  int holds = 0;
  int accepted_wrongly = 0;
  int refused_wrongly = 0;
  int blocked = 0;
};

Tally tally(const Check& check, const AttentionModel& model) {
  const auto implementation = implement(model);
  Tally tally;
  for (const Case& test_case : check.fixed_cases) {
    const Judgement judgement = check.judge(test_case, *implementation);
    switch (judgement.verdict) {
      case Verdict::holds: ++tally.holds; break;
      case Verdict::not_judged: ++tally.blocked; break;
      case Verdict::violated:
        ++(test_case.boolean("valid") ? tally.refused_wrongly : tally.accepted_wrongly);
    }
  }
  return tally;
}

double row_sum(const Matrix& matrix, std::int64_t i) {
  double sum = 0;
  for (std::int64_t j = 0; j < matrix.columns; ++j) sum += matrix(i, j);
  return sum;
}

TEST(AssertionChecksTest, EachFunctionSeesSixKindsOfRightDataAndMoreOfWrong) {
  for (const Check& check : assertion_checks()) {
    std::set<std::string> right;
    std::set<std::string> wrong;
    for (const Case& test_case : check.fixed_cases) {
      (test_case.boolean("valid") ? right : wrong).insert(test_case.label);
    }
    EXPECT_GE(right.size(), 6U) << check.id;
    EXPECT_GE(wrong.size(), 7U) << check.id;
  }
}

/// Assertions that allow for `rounding`.
AttentionModel allowing_for(double rounding) {
  const auto is_close = [rounding](double left, double right) {
    return std::abs(left - right) <= rounding;
  };
  AttentionModel model;
  model.rows_sum_to_one = [=](const Matrix& weights) {
    for (std::int64_t i = 0; i < weights.rows; ++i) {
      if (!is_close(row_sum(weights, i), 1)) return false;
    }
    return true;
  };
  model.future_weights_are_zero = [=](const Matrix& weights) {
    for (std::int64_t i = 0; i < weights.rows; ++i) {
      for (std::int64_t j = i + 1; j < weights.columns; ++j) {
        if (!is_close(weights(i, j), 0)) return false;
      }
    }
    return true;
  };
  model.past_outputs_unchanged = [=](const Matrix& before, const Matrix& after,
                                     std::int64_t changed_token) {
    for (std::int64_t e = 0; e < changed_token * before.columns; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      if (!is_close(before.entries[entry], after.entries[entry])) return false;
    }
    return true;
  };
  model.scaling_raises_entropy = [=](const AttentionModel& self, const Matrix& scaled,
                                     const Matrix& unscaled) {
    for (std::int64_t i = 0; i < scaled.rows; ++i) {
      if (!(self.entropy(row_of(scaled, i)) >= self.entropy(row_of(unscaled, i)) - rounding)) {
        return false;
      }
    }
    return true;
  };
  return model;
}

TEST(AssertionChecksTest, NoHonestToleranceDecides) {
  for (const double rounding : {1e-12, 1e-10, 1e-8, 1e-6}) {
    for (const Check& check : assertion_checks()) {
      const Tally seen = tally(check, allowing_for(rounding));
      EXPECT_EQ(seen.holds, static_cast<int>(check.fixed_cases.size()))
          << check.id << " " << rounding;
    }
  }
  // Comparing with == is right where zeros and unchanged outputs are concerned, and with >= where
  // entropies are.
  for (const char* id : {"assertions.future_weights_are_zero", "assertions.past_outputs_unchanged",
                         "assertions.scaling_raises_entropy"}) {
    const Check& check = check_of(id);
    EXPECT_EQ(tally(check, allowing_for(0)).holds, static_cast<int>(check.fixed_cases.size()))
        << id;
  }
}

TEST(AssertionChecksTest, RightAssertionsHoldOnEveryCase) {
  for (const Check& check : assertion_checks()) {
    const Tally seen = tally(check, AttentionModel{});
    EXPECT_EQ(seen.holds, static_cast<int>(check.fixed_cases.size())) << check.id;
    EXPECT_GT(seen.holds, 30) << check.id;
  }
}

TEST(AssertionChecksTest, EveryWrongAssertionIsCaughtByItsOwnCheckAlone) {
  for (const Misconception& mistake : assertion_misconceptions()) {
    int caught = 0;
    for (const Check& check : assertion_checks()) {
      const Tally seen = tally(check, mistake.model);
      caught += seen.accepted_wrongly + seen.refused_wrongly > 0;
    }
    EXPECT_EQ(caught, mistake.id == "A01" || mistake.id == "A02" ? 5 : 1)
        << mistake.id << " " << mistake.title;
  }
}

TEST(AssertionChecksTest, ExactRowSumsAreRefusedOnHonestRounding) {
  AttentionModel model;
  model.rows_sum_to_one = [](const Matrix& weights) {
    for (std::int64_t i = 0; i < weights.rows; ++i) {
      if (row_sum(weights, i) != 1.0) return false;
    }
    return true;
  };
  const Tally seen = tally(check_of("assertions.rows_sum_to_one"), model);
  EXPECT_GT(seen.refused_wrongly, 0);
  EXPECT_EQ(seen.accepted_wrongly, 0);
}

TEST(AssertionChecksTest, WhetherARowSumsToExactlyOneIsNoMatterOfTheOrder) {
  for (const Case& test_case : check_of("assertions.rows_sum_to_one").fixed_cases) {
    const Matrix& weights = test_case.matrix("weights");
    for (std::int64_t i = 0; i < weights.rows; ++i) {
      double backwards = 0;
      double even = 0;
      double odd = 0;
      for (std::int64_t j = weights.columns - 1; j >= 0; --j) {
        backwards += weights(i, j);
        (j % 2 == 0 ? even : odd) += weights(i, j);
      }
      const bool is_one = row_sum(weights, i) == 1;
      EXPECT_EQ(backwards == 1, is_one) << test_case.label;
      EXPECT_EQ(even + odd == 1, is_one) << test_case.label;
    }
  }
}

TEST(AssertionChecksTest, RowSumsKeepTheGap) {
  for (const Case& test_case : check_of("assertions.rows_sum_to_one").fixed_cases) {
    const Matrix& weights = test_case.matrix("weights");
    double worst = 0;
    for (std::int64_t i = 0; i < weights.rows; ++i) {
      const double error = std::abs(row_sum(weights, i) - 1);
      if (!std::isnan(worst) && !(error <= worst)) worst = error;
    }
    if (test_case.boolean("valid")) {
      EXPECT_LE(worst, 1e-14) << test_case.label;
    } else {
      EXPECT_TRUE(!(worst < 1e-3)) << test_case.label;
    }
  }
}

TEST(AssertionChecksTest, WeightsOfTheFutureSumToOneInEveryRow) {
  for (const Case& test_case : check_of("assertions.future_weights_are_zero").fixed_cases) {
    const Matrix& weights = test_case.matrix("weights");
    double largest = 0;
    for (std::int64_t i = 0; i < weights.rows; ++i) {
      EXPECT_NEAR(row_sum(weights, i), 1.0, 1e-14) << test_case.label;
      for (std::int64_t j = i + 1; j < weights.columns; ++j) {
        largest = std::max(largest, weights(i, j));
      }
    }
    if (test_case.boolean("valid")) {
      EXPECT_EQ(largest, 0) << test_case.label;
    } else {
      EXPECT_GE(largest, 1e-3) << test_case.label;
    }
  }
}

TEST(AssertionChecksTest, PastOutputsAreIdenticalOrFarApart) {
  for (const Case& test_case : check_of("assertions.past_outputs_unchanged").fixed_cases) {
    const Matrix& before = test_case.matrix("before");
    const Matrix& after = test_case.matrix("after");
    double largest = 0;
    for (std::int64_t i = 0; i < test_case.integer("changed_token"); ++i) {
      for (std::int64_t c = 0; c < before.columns; ++c) {
        largest = std::max(largest, std::abs(before(i, c) - after(i, c)));
      }
    }
    if (test_case.boolean("valid")) {
      EXPECT_EQ(largest, 0) << test_case.label;
    } else {
      EXPECT_GE(largest, 1e-3) << test_case.label;
    }
  }
}

TEST(AssertionChecksTest, EntropiesAreEqualToTheBitOrApartByTheGap) {
  int valid = 0;
  int invalid = 0;
  for (const Case& test_case : check_of("assertions.scaling_raises_entropy").fixed_cases) {
    const Matrix& scaled = test_case.matrix("scaled_weights");
    const Matrix& unscaled = test_case.matrix("unscaled_weights");
    double lowest_gain = 0;
    for (std::int64_t i = 0; i < scaled.rows; ++i) {
      EXPECT_EQ(row_sum(scaled, i), 1.0) << test_case.label;
      EXPECT_EQ(row_sum(unscaled, i), 1.0) << test_case.label;
      const double gain = entropy_in_nats(row_of(scaled, i)) - entropy_in_nats(row_of(unscaled, i));
      EXPECT_TRUE(gain == 0 || std::abs(gain) >= 1e-3) << test_case.label << " " << gain;
      lowest_gain = std::min(lowest_gain, gain);
    }
    EXPECT_EQ(lowest_gain >= 0, test_case.boolean("valid")) << test_case.label;
    ++(test_case.boolean("valid") ? valid : invalid);
  }
  EXPECT_GT(invalid, valid);
}

TEST(AssertionChecksTest, AWrongEntropyIsADependencyAndNotASecondMistake) {
  for (const Misconception& mistake : entropy_misconceptions()) {
    const Tally seen = tally(check_of("assertions.scaling_raises_entropy"), mistake.model);
    EXPECT_EQ(seen.accepted_wrongly + seen.refused_wrongly, 0)
        << mistake.id << " " << mistake.title;
  }
}

TEST(AssertionChecksTest, AcceptingEverythingDoesNotHideBehindAWrongEntropy) {
  const Check& check = check_of("assertions.scaling_raises_entropy");
  for (const Misconception& mistake : entropy_misconceptions()) {
    AttentionModel model = mistake.model;
    model.scaling_raises_entropy = [](const AttentionModel&, const Matrix&, const Matrix&) {
      return true;
    };
    const Tally seen = tally(check, model);
    const bool most_are_blocked = 2 * seen.blocked > static_cast<int>(check.fixed_cases.size());
    EXPECT_TRUE(seen.accepted_wrongly > 0 || most_are_blocked) << mistake.id;
  }
}

TEST(AssertionChecksTest, AnAssertionThatNeedsNoEntropyIsJudgedInSpiteOfAWrongOne) {
  AttentionModel model;
  model.entropy = [](const RowVector& row) { return -entropy_in_nats(row); };
  model.scaling_raises_entropy = [](const AttentionModel&, const Matrix& scaled,
                                    const Matrix& unscaled) {
    return no_row_loses_entropy(AttentionModel{}, scaled, unscaled);
  };
  const Check& check = check_of("assertions.scaling_raises_entropy");
  EXPECT_EQ(tally(check, model).holds, static_cast<int>(check.fixed_cases.size()));
}

TEST(AssertionChecksTest, MessagesNameTheFamily) {
  AttentionModel model;
  model.rows_sum_to_one = [](const Matrix&) { return true; };
  const auto implementation = implement(model);
  const Check& check = check_of("assertions.rows_sum_to_one");
  const auto chaff =
      std::find_if(check.fixed_cases.begin(), check.fixed_cases.end(), [](const Case& test_case) {
        return test_case.label == "weights whose last row sums to 0.5";
      });
  ASSERT_NE(chaff, check.fixed_cases.end());
  const Judgement judgement = check.judge(*chaff, *implementation);
  EXPECT_EQ(judgement.message, "rows_sum_to_one accepted weights whose last row sums to 0.5.");
}

TEST(AssertionChecksTest, AnExceptionIsACallFault) {
  AttentionModel model;
  model.future_weights_are_zero = [](const Matrix&) -> bool { throw std::logic_error("not yet"); };
  const auto implementation = implement(model);
  const Check& check = check_of("assertions.future_weights_are_zero");
  EXPECT_THROW(check.judge(check.fixed_cases.front(), *implementation), grader::CallFault);
}

}  // namespace
}  // namespace attention_assignment
