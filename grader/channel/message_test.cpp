#include "grader/channel/message.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "grader/base/fault.hpp"
#include "grader/channel/wire.hpp"

namespace grader {
namespace {

using Bytes = std::vector<unsigned char>;

const Type kMatrix{Kind::matrix, {}};
const Type kNumber{Kind::number, {}};
const Type kPair{Kind::record, {{"weights", kMatrix}, {"sum", kNumber}}};

/// Builds responses by hand, well formed or not.
class Response {
 public:
  template <class Number>
  Response& put(Number value) {
    const auto* source = reinterpret_cast<const unsigned char*>(&value);
    bytes_.insert(bytes_.end(), source, source + sizeof value);
    return *this;
  }
  Response& byte(int value) { return put(static_cast<unsigned char>(value)); }
  Response& matrix(std::int64_t rows, std::int64_t columns) {
    return byte(static_cast<int>(wire::Tag::matrix)).put(rows).put(columns);
  }
  [[nodiscard]] const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

/// Decodes from an allocation of exactly the right size, so that a sanitizer sees any step outside.
Outcome decode(const Type& type, const Bytes& bytes) {
  const std::unique_ptr<unsigned char[]> exact(new unsigned char[bytes.size()]);
  if (!bytes.empty()) {
    std::memcpy(exact.get(), bytes.data(), bytes.size());
  }
  return decode_outcome(type, std::span<const unsigned char>(exact.get(), bytes.size()));
}

Response well_formed() {
  Response response;
  response.byte(0).byte(static_cast<int>(wire::Tag::record)).put(std::uint32_t{2});
  response.matrix(2, 1).put(0.25).put(std::numeric_limits<double>::quiet_NaN());
  response.byte(static_cast<int>(wire::Tag::number)).put(-0.0);
  return response;
}

TEST(DecodeOutcomeTest, ReadsARecordWithItsNames) {
  const Outcome outcome = decode(kPair, well_formed().bytes());
  ASSERT_EQ(outcome.ending, Ending::returned);
  ASSERT_TRUE(has_type(outcome.value, kPair));
  const auto& record = std::get<Record>(outcome.value);
  const auto& weights = std::get<Matrix>(*member(record, "weights"));
  EXPECT_EQ(weights.rows, 2);
  EXPECT_EQ(weights.columns, 1);
  EXPECT_EQ(weights(0, 0), 0.25);
  EXPECT_TRUE(std::isnan(weights(1, 0)));
  EXPECT_TRUE(std::signbit(std::get<double>(*member(record, "sum"))));
}

TEST(DecodeOutcomeTest, RefusesEveryTruncation) {
  const Bytes whole = well_formed().bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(decode(kPair, part).ending, Ending::malformed) << size;
  }
}

TEST(DecodeOutcomeTest, RefusesTrailingBytes) {
  Response response = well_formed();
  response.byte(0);
  EXPECT_EQ(decode(kPair, response.bytes()).ending, Ending::malformed);
}

TEST(DecodeOutcomeTest, RefusesSizesThatOverflowOrCannotBe) {
  const std::int64_t huge = std::int64_t{1} << 62;
  for (const auto& [rows, columns] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {huge, 4},
           {4, huge},
           {std::int64_t{1} << 32, std::int64_t{1} << 32},
           {-1, -1},
           {-8, 1},
           {std::numeric_limits<std::int64_t>::min(), 1},
           {huge, 0},
           {0, huge},
           {wire::kLargestDimension, wire::kLargestDimension},
           {3, 1},
           {1, 3}}) {
    Response response;
    response.byte(0).matrix(rows, columns).put(1.0).put(2.0);
    EXPECT_EQ(decode(kMatrix, response.bytes()).ending, Ending::malformed)
        << rows << " × " << columns;
  }
}

TEST(DecodeOutcomeTest, AcceptsMatricesWithoutEntries) {
  Response response;
  response.byte(0).matrix(0, 5);
  const Outcome outcome = decode(kMatrix, response.bytes());
  ASSERT_EQ(outcome.ending, Ending::returned);
  EXPECT_EQ(std::get<Matrix>(outcome.value).columns, 5);
}

TEST(DecodeOutcomeTest, RefusesAnotherType) {
  Response response;
  response.byte(0).byte(static_cast<int>(wire::Tag::number)).put(1.0);
  EXPECT_EQ(decode(kMatrix, response.bytes()).ending, Ending::malformed);
  EXPECT_EQ(decode(kNumber, response.bytes()).ending, Ending::returned);
}

TEST(DecodeOutcomeTest, RefusesEndingsThatAProcessCannotClaim) {
  for (int ending = 0; ending < 256; ++ending) {
    Response response;
    response.byte(ending).put(std::uint32_t{0});
    const Outcome outcome = decode(kNumber, response.bytes());
    EXPECT_EQ(outcome.ending, ending == 1 ? Ending::threw : Ending::malformed) << ending;
  }
}

TEST(DecodeOutcomeTest, NeverTrustsAMessageLength) {
  Response response;
  response.byte(1).put(std::uint32_t{0xffffffff}).byte('x');
  EXPECT_EQ(decode(kNumber, response.bytes()).ending, Ending::malformed);
}

TEST(DecodeOutcomeTest, SurvivesArbitraryBytes) {
  std::uint64_t state = 88172645463325252U;
  for (int round = 0; round < 20'000; ++round) {
    Bytes bytes = round % 2 == 0 ? well_formed().bytes() : Bytes(40);
    const int changes = round % 2 == 0 ? 3 : 40;
    for (int change = 0; change < changes; ++change) {
      state ^= state << 13U;
      state ^= state >> 7U;
      state ^= state << 17U;
      bytes[state % bytes.size()] = static_cast<unsigned char>(state >> 32U);
    }
    const Outcome outcome = decode(kPair, bytes);
    if (outcome.ending == Ending::returned) {
      EXPECT_TRUE(has_type(outcome.value, kPair));
    }
  }
}

TEST(EncodeRequestTest, RefusesArgumentsOfAnotherType) {
  const Function function{"entropy", {{"weights", {Kind::row_vector, {}}}}, kNumber};
  Bytes request;
  EXPECT_THROW(encode_request(function, {}, request), InternalFault);
  EXPECT_THROW(encode_request(function, {Value(1.0)}, request), InternalFault);
  EXPECT_NO_THROW(encode_request(function, {Value(RowVector{{1.0}})}, request));
}

TEST(WriterTest, NeverWritesPastItsCapacity) {
  unsigned char buffer[8] = {0, 0, 0, 0, 0, 0, 0, 99};
  wire::Writer writer(buffer, 7);
  writer.number(std::uint32_t{1});
  writer.number(std::uint32_t{2});
  EXPECT_TRUE(writer.failed());
  EXPECT_EQ(writer.size(), 4U);
  writer.number(std::uint8_t{3});
  EXPECT_EQ(writer.size(), 4U) << "a failed writer stays failed";
  EXPECT_EQ(buffer[7], 99);
}

}  // namespace
}  // namespace grader
