#include "home/numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>

#include "grader/base/files.hpp"

namespace attention_home {
namespace {

Key key_of(std::vector<double> row) {
  return KeyBuilder(Question::softmax).add(std::span<const double>(row)).key();
}

TEST(NumbersTest, ReadBackEveryBit) {
  const grader::TemporaryDirectory directory;
  const auto file = directory.path() / "numbers.bin";
  const std::vector<double> answer = {-0.0, std::numeric_limits<double>::denorm_min(),
                                      -std::numeric_limits<double>::infinity(), 0.1};
  Numbers numbers;
  numbers.add(key_of({1.0}), answer);
  numbers.add(key_of({2.0}), {});
  numbers.save(file);
  EXPECT_EQ(std::filesystem::file_size(file), numbers.bytes() + 16);

  const Numbers loaded = Numbers::load(file);
  EXPECT_EQ(loaded.size(), 2U);
  const std::vector<double>* found = loaded.find(key_of({1.0}));
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(*found, answer);
  EXPECT_TRUE(std::signbit(found->front()));
  EXPECT_EQ(loaded.find(key_of({3.0})), nullptr);
}

TEST(NumbersTest, RefuseADamagedFile) {
  const grader::TemporaryDirectory directory;
  const auto file = directory.path() / "numbers.bin";
  Numbers numbers;
  numbers.add(key_of({1.0}), {1.0, 2.0});
  numbers.save(file);
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  EXPECT_THROW(Numbers::load(file), std::runtime_error);
  std::ofstream(file) << "something else";
  EXPECT_THROW(Numbers::load(file), std::runtime_error);
  EXPECT_THROW(Numbers::load(directory.path() / "absent"), std::runtime_error);
}

TEST(KeyBuilderTest, TellsApartWhatIsEqualAsNumbersOrInLength) {
  EXPECT_NE(key_of({0.0}), key_of({-0.0}));
  EXPECT_NE(key_of({1.0, 2.0}), key_of({2.0, 1.0}));
  EXPECT_NE(key_of({}), key_of({0.0}));
  const grader::Matrix tall(4, 1, 1.0);
  const grader::Matrix wide(1, 4, 1.0);
  EXPECT_NE(KeyBuilder(Question::attention).add(tall).key(),
            KeyBuilder(Question::attention).add(wide).key());
  EXPECT_NE(KeyBuilder(Question::attention).add(tall).key(),
            KeyBuilder(Question::project).add(tall).key());
}

}  // namespace
}  // namespace attention_home
