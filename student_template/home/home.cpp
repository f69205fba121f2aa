#include "home/home.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "home/texts.hpp"
#include "testcases/checks/checks.hpp"
#include "testcases/contract.hpp"

namespace attention_home {
namespace {

using grader::Case;
using grader::Check;
using grader::Implementation;
using grader::Judgement;

void leave_unknown_cases_open(Check& check, const std::shared_ptr<OpenCases>& open) {
  check.judge = [judge = std::move(check.judge), id = check.id, open](
                    const Case& test_case, Implementation& implementation) {
    try {
      return judge(test_case, implementation);
    } catch (const attention_assignment::NotStored& fault) {
      ++(*open)[id][fault.blocked_by()];
      Judgement unknown;
      unknown.verdict = Judgement::Verdict::not_judged;
      unknown.blocked_by = fault.blocked_by();
      unknown.message = fault.what();
      return unknown;
    }
  };
}

/// The check that most open cases wait for.
std::string most_wanted(const std::map<std::string, std::int64_t>& waiting) {
  return std::ranges::max_element(waiting, {}, [](const auto& entry) { return entry.second; })
      ->first;
}

grader::EngineOptions engine_options(const grader::Policy& policy) {
  grader::EngineOptions options;
  options.seed = policy.seed;
  options.cases = policy.cases;
  options.state_check = "purity.repeatable";
  return options;
}

bool needs_trusted(const std::string& id) {
  const std::vector<std::string> ids = attention_assignment::checks_that_need_trusted();
  return std::ranges::find(ids, id) != ids.end();
}

bool is_wanted(const std::string& id, const std::vector<std::string>& wanted) {
  return wanted.empty() || std::ranges::any_of(wanted, [&id](const std::string& part) {
           return id == part || id.starts_with(part + ".");
         });
}

/// Failed only because too few of the judged cases could have shown a mistake.
bool lacks_a_witness(const grader::CheckResult& result) {
  return result.status == grader::CheckStatus::failed && result.minimal &&
         result.minimal->judgement.verdict == Judgement::Verdict::holds;
}

}  // namespace

HomeChecks checks_at_home(const Trusted& trusted, const grader::Policy& policy) {
  std::vector<Check> all = attention_assignment::all_checks(trusted);
  HomeChecks ordered;
  for (const grader::CheckPolicy& entry : policy.checks) {
    const auto found = std::ranges::find(all, entry.id, &Check::id);
    if (found == all.end()) throw std::runtime_error("there is no check " + entry.id);
    // A search asks for whatever the submission's answers lead to, which nobody has recorded.
    if (needs_trusted(found->id)) found->searches.clear();
    leave_unknown_cases_open(*found, ordered.open);
    ordered.checks.push_back(std::move(*found));
  }
  return ordered;
}

std::vector<grader::CheckResult> run_at_home(const HomeChecks& checks,
                                             Implementation& implementation,
                                             const grader::Policy& policy) {
  checks.open->clear();
  std::vector<grader::CheckResult> results = grader::run_checks(
      checks.checks, attention_assignment::contract(), implementation, engine_options(policy),
      [&implementation](const std::vector<grader::CheckResult>&, std::size_t, const std::string&) {
        implementation.start_fresh();
      });
  for (grader::CheckResult& result : results) {
    const auto open = checks.open->find(result.id);
    if (open == checks.open->end()) continue;
    if (result.status == grader::CheckStatus::passed || lacks_a_witness(result)) {
      result.status = grader::CheckStatus::not_run;
      result.blocked_by = most_wanted(open->second);
      result.message = "Holds in the cases that can be judged at home so far.";
    } else if (result.status == grader::CheckStatus::not_run && result.blocked_by.empty()) {
      result.message = "No expected numbers are stored for its inputs.";
    }
  }
  return results;
}

Home::Home(const std::filesystem::path& stored)
    : numbers_(Numbers::load(stored / "numbers.bin")), policy_(read_texts(stored / "texts.txt")) {}

HomeChecks Home::checks(const std::vector<std::string>& wanted) const {
  HomeChecks chosen = checks_at_home(trusted_, policy_);
  std::erase_if(chosen.checks,
                [&wanted](const Check& check) { return !is_wanted(check.id, wanted); });
  return chosen;
}

}  // namespace attention_home
