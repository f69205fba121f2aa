#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/signature/keys.hpp"

namespace grader::cli {

int run(const KeygenCommand& command, Console& console) {
  const KeyFiles files = make_keys(command.directory);
  console.result("secret key  " + files.signing.string() + "\npublic key  " + files.open.string() +
                 "\nid          " + key_id(*read_public_key(files.open)) + "\n");
  return kDone;
}

}  // namespace grader::cli
