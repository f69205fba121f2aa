#include "grader/fault_location/sanitizer_log.hpp"

#include <gtest/gtest.h>

namespace grader {
namespace {

constexpr std::string_view kOverflow =
    "==3==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000018 at pc 0x55\n"
    "READ of size 8 at 0x602000000018 thread T0\n"
    "    #0 0x55f1  (/proc/self/exe+0x4a1f)\n"
    "    #1 0x7fc9  (/lib/x86_64-linux-gnu/libc.so.6+0x27249)\n"
    "    #2 0x55f2  (/proc/self/exe+0x4b2)\n";

TEST(SanitizerLogTest, SaysWhatAnAccessDid) {
  EXPECT_EQ(access_in(kOverflow), "read of 8 bytes outside of an allocated block");
  EXPECT_EQ(access_in("AddressSanitizer: stack-overflow on address 0x7ff"),
            "the stack is full: a function calls itself without end");
}

TEST(SanitizerLogTest, TellsAFullStackFromOtherErrors) {
  EXPECT_TRUE(is_stack_overflow("==2==ERROR: AddressSanitizer: stack-overflow on address 0x7ff"));
  EXPECT_FALSE(is_stack_overflow(kOverflow));
}

TEST(SanitizerLogTest, OnlyTheLastReportIsTheSanitizers) {
  const std::string forged =
      "==1==ERROR: AddressSanitizer: heap-use-after-free\n"
      "    #0 0x55f1  (/proc/self/exe+0xbad)\n"
      "/submission/attention.cpp:1:1: runtime error: division by zero\n";
  const std::string log = forged + std::string(kOverflow);
  EXPECT_EQ(last_report_in(log), kOverflow);
  EXPECT_EQ(last_report_in("printed before\n/submission/attention.cpp:12:20: runtime error: x\n"),
            "/submission/attention.cpp:12:20: runtime error: x\n");
  EXPECT_EQ(last_report_in("nothing of that kind"), "");
}

TEST(SanitizerLogTest, SaysWhatIsUndefined) {
  constexpr std::string_view kLog =
      "/submission/attention.cpp:12:20: runtime error: signed integer overflow: 2147483647 + 1 "
      "cannot be represented in type 'int'\n";
  EXPECT_EQ(access_in(kLog), "an integer overflows");
}

TEST(SanitizerLogTest, TellsOnlyWordsOfItsOwn) {
  EXPECT_EQ(access_in("AddressSanitizer: you passed <b>\nREAD of size 8 bytes of secrets\n"), "");
}

}  // namespace
}  // namespace grader
