// The two keys of an instructor: one signs scorecards, the other lets anybody see that a signature
// holds. Ed25519, in the PEM files that openssl reads and writes.
#pragma once

#include <openssl/types.h>

#include <filesystem>
#include <memory>
#include <string>

namespace grader {

struct KeyFiles {
  std::filesystem::path signing;  ///< secret: only its owner may read it
  std::filesystem::path open;     ///< for everybody who wants to verify
};

/// A key of OpenSSL's that frees itself.
using KeyHandle = std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)>;

/// Makes a new pair: `directory`/signing-key.pem and `directory`/public-key.pem. Throws UsageFault
/// when one of them is there already, also without the other, EnvironmentFault when they cannot be
/// written; then neither is.
KeyFiles make_keys(const std::filesystem::path& directory);

/// The key in a signing-key.pem. Throws UsageFault when it is no such key, is protected by a
/// passphrase, or may be read by others than its owner.
KeyHandle read_signing_key(const std::filesystem::path& file);

/// The key in a public-key.pem. Throws UsageFault.
KeyHandle read_public_key(const std::filesystem::path& file);

/// What identifies a pair, the same for both keys: SHA-256 of the public key as DER, as
/// `openssl pkey -pubin -in public-key.pem -outform DER | sha256sum` prints it.
std::string key_id(EVP_PKEY& key);

}  // namespace grader
