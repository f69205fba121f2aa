#include "grader/pipeline/configuration.hpp"

#include "grader/base/digest.hpp"
#include "grader/build/toolchain.hpp"
#include "grader/scorecard/names.hpp"

namespace grader {

std::string configuration_digest(const LoadedAssignment& assignment, const GradeOptions& options,
                                 const std::string& toolchain) {
  const Policy& policy = assignment.policy;
  Digest digest;
  digest.add(grader_version())
      .add(std::to_string(kScorecardVersion))
      .add(assignment.digest)
      .add(std::to_string(options.seed.value_or(policy.seed)))
      .add(std::to_string(options.cases.value_or(policy.cases)))
      .add(name_of(options.hint_level.value_or(policy.hint_level)))
      .add(toolchain);
  if (!assignment.examples.empty()) digest.add(assignment.examples);
  return digest.hex();
}

std::string configuration_here(const LoadedAssignment& assignment, const GradeOptions& options) {
  return configuration_digest(assignment, options,
                              describe_toolchain(find_toolchain(assignment), assignment));
}

}  // namespace grader
