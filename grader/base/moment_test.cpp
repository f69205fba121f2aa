#include "grader/base/moment.hpp"

#include <gtest/gtest.h>

namespace grader {
namespace {

// `date -u -d 2026-11-30T22:59:00 +%s`
constexpr std::int64_t kDue = 1796079540;

TEST(MomentTest, ReadsWhatPeopleAndProgramsWrite) {
  for (const char* text : {"2026-11-30T23:59:00+01:00", "2026-11-30T22:59:00Z",
                           "2026-11-30 23:59:00 +0100", "2026-11-30T23:59+01:00",
                           "2026-11-30 14:59:00.123456000 -08:00", "2026-11-30 22:59:00.5 Z"}) {
    const auto moment = parse_moment(text);
    ASSERT_TRUE(moment) << text;
    EXPECT_EQ(moment->seconds, kDue) << text;
  }
  EXPECT_EQ(parse_moment("2026-11-30T23:59:00+01:00")->utc_offset, 3600);
  EXPECT_EQ(parse_moment("2028-02-29T00:00:00-03:30")->utc_offset, -12600);
}

TEST(MomentTest, GuessesNothing) {
  for (const char* text :
       {"", "2026-11-30", "2026-11-30T23:59:00", "30.11.2026 23:59 +01:00", "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-11-31T00:00:00Z", "2026-11-30T24:00:00Z",
        "2026-11-30T23:60:00Z", "2026-11-30T23:59:00+99:00", "2026-11-30T23:59:00+01:00 or so",
        "2026-11-30T23:59:0Z", "1969-12-31T23:59:59Z", "+026-11-30T23:59:00Z",
        "2026-11-30T23:59:00+1:00", "2026-11-30T-1:59:00Z"}) {
    EXPECT_FALSE(parse_moment(text)) << text;
  }
}

TEST(MomentTest, ShowsTheClockOfItsOffset) {
  EXPECT_EQ(moment_text(kDue, 3600), "2026-11-30 23:59 (UTC+01:00)");
  EXPECT_EQ(moment_text(kDue, 0), "2026-11-30 22:59 (UTC+00:00)");
  EXPECT_EQ(moment_text(kDue, -12600), "2026-11-30 19:29 (UTC-03:30)");
  EXPECT_EQ(moment_text(0, -3600), "1969-12-31 23:00 (UTC-01:00)");
}

}  // namespace
}  // namespace grader
