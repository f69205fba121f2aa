// The checks as they run on the student's machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
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

/// Cases that stayed open because nothing is stored for them: check id → id of the check that has
/// to pass first → cases.
using OpenCases = std::map<std::string, std::map<std::string, std::int64_t>>;

struct HomeChecks {
  std::vector<grader::Check> checks;
  std::shared_ptr<OpenCases> open = std::make_shared<OpenCases>();  ///< filled as checks run
};

/// The lesson's checks over `trusted`, in the order of `policy`. A question that nothing is stored
/// for leaves its case unjudged and names the check that has to pass first.
[[nodiscard]] HomeChecks checks_at_home(const Trusted& trusted, const grader::Policy& policy);

/// Runs `checks` one after the other, each from a fresh state of `implementation`. A check that
/// holds in what could be judged, while other cases stayed open, has not passed yet, nor failed for
/// want of a witness: it is not run, blocked by the check that most of them wait for.
[[nodiscard]] std::vector<grader::CheckResult> run_at_home(const HomeChecks& checks,
                                                           grader::Implementation& implementation,
                                                           const grader::Policy& policy);

/// What a student's folder holds in checks/stored, loaded.
class Home {
 public:
  /// Reads numbers.bin and texts.txt of `stored`. Throws std::runtime_error.
  explicit Home(const std::filesystem::path& stored);

  [[nodiscard]] const grader::Policy& policy() const { return policy_; }
  /// All checks, or those whose id is one of `wanted` or begins with one of them and a dot.
  [[nodiscard]] HomeChecks checks(const std::vector<std::string>& wanted) const;

 private:
  Numbers numbers_;
  StoredTrusted trusted_{numbers_};
  grader::Policy policy_;
};

}  // namespace attention_home
