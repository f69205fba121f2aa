// The judge module of this assignment: what the grader knows of attention.
#include <memory>

#include "grader/assignment/assignment.hpp"
#include "grader/channel/in_process.hpp"
#include "reference/remembering_trusted.hpp"
#include "testcases/checks/assertions.hpp"
#include "testcases/checks/checks.hpp"
#include "testcases/contract.hpp"
#include "testcases/diagnosis/observe.hpp"
#include "testcases/figures.hpp"
#include "testcases/misconceptions/models.hpp"

namespace {

grader::Judge make_judge() {
  static const reference::RememberingTrusted trusted;
  grader::Judge judge;
  judge.contract = attention_assignment::contract();
  judge.checks = attention_assignment::all_checks(trusted);
  judge.end_to_end = attention_assignment::end_to_end_checks();
  judge.state_check = "purity.repeatable";
  judge.make_reference = [] {
    return std::make_unique<grader::InProcessImplementation>(attention_assignment::contract(),
                                                             &attention_grader_dispatch);
  };
  judge.models = attention_assignment::models();
  judge.observe = [](grader::Implementation& implementation) {
    // Made when a submission is diagnosed: most commands never do.
    static const std::vector<grader::Check> kChecks = attention_assignment::assertion_checks();
    return attention_assignment::observe(implementation, kChecks);
  };
  judge.figures = attention_assignment::figures(trusted);
  return judge;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) std::uint32_t attention_grader_judge_version() {
  return grader::kJudgeVersion;
}

extern "C" __attribute__((visibility("default"))) const grader::Judge* attention_grader_judge() {
  static const grader::Judge judge = make_judge();
  return &judge;
}
