#include "grader/fault_location/unset_memory.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

namespace grader {
namespace {

const double kLocal = std::bit_cast<double>(std::uint64_t{0xfefefefefefefefe});
const double kBlock = std::bit_cast<double>(std::uint64_t{0x7f7f7f7f7f7f7f7f});

std::vector<CheckResult> failed_with(const Value& returned) {
  CheckResult result;
  result.status = CheckStatus::failed;
  result.message = "It is wrong.";
  result.minimal.emplace();
  result.minimal->judgement.returned = {{"output", returned}};
  return {result};
}

TEST(UnsetMemoryTest, IsSeenWhereverItIs) {
  EXPECT_TRUE(holds_unset_number(kLocal));
  EXPECT_TRUE(holds_unset_number(kLocal + 1.5)) << "a sum that began with it";
  EXPECT_TRUE(holds_unset_number(RowVector{{0.5, kBlock}}));
  Matrix matrix(2, 2, 1.0);
  EXPECT_FALSE(holds_unset_number(matrix));
  matrix(1, 1) = kLocal;
  EXPECT_TRUE(holds_unset_number(Record{{{"weights", Matrix(2, 2)}, {"output", matrix}}}));
}

TEST(UnsetMemoryTest, IsNotSeenInWhatSubmissionsCompute) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  for (const double number :
       {0.0, -0.0, 1e300, -1e303, kLargest, -kLargest, kLocal / 2,
        std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_FALSE(holds_unset_number(number)) << number;
  }
  EXPECT_FALSE(holds_unset_number(true));
  EXPECT_FALSE(holds_unset_number(std::int64_t{-1}));
}

TEST(UnsetMemoryTest, IsToldOfWrongAnswersAlone) {
  auto results = failed_with(kLocal);
  tell_unset_memory(results);
  EXPECT_TRUE(results[0].message.starts_with("It is wrong. A number in the answer"));
  EXPECT_NE(results[0].message.find("on which line is unknown"), std::string::npos);

  auto right = failed_with(kLocal);
  right[0].status = CheckStatus::passed;
  tell_unset_memory(right);
  EXPECT_EQ(right[0].message, "It is wrong.");
  auto other = failed_with(2.0);
  tell_unset_memory(other);
  EXPECT_EQ(other[0].message, "It is wrong.");
}

}  // namespace
}  // namespace grader
