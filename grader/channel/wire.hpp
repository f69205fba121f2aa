// The bytes that cross the border between the grader and a submission, and the two bounded cursors
// that write and read them. Compiled into every submission's shared object, so it stays light: no
// Eigen, no JSON, no grader values.
//
//   value      := tag, then
//     boolean      u8 (0 or 1)
//     integer      i64
//     number       f64
//     row_vector   i64 columns, f64 × columns
//     matrix       i64 rows, i64 columns, f64 × rows·columns in row-major order
//     record       u32 members, value × members in declaration order
//   request    := u32 arguments, value × arguments
//   response   := u8 Ending, then value (returned) or u32 length, bytes (threw, malformed)
//
// Numbers are in the machine's own byte order and unaligned: both ends run on the same machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace grader::wire {

/// First byte of every value; same numbers as grader::Kind.
enum class Tag : std::uint8_t { boolean, integer, number, row_vector, matrix, record };

/// First byte of every response; same numbers as grader::Ending. A process can tell only these
/// three of itself, the others are seen from outside.
enum class Answer : std::uint8_t { returned = 0, threw = 1, malformed = 6 };

/// No row or column count may exceed this, even of a matrix without entries: a reader that walks
/// the rows of a 2⁶² × 0 matrix would never end.
inline constexpr std::int64_t kLargestDimension = std::int64_t{1} << 24;

/// At most this much of an exception's text is sent.
inline constexpr std::size_t kLongestMessage = 4096;

/// Writes into a buffer of fixed size. What does not fit sets failed() and is not written; the
/// buffer is never left half a number past its end.
class Writer {
 public:
  Writer(unsigned char* buffer, std::size_t capacity) : buffer_(buffer), capacity_(capacity) {}

  void bytes(const void* source, std::size_t count) {
    if (failed_ || count > capacity_ - size_) {
      failed_ = true;
      return;
    }
    if (count != 0) {
      std::memcpy(buffer_ + size_, source, count);
    }
    size_ += count;
  }

  template <class Number>
  void number(Number value) {
    static_assert(std::is_arithmetic_v<Number>);
    bytes(&value, sizeof value);
  }

  void tag(Tag value) { number(static_cast<std::uint8_t>(value)); }

  /// `text` cut at kLongestMessage.
  void message(const char* text, std::size_t length) {
    const std::size_t kept = length < kLongestMessage ? length : kLongestMessage;
    number(static_cast<std::uint32_t>(kept));
    bytes(text, kept);
  }

  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  unsigned char* buffer_;
  std::size_t capacity_;
  std::size_t size_ = 0;
  bool failed_ = false;
};

/// Reads from a buffer that nobody is trusted to have filled well. Reading past the end, a wrong
/// tag or an impossible size sets failed(); what is returned then is zero.
class Reader {
 public:
  Reader(const unsigned char* buffer, std::size_t size) : buffer_(buffer), size_(size) {}

  /// The next `count` bytes, or nullptr.
  const unsigned char* bytes(std::size_t count) {
    if (failed_ || count > size_ - position_) {
      failed_ = true;
      return nullptr;
    }
    const unsigned char* start = buffer_ + position_;
    position_ += count;
    return start;
  }

  template <class Number>
  Number number() {
    static_assert(std::is_arithmetic_v<Number>);
    Number value{};
    if (const unsigned char* source = bytes(sizeof value)) {
      std::memcpy(&value, source, sizeof value);
    }
    return value;
  }

  void expect(Tag tag) {
    if (number<std::uint8_t>() != static_cast<std::uint8_t>(tag)) {
      failed_ = true;
    }
  }

  /// A row or column count.
  std::int64_t dimension() {
    const auto value = number<std::int64_t>();
    if (value < 0 || value > kLargestDimension) {
      failed_ = true;
      return 0;
    }
    return value;
  }

  /// The bytes of rows × columns doubles, or nullptr. Both counts are at most kLargestDimension, so
  /// that their product times eight fits.
  const unsigned char* doubles(std::int64_t rows, std::int64_t columns) {
    return bytes(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) *
                 sizeof(double));
  }

  bool boolean() {
    const auto value = number<std::uint8_t>();
    if (value > 1) {
      failed_ = true;
    }
    return value == 1;
  }

  void fail() { failed_ = true; }
  [[nodiscard]] bool failed() const { return failed_; }
  /// True when everything was read and nothing failed.
  [[nodiscard]] bool finished() const { return !failed_ && position_ == size_; }

 private:
  const unsigned char* buffer_;
  std::size_t size_;
  std::size_t position_ = 0;
  bool failed_ = false;
};

static_assert(kLargestDimension <= std::int64_t{1} << 30, "rows·columns·8 must fit 64 bits");
static_assert(sizeof(std::size_t) == 8, "sizes are computed in 64 bits");

}  // namespace grader::wire
