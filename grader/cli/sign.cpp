#include <cstdint>

#include "grader/base/fault.hpp"
#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/report/number_text.hpp"
#include "grader/signature/keys.hpp"
#include "grader/signature/signature.hpp"

namespace grader::cli {
namespace {

enum class Signed : std::uint8_t { now, before, refused };

Signed sign_one(const std::filesystem::path& scorecard, const SignCommand& command, EVP_PKEY& key,
                Console& console) {
  const SignatureVerdict before = verdict_on(scorecard, key);
  const auto refuse = [&](const std::string& reason) {
    console.note("Not signed: " + scorecard.string() + ": " + reason);
    return Signed::refused;
  };
  switch (before.state) {
    case SignatureState::holds: return Signed::before;
    case SignatureState::is_unsigned: break;
    case SignatureState::edited:
    case SignatureState::other_key:
    case SignatureState::damaged:
      // A new signature would hide what the old one tells.
      if (!command.signs_again) return refuse(before.reason + " (--again signs it as it is)");
      break;
    case SignatureState::unreadable:
    case SignatureState::scorecard_is_gone: return refuse(before.reason);
  }
  try {
    sign_file(scorecard, key);
  } catch (const UsageFault& fault) {
    return refuse(fault.what());
  }
  return Signed::now;
}

}  // namespace

int run(const SignCommand& command, Console& console) {
  const KeyHandle key = read_signing_key(command.key);
  std::size_t now = 0;
  std::size_t before = 0;
  std::size_t refused = 0;
  for (const std::filesystem::path& scorecard : scorecards_of(command.source)) {
    switch (sign_one(scorecard, command, *key, console)) {
      case Signed::now: ++now; break;
      case Signed::before: ++before; break;
      case Signed::refused: ++refused; break;
    }
  }
  std::string summary = counted(now, "scorecard") + " signed";
  if (before > 0) summary += ", " + std::to_string(before) + " signed before";
  if (refused > 0) summary += ", " + std::to_string(refused) + " not signed";
  console.result(summary + ".\n");
  return refused == 0 ? kDone : kPartly;
}

}  // namespace grader::cli
