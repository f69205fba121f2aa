#include "grader/fault_location/places.hpp"

#include <gtest/gtest.h>

namespace grader {
namespace {

const LineCounts kFiles = {{"attention.cpp", 50}, {"src/softmax.hpp", 9}};

std::optional<FaultLocation> found_in(std::string_view log) {
  return location_in(log, "/submission", kFiles);
}

TEST(PlacesTest, TheFirstPlaceInAFileThatWasHandedInCounts) {
  const auto location = found_in(
      "/usr/include/c++/12/bits/stl_vector.h:1123\n"
      "/submission/./src/softmax.hpp:7\n"
      "/submission/attention.cpp:31 (discriminator 2)\n");
  ASSERT_TRUE(location);
  EXPECT_EQ(location->file, "src/softmax.hpp");
  EXPECT_EQ(location->line, 7);
}

TEST(PlacesTest, AddressesAreTheProgramsOwn) {
  EXPECT_EQ(addresses_in("    #0 0x55f1  (/proc/self/exe+0x4a1f)\n"
                         "    #1 0x7fc9  (/lib/x86_64-linux-gnu/libc.so.6+0x27249)\n"
                         "    #2 0x55f2  (/proc/self/exe+0x4b2)\n"),
            (std::vector<std::string>{"0x4a1f", "0x4b2"}));
  for (const std::string_view log : {"(/proc/self/exe+0x)", "(/proc/self/exe+0x; rm)",
                                     "(/proc/self/exe+0x1234567890abcdef)", "(/proc/self/exe+0x"}) {
    EXPECT_TRUE(addresses_in(log).empty()) << log;
  }
}

TEST(PlacesTest, EachAddressHasItsChainWithoutForeignFiles) {
  const auto chains = chains_in(
      "0x0000000000001211\n"
      "/usr/include/c++/12/bits/stl_vector.h:988\n"
      "/submission/src/softmax.hpp:7 (discriminator 3)\n"
      "/submission/attention.cpp:31\n"
      "0x0000000000001300\n"
      "??:0\n",
      "/submission", kFiles);
  ASSERT_EQ(chains.size(), 2U);
  ASSERT_EQ(chains[0].size(), 2U);
  EXPECT_EQ(chains[0][0].file, "src/softmax.hpp");
  EXPECT_EQ(chains[0][1].line, 31);
  EXPECT_TRUE(chains[1].empty());
  EXPECT_TRUE(chains_in("", "/submission", kFiles).empty());
  EXPECT_TRUE(chains_in("/submission/attention.cpp:3\n", "/submission", kFiles).empty())
      << "a place before any address";
}

TEST(PlacesTest, TakesNothingThatIsNotAPlaceInTheSubmission) {
  for (const std::string_view log :
       {"", "nothing of use", "/submission/", "/submission/attention.cpp",
        "/submission/other.cpp:3", "/submission/attention.cpp:0", "/submission/attention.cpp:51",
        "/submission/attention.cpp:-4", "/submission/attention.cpp:99999999999999999999999",
        "/submission/../etc/passwd:1", "/elsewhere/attention.cpp:3",
        "/submission/attention.cpp:\x1b[31m", "/submission/<img src=x>.cpp:3",
        "/submission/\x1b[31mattention.cpp:3", "/submission/attention.cpp\n:3"}) {
    EXPECT_FALSE(found_in(log)) << log;
  }
}

}  // namespace
}  // namespace grader
