#include "grader/fault_location/sanitizer_log.hpp"

#include <gtest/gtest.h>

namespace grader {
namespace {

const LineCounts kFiles = {{"attention.cpp", 50}, {"src/softmax.hpp", 9}};

std::optional<FaultLocation> found_in(std::string_view log) {
  return location_in(log, "/submission", kFiles);
}

constexpr std::string_view kOverflow =
    "==3==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000018 at pc 0x55\n"
    "READ of size 8 at 0x602000000018 thread T0\n"
    "    #0 0x55f1  (/proc/self/exe+0x4a1f)\n"
    "    #1 0x7fc9  (/lib/x86_64-linux-gnu/libc.so.6+0x27249)\n"
    "    #2 0x55f2  (/proc/self/exe+0x4b2)\n";

TEST(SanitizerLogTest, TheFirstPlaceInAFileThatWasHandedInCounts) {
  const auto location = found_in(
      "/usr/include/c++/12/bits/stl_vector.h:1123\n"
      "/submission/./src/softmax.hpp:7\n"
      "/submission/attention.cpp:31 (discriminator 2)\n");
  ASSERT_TRUE(location);
  EXPECT_EQ(location->file, "src/softmax.hpp");
  EXPECT_EQ(location->line, 7);
}

TEST(SanitizerLogTest, SaysWhatAnAccessDid) {
  EXPECT_EQ(access_in(kOverflow), "read of 8 bytes outside of an allocated block");
  EXPECT_EQ(access_in("AddressSanitizer: stack-overflow on address 0x7ff"),
            "the stack is full: a function calls itself without end");
}

TEST(SanitizerLogTest, TellsAFullStackFromOtherErrors) {
  EXPECT_TRUE(is_stack_overflow("==2==ERROR: AddressSanitizer: stack-overflow on address 0x7ff"));
  EXPECT_FALSE(is_stack_overflow(kOverflow));
}

TEST(SanitizerLogTest, AStackIsTheProgramsOwnAddresses) {
  EXPECT_EQ(stack_in(kOverflow), (std::vector<std::string>{"0x4a1f", "0x4b2"}));
  for (const std::string_view log : {"(/proc/self/exe+0x)", "(/proc/self/exe+0x; rm)",
                                     "(/proc/self/exe+0x1234567890abcdef)", "(/proc/self/exe+0x"}) {
    EXPECT_TRUE(stack_in(log).empty()) << log;
  }
}

TEST(SanitizerLogTest, SaysWhatIsUndefined) {
  constexpr std::string_view kLog =
      "/submission/attention.cpp:12:20: runtime error: signed integer overflow: 2147483647 + 1 "
      "cannot be represented in type 'int'\n";
  const auto location = found_in(kLog);
  ASSERT_TRUE(location);
  EXPECT_EQ(location->line, 12);
  EXPECT_EQ(access_in(kLog), "an integer overflows");
}

TEST(SanitizerLogTest, TakesNothingThatIsNotAPlaceInTheSubmission) {
  for (const std::string_view log :
       {"", "nothing of use", "/submission/", "/submission/attention.cpp",
        "/submission/other.cpp:3", "/submission/attention.cpp:0", "/submission/attention.cpp:51",
        "/submission/attention.cpp:-4", "/submission/attention.cpp:99999999999999999999999",
        "/submission/../etc/passwd:1", "/elsewhere/attention.cpp:3",
        "/submission/attention.cpp:\x1b[31m"}) {
    EXPECT_FALSE(found_in(log)) << log;
  }
}

TEST(SanitizerLogTest, TellsOnlyWordsOfItsOwn) {
  EXPECT_EQ(access_in("AddressSanitizer: you passed <b>\nREAD of size 8 bytes of secrets\n"), "");
}

}  // namespace
}  // namespace grader
