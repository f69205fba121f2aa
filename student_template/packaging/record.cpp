#include "packaging/record.hpp"

#include <algorithm>
#include <string>

#include "grader/base/fault.hpp"
#include "grader/channel/in_process.hpp"
#include "grader/engine/engine.hpp"
#include "home/home.hpp"
#include "packaging/recording_trusted.hpp"
#include "reference/trusted.hpp"
#include "testcases/contract.hpp"

namespace attention_home {
namespace {

/// Throws unless the reference passes every check of `checks` with no case left out.
void expect_all_pass(const HomeChecks& checks, const grader::Policy& policy, const char* numbers) {
  grader::InProcessImplementation reference(attention_assignment::contract(),
                                            &attention_grader_dispatch);
  for (const grader::CheckResult& result : run_at_home(checks, reference, policy)) {
    if (result.status == grader::CheckStatus::passed && result.discards == 0) continue;
    throw grader::InternalFault("the reference does not pass " + result.id + " on " + numbers +
                                " numbers (" + std::to_string(result.discards) +
                                " cases left out): " + result.message);
  }
}

/// What the engine asks besides, for work that is wrong: the cases it falls back to where shapes
/// are wrong, and the shorter schedule it repeats where something is kept between calls.
void record_fallbacks(const Trusted& recording, grader::Policy policy) {
  HomeChecks checks = checks_at_home(recording, policy);
  for (grader::Check& check : checks.checks) {
    if (check.generate_when_blocked) check.generate = check.generate_when_blocked;
  }
  expect_all_pass(checks, policy, "recorded");
  policy.cases = std::min(policy.cases, grader::EngineOptions{}.fresh_cases);
  expect_all_pass(checks_at_home(recording, policy), policy, "recorded");
}

}  // namespace

Numbers record(const grader::Policy& policy) {
  const reference::ReferenceTrusted reference;
  Numbers numbers;
  const RecordingTrusted recording(reference, numbers);
  expect_all_pass(checks_at_home(recording, policy), policy, "recorded");
  record_fallbacks(recording, policy);
  const StoredTrusted stored(numbers);
  expect_all_pass(checks_at_home(stored, policy), policy, "stored");
  return numbers;
}

}  // namespace attention_home
