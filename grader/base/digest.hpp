// SHA-256, for the identity of submissions, assignments and configurations.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace grader {

/// An incremental SHA-256. Feed length-prefixed parts so that ("ab","c") and ("a","bc") differ.
class Digest {
 public:
  Digest();
  ~Digest();
  Digest(Digest&&) noexcept;
  Digest& operator=(Digest&&) noexcept;

  /// Adds the length of `part` and its bytes.
  Digest& add(std::string_view part);
  /// The digest of all parts as 64 lower-case hexadecimal digits. Call once.
  std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// SHA-256 of exactly these bytes (no length prefix), as `sha256sum` prints it.
std::string sha256_of_bytes(std::string_view bytes);

/// The same of what a file holds. Throws as read_file does.
std::string sha256_of_file(const std::filesystem::path& file, std::size_t limit);

}  // namespace grader
