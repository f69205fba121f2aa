#include "grader/base/digest.hpp"

#include <openssl/evp.h>

#include <array>
#include <cstdint>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"

namespace grader {
namespace {

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new()) {
    require(context_ != nullptr && EVP_DigestInit_ex(context_, EVP_sha256(), nullptr) == 1);
  }
  ~Sha256() { EVP_MD_CTX_free(context_); }
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  Sha256& add(const void* bytes, std::size_t size) {
    require(EVP_DigestUpdate(context_, bytes, size) == 1);
    return *this;
  }

  /// Once.
  std::string hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned int size = 0;
    require(EVP_DigestFinal_ex(context_, bytes.data(), &size) == 1);
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (unsigned int index = 0; index < size; ++index) {
      text += kDigits[bytes.at(index) >> 4U];
      text += kDigits[bytes.at(index) & 0xFU];
    }
    return text;
  }

 private:
  static void require(bool is_done) {
    if (!is_done) throw InternalFault("SHA-256 is not available");
  }

  EVP_MD_CTX* context_;
};

}  // namespace

struct Digest::State {
  Sha256 sha256;
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
  state_->sha256.add(length.data(), length.size()).add(part.data(), part.size());
  return *this;
}

std::string Digest::hex() { return state_->sha256.hex(); }

std::string sha256_of_bytes(std::string_view bytes) {
  return Sha256().add(bytes.data(), bytes.size()).hex();
}

std::string sha256_of_file(const std::filesystem::path& file, std::size_t limit) {
  Sha256 sha256;
  read_in_pieces(file, limit,
                 [&](std::string_view piece) { sha256.add(piece.data(), piece.size()); });
  return sha256.hex();
}

}  // namespace grader
