#include "grader/lti/lti_fixture.hpp"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

namespace grader {
namespace {

std::string text_in(BIO* bio) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(bio, &bytes);
  std::string text(bytes, static_cast<std::size_t>(size));
  BIO_free(bio);
  return text;
}

KeyPair make_key_pair() {
  constexpr std::size_t kBits = 2048;
  EVP_PKEY* key = EVP_RSA_gen(kBits);
  BIO* private_half = BIO_new(BIO_s_mem());
  BIO* public_half = BIO_new(BIO_s_mem());
  PEM_write_bio_PrivateKey(private_half, key, nullptr, nullptr, 0, nullptr, nullptr);
  PEM_write_bio_PUBKEY(public_half, key);
  EVP_PKEY_free(key);
  return {text_in(private_half), text_in(public_half)};
}

}  // namespace

const KeyPair& key_pair(bool is_other) {
  static const KeyPair first = make_key_pair();
  if (!is_other) return first;
  static const KeyPair second = make_key_pair();
  return second;
}

}  // namespace grader
