#include "grader/host/eager_wait.hpp"

#include <gtest/gtest.h>

namespace grader::host {
namespace {

TEST(EagerWait, SeesWhatIsThere) {
  EagerWait wait;
  int looks = 0;
  EXPECT_TRUE(wait.for_some_time([&] { return ++looks == 1; }));
  EXPECT_EQ(looks, 1);
}

TEST(EagerWait, GivesUpOnWhatDoesNotCome) {
  EagerWait wait;
  EXPECT_FALSE(wait.for_some_time([] { return false; }));
}

TEST(EagerWait, TriesEverMoreRarelyWhatIsInVain) {
  EagerWait wait;
  int tried = 0;
  for (int call = 0; call < 1000; ++call) {
    bool looked = false;
    wait.for_some_time([&] {
      looked = true;
      return false;
    });
    tried += looked ? 1 : 0;
  }
  EXPECT_LT(tried, 30);
  EXPECT_GE(tried, 1000 / 64);  // it never stops trying
}

TEST(EagerWait, TriesEachCallAgainOnceThatPaysOff) {
  EagerWait wait;
  for (int call = 0; call < 1000; ++call) wait.for_some_time([] { return false; });
  for (int call = 0; call < 200; ++call) wait.for_some_time([] { return true; });
  EXPECT_TRUE(wait.for_some_time([] { return true; }));
  EXPECT_TRUE(wait.for_some_time([] { return true; }));
}

}  // namespace
}  // namespace grader::host
