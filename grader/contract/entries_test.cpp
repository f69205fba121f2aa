#include "grader/contract/entries.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "grader/contract/value.hpp"

namespace grader {
namespace {

TEST(Entries, CopiesShareTheirNumbersUntilOneIsChanged) {
  const Entries first = {1, 2, 3};
  Entries second = first;
  EXPECT_TRUE(second.is_shared_with(first));
  EXPECT_EQ(std::as_const(second).data(), first.data());
  second[1] = 7;
  EXPECT_FALSE(second.is_shared_with(first));
  EXPECT_EQ(first, (Entries{1, 2, 3}));
  EXPECT_EQ(second, (Entries{1, 7, 3}));
}

TEST(Entries, EveryWayToChangeNumbersLeavesTheOtherCopyAlone) {
  const auto unchanged_after = [](auto change) {
    Entries changed = {1, 2, 3};
    const Entries other = changed;
    change(changed);
    return other == Entries{1, 2, 3} && !(changed == other);
  };
  EXPECT_TRUE(unchanged_after([](Entries& numbers) { numbers.front() = 9; }));
  EXPECT_TRUE(unchanged_after([](Entries& numbers) { numbers.back() = 9; }));
  EXPECT_TRUE(unchanged_after([](Entries& numbers) { numbers.at(1) = 9; }));
  EXPECT_TRUE(unchanged_after([](Entries& numbers) { *numbers.begin() = 9; }));
  EXPECT_TRUE(unchanged_after([](Entries& numbers) { *(numbers.end() - 1) = 9; }));
  EXPECT_TRUE(unchanged_after([](Entries& numbers) { numbers.data()[2] = 9; }));
  EXPECT_TRUE(unchanged_after([](Entries& numbers) { numbers.push_back(9); }));
  EXPECT_TRUE(unchanged_after([](Entries& numbers) { numbers.pop_back(); }));
  EXPECT_TRUE(unchanged_after([](Entries& numbers) { numbers.resize(2); }));
  EXPECT_TRUE(unchanged_after([](Entries& numbers) { numbers.own().clear(); }));
  EXPECT_TRUE(unchanged_after([](Entries& numbers) { numbers = Entries(3, 9.0); }));
  EXPECT_TRUE(unchanged_after([](Entries& numbers) {
    for (double& number : numbers) number *= 2;
  }));
}

TEST(Entries, NumbersThatNobodySharesAreChangedInPlace) {
  Entries numbers = {1, 2, 3};
  const double* const before = std::as_const(numbers).data();
  numbers[0] = 4;
  auto copy = std::make_unique<Entries>(numbers);
  copy.reset();
  numbers[0] = 5;
  EXPECT_EQ(std::as_const(numbers).data(), before);
}

TEST(Entries, NoneIsAnOrdinaryNumberOfEntries) {
  const Entries none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.begin(), none.end());
  EXPECT_EQ(none, Entries(std::vector<double>{}));
  Entries filled;
  filled.push_back(1);
  EXPECT_EQ(filled, (Entries{1}));
  const Entries taken = std::move(filled);
  EXPECT_EQ(taken.size(), 1U);
}

TEST(Entries, ReadingAMatrixCopiesNothing) {
  const Matrix matrix(2, 3, 1.0);
  Matrix copy = matrix;
  double sum = 0;
  for (const double entry : std::as_const(copy).entries) sum += entry;
  EXPECT_EQ(sum, 6);
  EXPECT_TRUE(copy.entries.is_shared_with(matrix.entries));
  copy(1, 2) = 4;
  EXPECT_EQ(matrix(1, 2), 1);
  EXPECT_EQ(copy(1, 2), 4);
}

}  // namespace
}  // namespace grader
