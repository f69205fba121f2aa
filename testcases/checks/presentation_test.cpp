// What reports are told about failures of simple wrong implementations.
#include "testcases/checks/presentation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>

#include "grader/channel/in_process.hpp"
#include "grader/engine/engine.hpp"
#include "reference/trusted.hpp"
#include "testcases/checks/checks.hpp"
#include "testcases/contract.hpp"

namespace attention_assignment {
namespace {

using grader::Matrix;
using grader::Outcome;
using grader::Record;

/// The reference with its answers changed on the way out.
class Altered final : public grader::Implementation {
 public:
  using Alter = std::function<void(grader::FunctionId, Outcome&)>;
  explicit Altered(Alter alter) : alter_(std::move(alter)) {}
  Outcome call(grader::FunctionId function, const grader::Arguments& arguments) override {
    Outcome outcome = reference_.call(function, arguments);
    alter_(function, outcome);
    return outcome;
  }

 private:
  grader::InProcessImplementation reference_{contract(), &attention_grader_dispatch};
  Alter alter_;
};

grader::CheckResult result_of(const std::string& id, const Altered::Alter& alter) {
  static const reference::ReferenceTrusted trusted;
  std::vector<grader::Check> checks = all_checks(trusted);
  std::erase_if(checks, [&](const grader::Check& check) { return check.id != id; });
  Altered implementation(alter);
  grader::EngineOptions options;
  options.cases = 40;
  options.shrink_limit = 20;
  return grader::run_checks(checks, contract(), implementation, options).front();
}

std::set<std::string> shown(const grader::CheckResult& result) {
  std::set<std::string> names;
  for (const grader::Input& input : result.minimal->test_case.inputs) {
    if (input.shown) names.insert(input.name);
  }
  return names;
}

/// Adds `change` to the first entry of a matrix of attention's result.
Altered::Alter changed_entry(std::size_t member, double change) {
  return [member, change](grader::FunctionId function, Outcome& outcome) {
    if (function != kAttention) return;
    auto& record = std::get<Record>(outcome.value);
    std::get<Matrix>(record.fields[member].value).entries.front() += change;
  };
}

using Names = std::set<std::string>;

TEST(PresentationTest, OnlyTheInputsOfTheFunctionThatFailedAreShown) {
  const auto wrong_softmax = [](grader::FunctionId function, Outcome& outcome) {
    if (function == kSoftmax) std::get<grader::RowVector>(outcome.value).entries[0] += 1;
  };
  EXPECT_EQ(shown(result_of("softmax.values", wrong_softmax)), Names{"z"});
  EXPECT_EQ(shown(result_of("softmax.values", changed_entry(1, 0.25))),
            (Names{"Q", "K", "V", "causal", "scaled"}));
  const auto throws = [](grader::FunctionId function, Outcome& outcome) {
    if (function == kAttention) outcome = {grader::Ending::threw, false, "no", 0};
  };
  EXPECT_EQ(shown(result_of("shapes.results", throws)), (Names{"Q", "K", "V", "causal", "scaled"}));
}

TEST(PresentationTest, TheRowIsShownWhereOneRowIsAskedFor) {
  const auto wrong_row = [](grader::FunctionId function, Outcome& outcome) {
    if (function != kAttentionRow) return;
    auto& record = std::get<Record>(outcome.value);
    std::get<grader::RowVector>(record.fields[2].value).entries.front() += 1;
  };
  const grader::CheckResult result = result_of("rows.consistent", wrong_row);
  EXPECT_EQ(shown(result), (Names{"Q", "K", "V", "causal", "scaled", "i"}));
  EXPECT_EQ(result.minimal->judgement.returned_title, "attention_row");
  EXPECT_EQ(result.minimal->judgement.expected_title, "attention");
}

TEST(PresentationTest, BookkeepingIsNeverShown) {
  EXPECT_EQ(shown(result_of("agreement.reference", changed_entry(2, 1))),
            (Names{"Q", "K", "V", "causal", "scaled"}));
  const auto accepts_all = [](grader::FunctionId function, Outcome& outcome) {
    if (function == kRowsSumToOne) outcome.value = true;
  };
  EXPECT_EQ(shown(result_of("assertions.rows_sum_to_one", accepts_all)), Names{"weights"});
}

TEST(PresentationTest, DisagreementWithTheReferenceNamesTheOptions) {
  EXPECT_NE(result_of("agreement.reference", changed_entry(2, 1))
                .message.find("with causal on and scaled on"),
            std::string::npos);
  const auto wrong_unmasked = [](grader::FunctionId function, Outcome& outcome) {
    if (function != kAttention) return;
    const auto& logits = std::get<Matrix>(std::get<Record>(outcome.value).fields[0].value);
    const bool is_masked = logits.rows > 1 && std::isinf(logits(0, 1));
    if (!is_masked && logits.rows > 1) changed_entry(2, 1)(function, outcome);
  };
  EXPECT_NE(result_of("agreement.reference", wrong_unmasked).message.find("with causal off"),
            std::string::npos);
}

TEST(PresentationTest, BrokenRelationIsSaidInWords) {
  // Wrong only where every feature is there four times.
  class WrongWhenRepeated final : public grader::Implementation {
   public:
    grader::Outcome call(grader::FunctionId function, const grader::Arguments& arguments) override {
      Outcome outcome = reference_.call(function, arguments);
      if (function == kAttention && is_repeated(std::get<Matrix>(arguments[0]))) {
        changed_entry(2, 1)(function, outcome);
      }
      return outcome;
    }

   private:
    static bool is_repeated(const Matrix& Q) {
      const std::int64_t quarter = Q.columns / 4;
      if (Q.columns % 4 != 0 || Q(0, 0) == 0) return false;
      for (std::int64_t c = quarter; c < Q.columns; ++c) {
        if (Q(0, c) != Q(0, c - quarter)) return false;
      }
      return true;
    }
    grader::InProcessImplementation reference_{contract(), &attention_grader_dispatch};
  };
  const reference::ReferenceTrusted trusted;
  std::vector<grader::Check> checks = all_checks(trusted);
  std::erase_if(checks,
                [](const grader::Check& check) { return check.id != "agreement.reference"; });
  WrongWhenRepeated implementation;
  const grader::CheckResult result =
      grader::run_checks(checks, contract(), implementation, {}).front();
  ASSERT_TRUE(result.minimal);
  EXPECT_NE(result.message.find("every feature is there four times"), std::string::npos)
      << result.message;
  EXPECT_EQ(result.minimal->judgement.returned_title, "features four times");
  EXPECT_EQ(result.minimal->judgement.expected_title, "as given");
}

TEST(PresentationTest, PastOutputsAreComparedBeforeAndAfterTheChange) {
  double sum_of_answers = 0;
  const grader::CheckResult result =
      result_of("mask.past_invariance", [&](grader::FunctionId function, Outcome& outcome) {
        if (function == kAttention) changed_entry(2, sum_of_answers += 1)(function, outcome);
      });
  const grader::Judgement& judgement = result.minimal->judgement;
  EXPECT_EQ(judgement.returned_title, "after");
  EXPECT_EQ(judgement.expected_title, "before");
  const std::int64_t changed_token = result.minimal->test_case.integer("changed_token");
  for (const auto* fields : {&judgement.returned, &judgement.expected}) {
    ASSERT_EQ(fields->size(), 1U);
    const auto& output = std::get<Matrix>(fields->front().value);
    EXPECT_EQ(output.rows, changed_token) << "later rows may differ";
    EXPECT_EQ(output.entries.size(), static_cast<std::size_t>(output.rows * output.columns));
  }
}

}  // namespace
}  // namespace attention_assignment
