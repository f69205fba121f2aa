#include "testcases/checks/assertions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "testcases/checks/assertion_family.hpp"
#include "testcases/checks/student.hpp"
#include "testcases/contract.hpp"
#include "testcases/generators/fixed_random.hpp"

namespace attention_assignment {
namespace {

using grader::Case;
using grader::Check;
using grader::Implementation;
using grader::Judgement;
using grader::Matrix;
using grader::RowVector;

/// Every family in every size, smallest sizes first: the first failing case is shown to people.
std::vector<Case> cases_of(const std::vector<AssertionFamily>& families) {
  std::vector<Case> cases;
  FixedRandom random(7);
  for (const std::int64_t n : {1, 2, 3, 4, 6, 9}) {
    for (const AssertionFamily& family : families) {
      if (n < family.smallest_n) continue;
      Case test_case{family.make(random, n), family.label, ""};
      test_case.inputs.push_back(fixed_input("valid", family.valid));
      cases.push_back(std::move(test_case));
    }
  }
  return cases;
}

/// The function's answer to the case's inputs, in the order of the contract's parameters.
bool answer_of(grader::FunctionId function, const Case& test_case, Implementation& implementation) {
  const grader::Function& signature = contract()[function];
  grader::Arguments arguments;
  for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
    arguments.push_back(test_case.inputs.at(i).value);
  }
  return Student(implementation).assertion(function, arguments);
}

Judgement judge_answer(const std::string& function, const Case& test_case, bool answer) {
  const bool valid = test_case.boolean("valid");
  Judgement judgement;
  judgement.returned = {{"answer", answer}};
  judgement.expected = {{"answer", valid}};
  if (answer == valid) return judgement;
  judgement.verdict = Judgement::Verdict::violated;
  judgement.message = answer ? function + " accepted " + test_case.label + "."
                             : function + " refused what is right: " + test_case.label + ".";
  return judgement;
}

RowVector row_of(const Matrix& matrix, std::int64_t i) {
  const auto first = matrix.entries.begin() + i * matrix.columns;
  return RowVector{{first, first + matrix.columns}};
}

/// What the student's own entropy() says about a pair of weights.
enum class OwnOrder : std::uint8_t { no_row_lower, some_row_lower, undefined };

OwnOrder own_order(const Case& test_case, Implementation& implementation) {
  constexpr double kEntropyRounding = 1e-9;
  Student student(implementation);
  const Matrix& scaled = test_case.matrix("scaled_weights");
  const Matrix& unscaled = test_case.matrix("unscaled_weights");
  OwnOrder order = OwnOrder::no_row_lower;
  try {
    for (std::int64_t i = 0; i < scaled.rows; ++i) {
      const double scaled_entropy = student.entropy(row_of(scaled, i));
      const double unscaled_entropy = student.entropy(row_of(unscaled, i));
      if (!std::isfinite(scaled_entropy) || !std::isfinite(unscaled_entropy)) {
        return OwnOrder::undefined;
      }
      if (scaled_entropy < unscaled_entropy - kEntropyRounding) order = OwnOrder::some_row_lower;
    }
  } catch (const grader::CallFault&) {
    return OwnOrder::undefined;  // entropy.value is where the student hears of the fault
  }
  return order;
}

/// scaling_raises_entropy() may call entropy(). Where the student's entropy() gives another order
/// than the true one, a wrong answer is no second mistake. Since entropies that are NaN make any
/// comparison false, a refusal proves nothing then; and because more than half of the cases are
/// invalid, an assertion that accepts everything cannot hide behind a wrong entropy either.
Judgement judge_scaling_raises_entropy(const Case& test_case, Implementation& implementation) {
  const bool answer = answer_of(kScalingRaisesEntropy, test_case, implementation);
  const bool valid = test_case.boolean("valid");
  Judgement judgement = judge_answer("scaling_raises_entropy", test_case, answer);
  if (answer && valid) return judgement;
  const OwnOrder order = own_order(test_case, implementation);
  const OwnOrder true_order = valid ? OwnOrder::no_row_lower : OwnOrder::some_row_lower;
  const bool misled = answer != valid && order != true_order;
  if (!misled && order != OwnOrder::undefined) return judgement;
  judgement.verdict = Judgement::Verdict::not_judged;
  judgement.blocked_by = "entropy.value";
  judgement.message = "entropy() does not put these weights in their true order.";
  return judgement;
}

Check assertion_check(grader::FunctionId function, const std::vector<AssertionFamily>& families) {
  Check check;
  check.assertion = contract()[function].name;
  check.id = "assertions." + check.assertion;
  check.fixed_cases = cases_of(families);
  check.shrinks = false;
  check.share_of_cases = 0;
  if (function == kScalingRaisesEntropy) {
    check.judge = judge_scaling_raises_entropy;
  } else {
    check.judge = [function](const Case& test_case, Implementation& implementation) {
      return judge_answer(contract()[function].name, test_case,
                          answer_of(function, test_case, implementation));
    };
  }
  return check;
}

}  // namespace

std::vector<Check> assertion_checks() {
  return {
      assertion_check(kOutputShapesMatch, output_shape_families()),
      assertion_check(kRowsSumToOne, row_sum_families()),
      assertion_check(kFutureWeightsAreZero, future_weight_families()),
      assertion_check(kPastOutputsUnchanged, past_output_families()),
      assertion_check(kScalingRaisesEntropy, entropy_families()),
  };
}

}  // namespace attention_assignment
