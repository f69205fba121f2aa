#include "grader/signature/keys.hpp"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <string_view>
#include <system_error>

#include "grader/base/digest.hpp"
#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kKeyLimit = std::size_t{1} << 16U;

using Stream = std::unique_ptr<BIO, int (*)(BIO*)>;

Stream stream_of(std::string_view bytes) {
  Stream stream(BIO_new_mem_buf(bytes.data(), static_cast<int>(bytes.size())), BIO_free);
  if (stream == nullptr) throw InternalFault("OpenSSL gave no stream");
  return stream;
}

// The text that `write` puts out.
template <class Write>
std::string pem(const Write& write) {
  const Stream stream(BIO_new(BIO_s_mem()), BIO_free);
  if (stream == nullptr || write(stream.get()) != 1) {
    throw InternalFault("OpenSSL cannot write a key");
  }
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(stream.get(), &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

// In place of OpenSSL's own, which asks whoever sits at the terminal.
int no_passphrase(char* /*buffer*/, int /*size*/, int /*writes*/, void* /*nothing*/) { return -1; }

KeyHandle ed25519(EVP_PKEY* key, const fs::path& file, const std::string& expected,
                  const std::string& hint) {
  KeyHandle owned(key, EVP_PKEY_free);
  if (owned == nullptr || EVP_PKEY_is_a(owned.get(), "ED25519") != 1) {
    throw UsageFault(file.string() + " is not " + expected + ".", hint);
  }
  return owned;
}

// Where one of the two is there, nobody may lose it: what it signed, or verifies, needs it.
void require_neither(const KeyFiles& files) {
  const auto is_there = [](const fs::path& file) {
    std::error_code error;
    return fs::exists(fs::symlink_status(file, error));
  };
  const bool can_sign = is_there(files.signing);
  const bool can_verify = is_there(files.open);
  const std::string signing = files.signing.string();
  const std::string open = files.open.string();
  if (can_sign && can_verify) {
    throw UsageFault(signing + " exists already.",
                     "Use these keys, or name another folder: what they signed needs them.");
  }
  if (can_sign) {
    throw UsageFault(signing + " is there without " + open + ".",
                     "If it is a whole key, `openssl pkey -in " + signing + " -pubout -out " +
                         open + "` makes the other one again; else remove it.");
  }
  if (can_verify) {
    throw UsageFault(open + " is there without " + signing + ".",
                     "Put the key that belongs to it back, or name another folder: what was signed "
                     "with that is verified by this one.");
  }
}

}  // namespace

KeyFiles make_keys(const fs::path& directory) {
  KeyFiles files{directory / "signing-key.pem", directory / "public-key.pem"};
  require_neither(files);
  const KeyHandle key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"), EVP_PKEY_free);
  if (key == nullptr) {
    throw EnvironmentFault("OpenSSL cannot make an Ed25519 key here.",
                           "Check that `openssl genpkey -algorithm ed25519` works.");
  }
  const std::string hint = "Name a folder that you may write to.";
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) {
    throw EnvironmentFault("Cannot make " + directory.string() + ": " + error.message() + ".",
                           hint);
  }
  const std::string secret = pem([&](BIO* stream) {
    return PEM_write_bio_PrivateKey(stream, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  });
  write_new_secret(files.signing, secret, hint);
  try {
    write_new(files.open, pem([&](BIO* stream) { return PEM_write_bio_PUBKEY(stream, key.get()); }),
              hint);
  } catch (const EnvironmentFault&) {
    fs::remove(files.signing, error);  // half a pair is of no use
    throw;
  }
  return files;
}

KeyHandle read_signing_key(const fs::path& file) {
  const std::string text = read_secret(file, kKeyLimit);
  std::string hint = "Name the signing-key.pem that `attention-grader keygen` made.";
  if (text.find("BEGIN ENCRYPTED PRIVATE KEY") != std::string::npos) {
    hint = "It is protected by a passphrase: decrypt it with `openssl pkey`.";
  } else if (text.find("BEGIN PUBLIC KEY") != std::string::npos) {
    hint = "It is the public one: name signing-key.pem, which `attention-grader keygen` made.";
  }
  const Stream stream = stream_of(text);
  return ed25519(PEM_read_bio_PrivateKey(stream.get(), nullptr, no_passphrase, nullptr), file,
                 "an Ed25519 key to sign with", hint);
}

KeyHandle read_public_key(const fs::path& file) {
  const std::string text = read_file(file, kKeyLimit);
  std::string hint = "Name the public-key.pem that `attention-grader keygen` made.";
  if (text.find("PRIVATE KEY-----") != std::string::npos) {
    hint = "It is the secret one: keep it, and name public-key.pem, which was made with it.";
  }
  const Stream stream = stream_of(text);
  return ed25519(PEM_read_bio_PUBKEY(stream.get(), nullptr, no_passphrase, nullptr), file,
                 "an Ed25519 public key", hint);
}

std::string key_id(EVP_PKEY& key) {
  unsigned char* bytes = nullptr;
  const int size = i2d_PUBKEY(&key, &bytes);
  if (size <= 0) throw InternalFault("OpenSSL cannot write a public key");
  std::string der(bytes, bytes + size);
  OPENSSL_free(bytes);
  return sha256_of_bytes(der);
}

}  // namespace grader
