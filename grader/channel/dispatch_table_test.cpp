#include "grader/channel/dispatch_table.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <stdexcept>
#include <string>

#include "grader/channel/eigen.hpp"
#include "grader/channel/in_process.hpp"

namespace lesson {

using Table = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ColumnTable = Eigen::MatrixXd;
using Row = Eigen::RowVectorXd;

struct Place {
  std::int64_t row = 0;
  bool marked = false;
};
struct Picture {
  Table table;
  Place place;
};

Picture paint(const Table& table, std::int64_t row) { return {table * 2, {row, true}}; }
double third(double number) { return number / 3; }
ColumnTable transpose(const ColumnTable& table) { return table.transpose(); }
Row fail(const Row& row) {
  if (row.size() == 0) {
    throw 42;
  }
  throw std::logic_error(std::string(static_cast<std::size_t>(row[0]), 'x'));
}
Table grow(std::int64_t size) { return Table::Zero(size, size); }
double round_upward(double number) {
  std::fesetround(FE_UPWARD);
  return number;
}

}  // namespace lesson

template <>
struct grader::Members<lesson::Place> {
  static constexpr auto list = std::tuple{&lesson::Place::row, &lesson::Place::marked};
};
template <>
struct grader::Members<lesson::Picture> {
  static constexpr auto list = std::tuple{&lesson::Picture::table, &lesson::Picture::place};
};

namespace grader {
namespace {

const Type kInteger{Kind::integer, {}};
const Type kNumber{Kind::number, {}};
const Type kRow{Kind::row_vector, {}};
const Type kTable{Kind::matrix, {}};
const Type kPlace{Kind::record, {{"row", kInteger}, {"marked", {Kind::boolean, {}}}}};
const Type kPicture{Kind::record, {{"table", kTable}, {"place", kPlace}}};

const Contract kContract{
    {"paint", {{"table", kTable}, {"row", kInteger}}, kPicture},
    {"third", {{"number", kNumber}}, kNumber},
    {"transpose", {{"table", kTable}}, kTable},
    {"fail", {{"row", kRow}}, kRow},
    {"grow", {{"size", kInteger}}, kTable},
    {"round_upward", {{"number", kNumber}}, kNumber},
    {"absent", {}, kNumber},
};

class DispatchTest : public testing::Test {
 protected:
  InProcessImplementation implementation_{
      kContract,
      &dispatch<&lesson::paint, &lesson::third, &lesson::transpose, &lesson::fail, &lesson::grow,
                &lesson::round_upward>,
      4096};
};

Matrix two_by_three() {
  Matrix table(2, 3);
  for (std::size_t index = 0; index < 6; ++index) {
    table.entries[index] = static_cast<double>(index);
  }
  return table;
}

TEST_F(DispatchTest, ReturnsNestedStructs) {
  const Outcome outcome = implementation_.call(0, {two_by_three(), std::int64_t{7}});
  ASSERT_EQ(outcome.ending, Ending::returned);
  ASSERT_TRUE(has_type(outcome.value, kPicture));
  const auto& picture = std::get<Record>(outcome.value);
  EXPECT_EQ(std::get<Matrix>(*member(picture, "table"))(1, 2), 10.0);
  const auto& place = std::get<Record>(*member(picture, "place"));
  EXPECT_EQ(std::get<std::int64_t>(*member(place, "row")), 7);
  EXPECT_TRUE(std::get<bool>(*member(place, "marked")));
}

TEST_F(DispatchTest, KeepsRowMajorOrderForColumnMajorTypes) {
  const Outcome outcome = implementation_.call(2, {two_by_three()});
  const auto& table = std::get<Matrix>(outcome.value);
  ASSERT_EQ(table.rows, 3);
  EXPECT_EQ(table(0, 1), 3.0);
  EXPECT_EQ(table(2, 0), 2.0);
}

TEST_F(DispatchTest, TurnsExceptionsIntoOutcomes) {
  const Outcome named = implementation_.call(3, {RowVector{{5.0}}});
  EXPECT_EQ(named.ending, Ending::threw);
  EXPECT_EQ(named.message, "xxxxx");
  const Outcome foreign = implementation_.call(3, {RowVector{}});
  EXPECT_EQ(foreign.ending, Ending::threw);
}

TEST_F(DispatchTest, CutsLongExceptionTexts) {
  // The limit of 4096 bytes for an answer leaves no room for the whole of a 4096-byte text.
  InProcessImplementation roomy{
      kContract, &dispatch<&lesson::paint, &lesson::third, &lesson::transpose, &lesson::fail>};
  EXPECT_EQ(roomy.call(3, {RowVector{{1e6}}}).message.size(), wire::kLongestMessage);
}

TEST_F(DispatchTest, RefusesResultsLargerThanAllowed) {
  EXPECT_EQ(implementation_.call(4, {std::int64_t{10}}).ending, Ending::returned);
  EXPECT_EQ(implementation_.call(4, {std::int64_t{100}}).ending, Ending::malformed);
}

TEST_F(DispatchTest, ResetsRoundingBeforeEachCall) {
  const double expected = 1.0 / 3;
  ASSERT_EQ(implementation_.call(5, {1.0}).ending, Ending::returned);
  EXPECT_EQ(std::get<double>(implementation_.call(1, {1.0}).value), expected);
  std::fesetround(FE_TONEAREST);
}

TEST_F(DispatchTest, AnswersMalformedToAnUnknownFunction) {
  EXPECT_EQ(implementation_.call(6, {}).ending, Ending::malformed);
}

TEST_F(DispatchTest, CountsCalls) {
  implementation_.call(1, {1.0});
  implementation_.call(3, {RowVector{}});
  EXPECT_EQ(implementation_.calls_made(), 2U);
}

TEST(DispatchNoRoomTest, ReportsZeroBytesWhenNothingFits) {
  unsigned char request[16];
  wire::Writer writer(request, sizeof request);
  writer.number(std::uint32_t{1});
  Transfer<double>::write(writer, 1.0);
  unsigned char response[2];
  EXPECT_EQ((dispatch<&lesson::third>(0, request, writer.size(), response, sizeof response)), 0U);
}

}  // namespace
}  // namespace grader
