#include "home/numbers.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace attention_home {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is stored little endian");

constexpr std::array<char, 8> kMagic = {'A', 'T', 'T', 'N', 'N', 'U', 'M', '1'};
constexpr std::size_t kHeaderBytes = kMagic.size() + sizeof(std::uint64_t);
constexpr std::size_t kEntryHeaderBytes = 3 * sizeof(std::uint64_t);

/// Spreads every bit of `word` over all 64 (the finaliser of splitmix64).
std::uint64_t scramble(std::uint64_t word) {
  word ^= word >> 30U;
  word *= 0xbf58476d1ce4e5b9U;
  word ^= word >> 27U;
  word *= 0x94d049bb133111ebU;
  return word ^ (word >> 31U);
}

void write_word(std::ostream& stream, std::uint64_t word) {
  std::array<char, sizeof word> bytes{};
  std::memcpy(bytes.data(), &word, sizeof word);
  stream.write(bytes.data(), bytes.size());
}

/// Takes words and doubles off the front of a file's content.
class Content {
 public:
  Content(const std::string& bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  std::uint64_t word() {
    std::uint64_t value = 0;
    copy(&value, 1);
    return value;
  }
  std::vector<double> doubles(std::uint64_t count) {
    if (count > (bytes_.size() - position_) / sizeof(double)) broken();
    std::vector<double> values(count);
    copy(values.data(), values.size());
    return values;
  }
  void skip(std::size_t count) { position_ += count; }
  [[nodiscard]] bool finished() const { return position_ == bytes_.size(); }
  [[noreturn]] void broken() const {
    throw std::runtime_error(name_ + " is damaged: unpack the assignment's folder again");
  }

 private:
  template <class Word>
  void copy(Word* target, std::size_t count) {
    const std::size_t size = count * sizeof(Word);
    if (size > bytes_.size() - position_) broken();
    if (size != 0) std::memcpy(target, bytes_.data() + position_, size);
    position_ += size;
  }

  const std::string& bytes_;
  std::string name_;
  std::size_t position_ = 0;
};

}  // namespace

KeyBuilder::KeyBuilder(Question question) : key_(0x9e3779b97f4a7c15U, 0xc2b2ae3d27d4eb4fU) {
  mix(static_cast<std::uint64_t>(question));
}

KeyBuilder& KeyBuilder::add(std::int64_t value) {
  mix(static_cast<std::uint64_t>(value));
  return *this;
}

KeyBuilder& KeyBuilder::add(std::span<const double> values) {
  for (const double value : values) mix(std::bit_cast<std::uint64_t>(value));
  mix(values.size());
  return *this;
}

KeyBuilder& KeyBuilder::add(const grader::Matrix& matrix) {
  return add(matrix.rows).add(matrix.columns).add(std::span(matrix.entries));
}

void KeyBuilder::mix(std::uint64_t word) {
  key_.first = scramble(key_.first + word + 0x9e3779b97f4a7c15U);
  key_.second = scramble(std::rotl(key_.second, 23) ^ word) + key_.first;
}

const std::vector<double>* Numbers::find(const Key& key) const {
  const auto found = answers_.find(key);
  return found == answers_.end() ? nullptr : &found->second;
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): it is moved from
void Numbers::add(const Key& key, std::vector<double> answer) {
  const std::size_t size = kEntryHeaderBytes + answer.size() * sizeof(double);
  if (answers_.try_emplace(key, std::move(answer)).second) bytes_ += size;
}

void Numbers::save(const std::filesystem::path& file) const {
  std::ofstream stream(file, std::ios::binary);
  stream.write(kMagic.data(), kMagic.size());
  write_word(stream, answers_.size());
  for (const auto& [key, answer] : answers_) {
    write_word(stream, key.first);
    write_word(stream, key.second);
    write_word(stream, answer.size());
    for (const double value : answer) write_word(stream, std::bit_cast<std::uint64_t>(value));
  }
  stream.close();
  if (!stream) throw std::runtime_error("cannot write " + file.string());
}

Numbers Numbers::load(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  Content content(bytes, file.string());
  if (bytes.size() < kHeaderBytes || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
    content.broken();
  }
  content.skip(kMagic.size());
  Numbers numbers;
  for (std::uint64_t left = content.word(); left > 0; --left) {
    const std::uint64_t first = content.word();
    const std::uint64_t second = content.word();
    numbers.add({first, second}, content.doubles(content.word()));
  }
  if (!content.finished()) content.broken();
  return numbers;
}

}  // namespace attention_home
