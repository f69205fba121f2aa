// The signature of a scorecard: Ed25519 over its canonical JSON, in a file of its own beside it.
//
//   scorecard.json        unchanged by signing
//   scorecard.json.sig    {"schema_version": 1, "algorithm": "Ed25519", "key": …, "signature": …}
//
// `key` is key_id() of the pair, `signature` 64 bytes in hexadecimal. The key's id is there to tell
// a foreign signature from an edited scorecard in words; nothing but the signature proves anything.
#pragma once

#include <openssl/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

enum class SignatureState : std::uint8_t {
  holds,
  edited,            ///< the scorecard is not what was signed
  other_key,         ///< signed, but not with this key
  is_unsigned,       ///< there is no signature
  damaged,           ///< the file of the signature is not one
  unreadable,        ///< the scorecard is not JSON: truncated, say
  scorecard_is_gone  ///< there is a signature and no scorecard
};

struct SignatureVerdict {
  SignatureState state = SignatureState::is_unsigned;
  std::string reason;  ///< one sentence; empty when it holds
};

/// scorecard.json → scorecard.json.sig
std::filesystem::path signature_file(const std::filesystem::path& scorecard);

/// The text of the signature file of `document`, a JSON text. Throws UsageFault, calling it `name`,
/// when it is not one.
std::string signature_of(std::string_view document, const std::string& name, EVP_PKEY& signing_key);

/// Whether `signature`, the text of a signature file, is of `document` by the pair of `public_key`.
SignatureVerdict verdict_on(std::string_view document, std::string_view signature,
                            EVP_PKEY& public_key);

/// The same of a file and what lies beside it. Throws nothing for what is wrong with them.
SignatureVerdict verdict_on(const std::filesystem::path& scorecard, EVP_PKEY& public_key);

/// Signs `scorecard` as it is. Throws UsageFault when this version cannot read it as a scorecard,
/// EnvironmentFault when the signature cannot be written.
void sign_file(const std::filesystem::path& scorecard, EVP_PKEY& signing_key);

/// What `source` names: itself, or, when it is a folder, the scorecards in it and its folders, also
/// those of which only the signature is left; sorted. Follows no links and does not look into what
/// students handed in. Throws UsageFault when there are none.
std::vector<std::filesystem::path> scorecards_of(const std::filesystem::path& source);

}  // namespace grader
