// Objective shapes: the ledger, and the sizes of every result.
#include "testcases/generators/shapes.hpp"

#include <array>
#include <string>

#include "testcases/checks/checks.hpp"
#include "testcases/checks/judging.hpp"
#include "testcases/generators/attention_inputs.hpp"
#include "testcases/generators/variants.hpp"

namespace attention_assignment {
namespace {

using grader::Case;
using grader::Check;
using grader::Implementation;
using grader::Judgement;
using grader::Matrix;

// ---- shapes.ledger --------------------------------------------------------------

Case ledger_case(const CaseShape& shape, std::string label, std::string name) {
  Case result;
  // Dimensions of their own, so that each number shrinks by itself.
  result.inputs = {
      {"n", shape.n, {}, false}, {"d_k", shape.d_k, {}, false}, {"d_v", shape.d_v, {}, false}};
  result.label = std::move(label);
  result.name = std::move(name);
  return result;
}

Matrix ledger_matrix(const ShapeLedger& ledger) {
  Matrix matrix(static_cast<std::int64_t>(ledger.size()), 2);
  for (std::size_t index = 0; index < ledger.size(); ++index) {
    matrix(static_cast<std::int64_t>(index), 0) = static_cast<double>(ledger[index].rows);
    matrix(static_cast<std::int64_t>(index), 1) = static_cast<double>(ledger[index].cols);
  }
  return matrix;
}

Judgement judge_ledger(const Trusted& trusted, const Case& test_case,
                       Implementation& implementation) {
  const std::int64_t n = test_case.integer("n");
  const std::int64_t d_k = test_case.integer("d_k");
  const std::int64_t d_v = test_case.integer("d_v");
  const ShapeLedger own = Student(implementation).shape_ledger(n, d_k, d_v);
  const ShapeLedger expected = trusted.shape_ledger(n, d_k, d_v);
  for (std::size_t index = 0; index < own.size(); ++index) {
    if (own[index] == expected[index]) continue;
    const bool rows_differ = own[index].rows != expected[index].rows;
    return violated(
        "The ledger says " + size_text(own[index].rows, own[index].cols) + " for " +
            std::string(kLedgerNames[index]) + "; with n = " + std::to_string(n) +
            ", d_k = " + std::to_string(d_k) + " and d_v = " + std::to_string(d_v) + " it is " +
            size_text(expected[index].rows, expected[index].cols) + ".",
        {{"ledger", ledger_matrix(own)}}, {{"ledger", ledger_matrix(expected)}},
        grader::Difference{"ledger", static_cast<std::int64_t>(index), rows_differ ? 0 : 1});
  }
  return holds(true);
}

Check ledger_check(const Trusted& trusted) {
  Check check;
  check.id = "shapes.ledger";
  check.generate = [](grader::Random& random, const grader::Schedule& schedule) {
    return ledger_case(draw_shape(random, schedule), "sizes", "");
  };
  check.fixed_cases = {ledger_case({4, 2, 2}, "lesson", std::string(kLessonName)),
                       ledger_case({1, 1, 1}, "ones", "one token, one feature"),
                       ledger_case({4, 3, 2}, "sizes", "")};
  check.admits = [](const Case& test_case) {
    return test_case.integer("n") >= 1 && test_case.integer("d_k") >= 1 &&
           test_case.integer("d_v") >= 1;
  };
  check.judge = [&trusted](const Case& test_case, Implementation& implementation) {
    return judge_ledger(trusted, test_case, implementation);
  };
  check.quotas = {{"sizes", 0.9}};
  return check;
}

// ---- shapes.results -------------------------------------------------------------

struct Sized {
  std::string name;
  MatrixShape own;
  MatrixShape expected;
};

MatrixShape shape_of(const Matrix& matrix) { return {matrix.rows, matrix.columns}; }
MatrixShape shape_of(const grader::RowVector& row) { return {1, row.size()}; }

/// A violation when one of `results` of `function` has another size than it should.
std::optional<Judgement> wrong_size(std::string_view function,
                                    const std::array<Sized, 3>& results) {
  for (const Sized& each : results) {
    if (each.own == each.expected) continue;
    Matrix own(3, 2);
    Matrix expected(3, 2);
    for (std::int64_t row = 0; row < 3; ++row) {
      const Sized& sized = results[static_cast<std::size_t>(row)];
      own(row, 0) = static_cast<double>(sized.own.rows);
      own(row, 1) = static_cast<double>(sized.own.cols);
      expected(row, 0) = static_cast<double>(sized.expected.rows);
      expected(row, 1) = static_cast<double>(sized.expected.cols);
    }
    const auto at = &each - results.data();
    return violated(std::string(function) + " returns " + each.name + " of size " +
                        size_text(each.own.rows, each.own.cols) + ", expected " +
                        size_text(each.expected.rows, each.expected.cols) + ".",
                    {{"sizes", own}}, {{"sizes", expected}},
                    grader::Difference{"sizes", at, each.own.rows != each.expected.rows ? 0 : 1});
  }
  return std::nullopt;
}

Judgement judge_results(const Case& test_case, Implementation& implementation) {
  Student student(implementation);
  const AttentionInputs inputs = attention_inputs_of(test_case);
  const std::int64_t n = inputs.n();
  const std::int64_t d_v = inputs.d_v();
  const auto whole = [&](std::string_view function, const AttentionResult& own) {
    return wrong_size(function, {{{"logits", shape_of(own.logits), {n, n}},
                                  {"weights", shape_of(own.weights), {n, n}},
                                  {"output", shape_of(own.output), {n, d_v}}}});
  };
  if (auto wrong = whole("attention", student.attention(inputs))) return *wrong;
  const AttentionRowResult row = student.attention_row(test_case.integer("i"), inputs);
  if (auto wrong = wrong_size("attention_row", {{{"logits", shape_of(row.logits), {1, n}},
                                                 {"weights", shape_of(row.weights), {1, n}},
                                                 {"output", shape_of(row.output), {1, d_v}}}})) {
    return *wrong;
  }
  const SelectedTokens tokens = select_from_tokens(inputs);
  if (auto wrong = whole("self_attention",
                         student.self_attention(tokens.X, tokens.projections, inputs.options))) {
    return *wrong;
  }
  return holds(true);
}

Check results_check() {
  Check check = check_on_attention_inputs("shapes.results");
  check.generate = draw_inputs_and_row;
  for (Case& lesson : check.fixed_cases)
    lesson.inputs.push_back({"i", std::int64_t{2}, {"n"}, false});
  check.admits = admits_inputs_and_row;
  check.judge = judge_results;
  return check;
}

}  // namespace

std::vector<Check> shapes_checks(const Trusted& trusted) {
  return {ledger_check(trusted), results_check()};
}

}  // namespace attention_assignment
