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

bool is_attention(grader::FunctionId function) { return function == kAttention; }

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

TEST(ChecksTest, LogitsOffByOneFactorFailScaling) {
  const auto failed = failed_ids([](auto function, const auto&, Outcome& outcome) {
    if (!is_attention(function)) return;
    for (double& entry : matrix_in(outcome, "logits")->entries) entry *= 1 + 1e-9;
  });
  EXPECT_TRUE(failed.contains("scaling.logits"));
  EXPECT_FALSE(failed.contains("mask.future_logits"));
  EXPECT_FALSE(failed.contains("values.weighted_sum"));
}

}  // namespace
}  // namespace attention_assignment
