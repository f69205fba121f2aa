// The checks as they run on the student's machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/assignment/policy.hpp"
#include "grader/contract/implementation.hpp"
#include "grader/engine/check.hpp"
#include "grader/engine/check_result.hpp"
#include "grader/engine/engine.hpp"
#include "home/numbers.hpp"
#include "home/stored_trusted.hpp"

namespace attention_home {

/// The lesson's checks over `trusted`, in the order of `policy`. A question that nothing is stored
/// for leaves its case unjudged and names the check that has to pass first.
[[nodiscard]] std::vector<grader::Check> checks_at_home(const Trusted& trusted,
                                                        const grader::Policy& policy);

/// Seed, cases and state check of `policy`.
[[nodiscard]] grader::EngineOptions engine_options(const grader::Policy& policy);

/// Runs `checks` one after the other, each from a fresh state of `implementation`.
[[nodiscard]] std::vector<grader::CheckResult> run_at_home(const std::vector<grader::Check>& checks,
                                                           grader::Implementation& implementation,
                                                           const grader::Policy& policy);

/// What a student's folder holds in checks/stored, loaded.
class Home {
 public:
  /// Reads numbers.bin and texts.txt of `stored`. Throws std::runtime_error.
  explicit Home(const std::filesystem::path& stored);

  [[nodiscard]] const grader::Policy& policy() const { return policy_; }
  /// All checks, or those whose id is one of `wanted` or begins with one of them and a dot.
  [[nodiscard]] std::vector<grader::Check> checks(const std::vector<std::string>& wanted) const;

 private:
  Numbers numbers_;
  StoredTrusted trusted_{numbers_};
  grader::Policy policy_;
};

}  // namespace attention_home
