#include "grader/base/digest.hpp"

#include <openssl/evp.h>

#include <array>
#include <cstdint>

#include "grader/base/fault.hpp"

namespace grader {
namespace {

std::string finish(EVP_MD_CTX* context) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned int size = 0;
  if (EVP_DigestFinal_ex(context, bytes.data(), &size) != 1) throw InternalFault("SHA-256 failed");
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (unsigned int index = 0; index < size; ++index) {
    text += digits[bytes.at(index) >> 4U];
    text += digits[bytes.at(index) & 0xFU];
  }
  return text;
}

}  // namespace

struct Digest::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  State() {
    if (context == nullptr || EVP_DigestInit_ex(context, EVP_sha256(), nullptr) != 1) {
      throw InternalFault("SHA-256 is not available");
    }
  }
  ~State() { EVP_MD_CTX_free(context); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

Digest::Digest() : state_(std::make_unique<State>()) {}
Digest::~Digest() = default;
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;

Digest& Digest::add(std::string_view part) {
  std::array<unsigned char, 8> length{};
  for (std::size_t byte = 0; byte < length.size(); ++byte) {
    length.at(byte) = static_cast<unsigned char>(std::uint64_t{part.size()} >> (8 * byte));
  }
  EVP_DigestUpdate(state_->context, length.data(), length.size());
  EVP_DigestUpdate(state_->context, part.data(), part.size());
  return *this;
}

std::string Digest::hex() { return finish(state_->context); }

std::string sha256_of_bytes(std::string_view bytes) {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                  &EVP_MD_CTX_free);
  if (context == nullptr || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1 ||
      EVP_DigestUpdate(context.get(), bytes.data(), bytes.size()) != 1) {
    throw InternalFault("SHA-256 is not available");
  }
  return finish(context.get());
}

}  // namespace grader
