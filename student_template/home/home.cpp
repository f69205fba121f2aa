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

void leave_unknown_cases_open(Check& check) {
  check.judge = [judge = std::move(check.judge)](const Case& test_case,
                                                 Implementation& implementation) {
    try {
      return judge(test_case, implementation);
    } catch (const attention_assignment::NotStored& fault) {
      Judgement open;
      open.verdict = Judgement::Verdict::not_judged;
      open.blocked_by = fault.blocked_by();
      open.message = fault.what();
      return open;
    }
  };
}

bool is_wanted(const std::string& id, const std::vector<std::string>& wanted) {
  return wanted.empty() || std::ranges::any_of(wanted, [&id](const std::string& part) {
           return id == part || id.starts_with(part + ".");
         });
}

}  // namespace

std::vector<Check> checks_at_home(const Trusted& trusted, const grader::Policy& policy) {
  std::vector<Check> all = attention_assignment::all_checks(trusted);
  std::vector<Check> ordered;
  for (const grader::CheckPolicy& entry : policy.checks) {
    const auto found = std::ranges::find(all, entry.id, &Check::id);
    if (found == all.end()) throw std::runtime_error("there is no check " + entry.id);
    leave_unknown_cases_open(*found);
    ordered.push_back(std::move(*found));
  }
  return ordered;
}

grader::EngineOptions engine_options(const grader::Policy& policy) {
  grader::EngineOptions options;
  options.seed = policy.seed;
  options.cases = policy.cases;
  options.state_check = "purity.repeatable";
  return options;
}

std::vector<grader::CheckResult> run_at_home(const std::vector<Check>& checks,
                                             Implementation& implementation,
                                             const grader::Policy& policy) {
  return grader::run_checks(checks, attention_assignment::contract(), implementation,
                            engine_options(policy),
                            [&implementation](std::size_t, std::size_t, const std::string&) {
                              implementation.start_fresh();
                            });
}

Home::Home(const std::filesystem::path& stored)
    : numbers_(Numbers::load(stored / "numbers.bin")), policy_(read_texts(stored / "texts.txt")) {}

std::vector<Check> Home::checks(const std::vector<std::string>& wanted) const {
  std::vector<Check> chosen = checks_at_home(trusted_, policy_);
  std::erase_if(chosen, [&wanted](const Check& check) { return !is_wanted(check.id, wanted); });
  return chosen;
}

}  // namespace attention_home
