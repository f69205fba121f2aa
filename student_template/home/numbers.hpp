// Expected numbers that were recorded when the student's folder was made. A question is known by
// all of its arguments, bit for bit; what is stored is the answer alone, as a list of doubles.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "grader/contract/value.hpp"

namespace attention_home {

/// What was asked: the first number of every key.
enum class Question : std::uint8_t { shape_ledger = 1, attention, softmax, entropy, project };

/// 128 bits that stand for a question and its arguments. Not a cryptographic digest: the numbers
/// are the student's own copy, and nothing is gained by a collision.
using Key = std::pair<std::uint64_t, std::uint64_t>;

class KeyBuilder {
 public:
  explicit KeyBuilder(Question question);
  KeyBuilder& add(std::int64_t value);
  KeyBuilder& add(std::span<const double> values);
  KeyBuilder& add(const grader::Matrix& matrix);
  [[nodiscard]] Key key() const { return key_; }

 private:
  void mix(std::uint64_t word);
  Key key_;
};

class Numbers {
 public:
  /// The stored answer, or nullptr. Valid until the next add().
  [[nodiscard]] const std::vector<double>* find(const Key& key) const;
  void add(const Key& key, std::vector<double> answer);
  [[nodiscard]] std::size_t size() const { return answers_.size(); }
  /// Bytes that save() writes.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  /// One file, little endian, the same bytes for the same content. Throws std::runtime_error.
  void save(const std::filesystem::path& file) const;
  static Numbers load(const std::filesystem::path& file);

 private:
  std::map<Key, std::vector<double>> answers_;
  std::size_t bytes_ = 0;
};

}  // namespace attention_home
