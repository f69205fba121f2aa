// The key by which a tool proves to a learning platform who it is.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace grader {

/// An RSA key of at least 2048 bits.
class PrivateKey {
 public:
  /// Reads PEM. `name` is what messages call it. Throws UsageFault when it is no such key, or is
  /// encrypted: nobody is there to be asked for the password.
  PrivateKey(std::string_view pem, const std::string& name);
  ~PrivateKey();
  PrivateKey(PrivateKey&&) noexcept;
  PrivateKey& operator=(PrivateKey&&) noexcept;

  /// The RSASSA-PKCS1-v1_5 signature over the SHA-256 of `bytes` (RS256 of RFC 7518).
  [[nodiscard]] std::string sign(std::string_view bytes) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The key in `file`, which must belong to this user (or root) and be closed to all others. Throws
/// UsageFault.
PrivateKey read_private_key(const std::filesystem::path& file);

}  // namespace grader
