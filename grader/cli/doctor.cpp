#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/sandbox/isolation.hpp"

namespace grader::cli {

int run(const DoctorCommand& /*command*/, Console& console) {
  const Isolation isolation = probe_isolation();
  std::string text = "isolation " + isolation.level + "\n";
  for (const std::string& layer : isolation.missing) text += "missing: " + layer + "\n";
  console.result(text);
  return kDone;
}

}  // namespace grader::cli
