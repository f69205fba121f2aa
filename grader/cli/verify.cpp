#include "grader/base/plain_text.hpp"
#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/report/number_text.hpp"
#include "grader/signature/keys.hpp"
#include "grader/signature/signature.hpp"

namespace grader::cli {

int run(const VerifyCommand& command, Console& console) {
  constexpr std::size_t kLongestName = 400;
  const KeyHandle key = read_public_key(command.key);
  std::size_t all = 0;
  std::size_t held = 0;
  for (const std::filesystem::path& scorecard : scorecards_of(command.source)) {
    const SignatureVerdict verdict = verdict_on(scorecard, *key);
    ++all;
    if (verdict.state == SignatureState::holds) {
      ++held;
    } else {
      console.result(plain_line(scorecard.string(), kLongestName) + ": " + verdict.reason + "\n");
    }
  }
  const std::string scorecards = counted(all, "scorecard");
  console.result(held == all
                     ? scorecards + ", as signed.\n"
                     : std::to_string(all - held) + " of " + scorecards + " not as signed.\n");
  return held == all ? kDone : kNotAccepted;
}

}  // namespace grader::cli
