// The reference passes every check; each check is failed by a simple wrong implementation.
#include "testcases/checks/checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "grader/channel/in_process.hpp"
#include "grader/engine/engine.hpp"
#include "reference/trusted.hpp"
#include "testcases/contract.hpp"

namespace attention_assignment {
namespace {

using grader::CheckResult;
using grader::CheckStatus;
using grader::Matrix;
using grader::Outcome;
using grader::Record;
using grader::RowVector;
using grader::Value;

const reference::ReferenceTrusted& trusted() {
  static const reference::ReferenceTrusted instance;
  return instance;
}

/// The reference with its answers changed on the way out.
class Altered : public grader::Implementation {
 public:
  using Alter = std::function<void(grader::FunctionId, const grader::Arguments&, Outcome&)>;
  explicit Altered(Alter alter) : alter_(std::move(alter)) {}
  Outcome call(grader::FunctionId function, const grader::Arguments& arguments) override {
    Outcome outcome = reference_.call(function, arguments);
    alter_(function, arguments, outcome);
    return outcome;
  }

 private:
  grader::InProcessImplementation reference_{contract(), &attention_grader_dispatch};
  Alter alter_;
};

std::map<std::string, CheckResult> run(grader::Implementation& implementation, std::uint64_t seed,
                                       std::int64_t cases) {
  grader::EngineOptions options;
  options.seed = seed;
  options.cases = cases;
  options.shrink_limit = 20;
  std::map<std::string, CheckResult> by_id;
  for (CheckResult& result :
       grader::run_checks(all_checks(trusted()), contract(), implementation, options)) {
    by_id.emplace(result.id, std::move(result));
  }
  return by_id;
}

std::set<std::string> failed_ids(const Altered::Alter& alter) {
  Altered implementation(alter);
  std::set<std::string> failed;
  for (const auto& [id, result] : run(implementation, 7, 100)) {
    if (result.status != CheckStatus::passed) failed.insert(id);
  }
  return failed;
}

Matrix* matrix_in(Outcome& outcome, std::string_view name) {
  auto* record = std::get_if<Record>(&outcome.value);
  if (record == nullptr) return nullptr;
  for (grader::Field& field : record->fields) {
    if (field.name == name) return std::get_if<Matrix>(&field.value);
  }
  return nullptr;
}

TEST(ChecksTest, AreTheOnesOfTheLessonInOrder) {
  std::vector<std::string> ids;
  for (const grader::Check& check : all_checks(trusted())) ids.push_back(check.id);
  const std::vector<std::string> expected = {"shapes.ledger",
                                             "shapes.results",
                                             "scaling.logits",
                                             "scaling.entropy",
                                             "scaling.variance",
                                             "entropy.value",
                                             "mask.future_logits",
                                             "mask.future_weights",
                                             "mask.past_invariance",
                                             "softmax.row_sums",
                                             "softmax.values",
                                             "softmax.shift_invariance",
                                             "softmax.stability",
                                             "values.weighted_sum",
                                             "values.convex",
                                             "values.projections",
                                             "rows.consistent",
                                             "assertions.output_shapes_match",
                                             "assertions.rows_sum_to_one",
                                             "assertions.future_weights_are_zero",
                                             "assertions.past_outputs_unchanged",
                                             "assertions.scaling_raises_entropy",
                                             "agreement.reference",
                                             "purity.repeatable"};
  EXPECT_EQ(ids, expected);
}

TEST(ChecksTest, ReferencePassesEverythingWithSeveralSeeds) {
  for (const std::uint64_t seed : {2026U, 1U, 2U, 3U}) {
    grader::InProcessImplementation implementation(contract(), &attention_grader_dispatch);
    for (const auto& [id, result] : run(implementation, seed, 500)) {
      EXPECT_EQ(result.status, CheckStatus::passed)
          << id << " with seed " << seed << ": " << result.message;
      EXPECT_EQ(result.coverage_missed, std::vector<std::string>{}) << id;
    }
  }
}

// ---- One simple mistake for each check ------------------------------------------

struct Mistake {
  std::string claim;  ///< name of the test
  std::string check;  ///< must not pass
  Altered::Alter alter;
  std::vector<std::string> unaffected;  ///< must pass all the same
};

void scale_entries(Matrix* matrix, double factor) {
  if (matrix == nullptr) return;
  for (double& entry : matrix->entries) entry *= factor;
}

/// Applies `change` to the named matrix of every answer of attention and self_attention.
Altered::Alter changing(std::string name, std::function<void(Matrix&)> change) {
  return [name = std::move(name), change = std::move(change)](auto function, const auto&,
                                                              Outcome& outcome) {
    if (function != kAttention && function != kSelfAttention) return;
    if (Matrix* matrix = matrix_in(outcome, name)) change(*matrix);
  };
}

/// Applies `change` to what softmax() returns.
Altered::Alter changing_softmax(std::function<void(const RowVector&, RowVector&)> change) {
  return [change = std::move(change)](auto function, const auto& arguments, Outcome& outcome) {
    if (function != kSoftmax) return;
    change(std::get<RowVector>(arguments[0]), std::get<RowVector>(outcome.value));
  };
}

std::vector<Mistake> mistakes() {
  const auto last_row_to = [](double number) {
    return [number](Matrix& matrix) {
      for (std::int64_t c = 0; c < matrix.columns; ++c) matrix(matrix.rows - 1, c) = number;
    };
  };
  return {
      {"LedgerWithTransposedOutput",
       "shapes.ledger",
       [](auto function, const auto&, Outcome& outcome) {
         if (function != kShapeLedger) return;
         auto& output = std::get<Record>(std::get<Record>(outcome.value).fields.back().value);
         std::swap(output.fields[0].value, output.fields[1].value);
       },
       {"shapes.results", "values.weighted_sum"}},
      {"OutputOneColumnShort",
       "shapes.results",
       changing("output", [](Matrix& matrix) { matrix = Matrix(matrix.rows, matrix.columns - 1); }),
       {"shapes.ledger", "entropy.value", "softmax.shift_invariance"}},
      {"LogitsOffInTheNinthDigit",
       "scaling.logits",
       changing("logits", [](Matrix& matrix) { scale_entries(&matrix, 1 + 1e-9); }),
       {"mask.future_logits", "values.weighted_sum", "scaling.variance", "scaling.entropy"}},
      {"LogitsTenTimesTooLarge",
       "scaling.variance",
       changing("logits", [](Matrix& matrix) { scale_entries(&matrix, 10); }),
       {"mask.future_logits", "values.weighted_sum"}},
      {"LogitsTenTimesTooSmall",
       "scaling.entropy",
       changing("logits", [](Matrix& matrix) { scale_entries(&matrix, 0.1); }),
       {"mask.future_logits", "values.weighted_sum"}},
      {"EntropyInBits",
       "entropy.value",
       [](auto function, const auto&, Outcome& outcome) {
         if (function == kEntropy) std::get<double>(outcome.value) *= 1.442695;
       },
       {"scaling.logits", "scaling.entropy"}},
      {"FutureLogitsLargeAndNegative",
       "mask.future_logits",
       changing("logits",
                [](Matrix& matrix) {
                  for (double& entry : matrix.entries) entry = std::max(entry, -1e9);
                }),
       {"scaling.logits", "mask.future_weights", "softmax.values", "softmax.stability"}},
      {"FutureWeightsAboveZero",
       "mask.future_weights",
       changing("weights",
                [](Matrix& matrix) {
                  if (matrix.rows > 1) matrix(0, 1) += 1e-300;
                }),
       {"scaling.logits", "mask.future_logits", "softmax.row_sums"}},
      {"LastOutputLeaksIntoTheFirst",
       "mask.past_invariance",
       changing("output",
                [](Matrix& matrix) { matrix(0, 0) += 1e-9 * matrix(matrix.rows - 1, 0); }),
       {"scaling.logits", "mask.future_logits", "softmax.values"}},
      {"LastRowSumsToALittleMore",
       "softmax.row_sums",
       changing("weights",
                [](Matrix& matrix) {
                  for (std::int64_t c = 0; c < matrix.columns; ++c)
                    matrix(matrix.rows - 1, c) *= 1 + 1e-9;
                }),
       {"scaling.logits", "mask.future_weights", "softmax.shift_invariance"}},
      {"NotANumberInTheLastRow",
       "softmax.row_sums",
       changing("weights", last_row_to(std::nan(""))),
       {"scaling.logits", "mask.future_logits"}},
      {"SoftmaxOfNegatedLogits",
       "softmax.values",
       changing_softmax(
           [](const RowVector&, RowVector& weights) { std::ranges::reverse(weights.entries); }),
       {"softmax.row_sums", "values.weighted_sum"}},
      {"SoftmaxDependsOnTheFirstLogit",
       "softmax.shift_invariance",
       changing_softmax(
           [](const RowVector& logits, RowVector& weights) { weights(0) *= 1 + 1e-9 * logits(0); }),
       {"softmax.row_sums", "values.weighted_sum"}},
      {"SoftmaxOverflowsBeyond709",
       "softmax.stability",
       changing_softmax([](const RowVector& logits, RowVector& weights) {
         for (const double logit : logits.entries) {
           if (std::exp(logit) <= 1e308) continue;
           for (double& weight : weights.entries) weight = std::nan("");
         }
       }),
       {"softmax.values", "softmax.shift_invariance", "softmax.row_sums"}},
      {"OutputOffInTheNinthDigit",
       "values.weighted_sum",
       changing("output", [](Matrix& matrix) { scale_entries(&matrix, 1 - 1e-9); }),
       {"scaling.logits", "softmax.values", "mask.past_invariance"}},
      {"OutputBeyondTheValues",
       "values.convex",
       changing("output", [](Matrix& matrix) { scale_entries(&matrix, 1.5); }),
       {"scaling.logits", "softmax.values"}},
      {"SelfAttentionHalvesItsOutput",
       "values.projections",
       [](auto function, const auto&, Outcome& outcome) {
         if (function == kSelfAttention) scale_entries(matrix_in(outcome, "output"), 0.5);
       },
       {"values.weighted_sum", "rows.consistent", "mask.past_invariance"}},
      {"RowsWithoutTheirWeights",
       "rows.consistent",
       [](auto function, const auto&, Outcome& outcome) {
         if (function != kAttentionRow) return;
         auto& weights = std::get<Record>(outcome.value).fields[1].value;
         for (double& weight : std::get<RowVector>(weights).entries) weight = 0;
       },
       {"values.weighted_sum", "values.projections", "shapes.results"}},
      {"WeightsAndOutputOffTogether",
       "agreement.reference",
       changing("weights", [](Matrix& matrix) { scale_entries(&matrix, 1 + 1e-9); }),
       {"scaling.logits", "mask.past_invariance"}},
  };
}

class MistakeTest : public ::testing::TestWithParam<Mistake> {};

TEST_P(MistakeTest, CostsItsCheckAndLeavesOthersAlone) {
  const std::set<std::string> failed = failed_ids(GetParam().alter);
  EXPECT_TRUE(failed.contains(GetParam().check));
  for (const std::string& id : GetParam().unaffected) EXPECT_FALSE(failed.contains(id)) << id;
}

INSTANTIATE_TEST_SUITE_P(Checks, MistakeTest, ::testing::ValuesIn(mistakes()),
                         [](const auto& instance) { return instance.param.claim; });

// ---- Whole submissions ----------------------------------------------------------

TEST(ChecksTest, MemoryBetweenCallsCostsPurityAlone) {
  std::int64_t calls = 0;
  Altered implementation([&calls](auto function, const auto&, Outcome& outcome) {
    if (function == kAttention) {
      scale_entries(matrix_in(outcome, "output"), 1 + 1e-6 * static_cast<double>(++calls));
    }
  });
  const auto results = run(implementation, 7, 100);
  EXPECT_NE(results.at("purity.repeatable").status, CheckStatus::passed);
}

TEST(ChecksTest, ThrowingEverywherePassesNothing) {
  Altered implementation([](auto, const auto&, Outcome& outcome) {
    outcome = Outcome{};
    outcome.ending = grader::Ending::threw;
    outcome.message = "not implemented yet";
  });
  for (const auto& [id, result] : run(implementation, 7, 60)) {
    EXPECT_NE(result.status, CheckStatus::passed) << id;
  }
}

TEST(ChecksTest, MessagesAreOneSentenceWithNumbers) {
  Altered implementation(changing("weights", [](Matrix& matrix) { scale_entries(&matrix, 0.5); }));
  const auto results = run(implementation, 7, 60);
  EXPECT_EQ(results.at("softmax.row_sums").message,
            "Row 0 of the weights sums to 0.5 instead of 1.");
  ASSERT_TRUE(results.at("softmax.row_sums").minimal.has_value());
  const auto& difference = results.at("softmax.values").minimal->judgement.first_difference;
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->value, "weights");
}

TEST(ChecksTest, PolicyFreeListsNameExistingChecks) {
  std::set<std::string> ids;
  for (const grader::Check& check : all_checks(trusted())) ids.insert(check.id);
  for (const std::string& id : checks_that_need_trusted()) EXPECT_TRUE(ids.contains(id)) << id;
  for (const std::string& id : end_to_end_checks()) EXPECT_TRUE(ids.contains(id)) << id;
}

}  // namespace
}  // namespace attention_assignment
