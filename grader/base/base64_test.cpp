#include "grader/base/base64.hpp"

#include <gtest/gtest.h>

namespace grader {
namespace {

TEST(Base64Test, TheVectorsOfTheStandardHold) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Base64Test, EveryByteIsTakenAsItIs) {
  EXPECT_EQ(base64(std::string_view("\xff\xfe\x00\x80", 4)), "//4AgA==");
}

}  // namespace
}  // namespace grader
