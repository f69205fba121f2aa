#include "grader/engine/what_matters.hpp"

#include <gtest/gtest.h>

#include "grader/engine/engine.hpp"
#include "grader/engine/engine_fixture.hpp"

namespace grader {
namespace {

using engine_test::contract;
using engine_test::ended;
using engine_test::Fake;
using engine_test::returned;
using engine_test::sum;
using engine_test::total_is_right;

/// What the engine says about the smallest failing input of an implementation of total().
std::string explanation_of(Fake implementation, const Check& check = total_is_right()) {
  const CheckResult result = run_checks({check}, contract(), implementation, {}).front();
  EXPECT_TRUE(result.minimal);
  return result.minimal ? result.minimal->explanation : "";
}

/// A row `values` and a row `weights` of other numbers; total() must be right on the values.
Check with_a_bystander() {
  Check check = total_is_right();
  check.generate = [](Random& random, const Schedule& schedule) {
    Case test_case = engine_test::draw_row(random, schedule);
    test_case.inputs.push_back({"weights", RowVector{{1, 2}}, {"m"}, false});
    return test_case;
  };
  return check;
}

TEST(WhatMattersTest, SaysThatOtherNumbersFailAndWhichSizeMatters) {
  const auto wrong_from_two = [](const RowVector& values) {
    return returned(sum(values) + (values.size() >= 2 ? 1 : 0));
  };
  EXPECT_EQ(explanation_of(Fake(wrong_from_two)),
            "Other numbers fail as well; what matters is n ≥ 2.");
}

TEST(WhatMattersTest, SaysNothingOfSizesThatDoNotMatter) {
  EXPECT_EQ(explanation_of(Fake([](const RowVector& values) { return returned(sum(values) + 1); })),
            "Other numbers fail as well.");
}

TEST(WhatMattersTest, SaysNothingWhenTheNumbersMatter) {
  const auto wrong_on_large = [](const RowVector& values) {
    return returned(sum(values) + (sum(values) > 5 ? 1 : 0));
  };
  EXPECT_EQ(explanation_of(Fake(wrong_on_large)), "");
}

TEST(WhatMattersTest, NamesTheInputThatDoesNotMatter) {
  const auto wrong_on_large = [](const RowVector& values) {
    return returned(sum(values) + (sum(values) > 5 ? 1 : 0));
  };
  EXPECT_EQ(explanation_of(Fake(wrong_on_large), with_a_bystander()),
            "The numbers in weights do not matter: others fail as well.");
}

TEST(WhatMattersTest, NamesTheChoiceThatMatters) {
  Check check = total_is_right();
  const auto judge = check.judge;
  check.generate = [](Random& random, const Schedule& schedule) {
    Case test_case = engine_test::draw_row(random, schedule);
    test_case.inputs.push_back({"strict", true, {}, false});
    return test_case;
  };
  check.judge = [judge](const Case& test_case, Implementation& implementation) {
    return test_case.boolean("strict") ? judge(test_case, implementation) : Judgement{};
  };
  EXPECT_EQ(explanation_of(Fake([](const RowVector& values) { return returned(sum(values) + 1); }),
                           check),
            "Other numbers fail as well; what matters is strict = true.");
}

TEST(WhatMattersTest, VariesOnlyWithinTheDomainOfTheCheck) {
  Check check = total_is_right();
  check.admits = [](const Case& test_case) { return sum(test_case.row("values")) > 1000; };
  check.fixed_cases = {{{{"values", RowVector{{2000}}, {"n"}, false}}, "", ""}};
  EXPECT_EQ(explanation_of(Fake([](const RowVector& values) { return returned(sum(values) + 1); }),
                           check),
            "");
}

TEST(WhatMattersTest, ACrashIsExplainedAndATimeOutIsNot) {
  const auto ends_from_two = [](Ending ending) {
    return Fake([ending](const RowVector& values) {
      return values.size() >= 2 ? ended(ending, 11) : returned(sum(values));
    });
  };
  EXPECT_EQ(explanation_of(ends_from_two(Ending::crashed)),
            "Other numbers fail as well; what matters is n ≥ 2.");
  EXPECT_EQ(explanation_of(ends_from_two(Ending::timed_out)), "");
}

TEST(WhatMattersTest, FrozenInputsAreLeftAlone) {
  Check check = total_is_right();
  check.fixed_cases = {{{{"values", RowVector{{3}}, {"n"}, true}}, "", ""}};
  EXPECT_EQ(explanation_of(Fake([](const RowVector& values) { return returned(sum(values) + 1); }),
                           check),
            "");
}

}  // namespace
}  // namespace grader
