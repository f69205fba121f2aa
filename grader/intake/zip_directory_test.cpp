#include "grader/intake/zip_directory.hpp"

#include <gtest/gtest.h>

#include "grader/intake/pack.hpp"

namespace grader {
namespace {

std::string two_files() {
  return Pack("zip").file("a.cpp", std::string(500, 'a')).file("b.cpp", "int b;").bytes();
}

std::string said_about(const std::string& bytes) {
  return zip_contradiction(bytes).value_or("none");
}

std::string changed(std::string bytes, std::size_t place, char value) {
  bytes.at(place) = value;
  return said_about(bytes);
}

TEST(ZipDirectoryTest, HonestZipsAgreeWithThemselves) {
  EXPECT_EQ(said_about(two_files()), "none");
  EXPECT_EQ(said_about(Pack("zip").bytes()), "none");
  EXPECT_EQ(said_about(Pack("zip").folder("a").file("a/b.cpp", "").bytes()), "none");
}

// A zip of which a program wrote all sizes before the data, stored; as from `zip -0`.
std::string with_sizes_before(const char* size_before) {
  std::string local = "PK\x03\x04\x0a";
  local.append(9, '\0').append("\x11\x22\x33\x44").append(size_before, 4).append("\1\0\0\0", 4);
  local.append("\1\0\0\0", 4).append("ax");
  std::string entry = "PK\x01\x02\x0a";
  entry.append(11, '\0').append("\x11\x22\x33\x44").append("\1\0\0\0\1\0\0\0\1\0", 10);
  entry.append(16, '\0').append("a");
  std::string end = "PK\x05\x06";
  end.append(4, '\0').append("\1\0\1\0", 4);
  end.push_back(static_cast<char>(entry.size()));
  end.append(3, '\0').push_back(static_cast<char>(local.size()));
  return local + entry + end.append(5, '\0');
}

TEST(ZipDirectoryTest, SizesBeforeTheDataAreComparedToo) {
  EXPECT_EQ(said_about(with_sizes_before("\1\0\0\0")), "none");
  EXPECT_EQ(said_about(with_sizes_before("\xff\xff\xff\xff")), "none");
  EXPECT_EQ(said_about(with_sizes_before("\2\0\0\0")),
            "is a zip that says two things about one file");
}

TEST(ZipDirectoryTest, EveryCutIsSeen) {
  const std::string bytes = two_files();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(said_about(bytes.substr(0, size)), "none") << size;
  }
}

TEST(ZipDirectoryTest, ContradictionsAreSeen) {
  const std::string bytes = two_files();
  const std::size_t directory = bytes.find("PK\x01\x02");
  const std::size_t end = bytes.find("PK\x05\x06");
  EXPECT_EQ(changed(bytes, bytes.find("a.cpp"), 'c'), "is a zip that calls one file by two names");
  EXPECT_EQ(changed(bytes, directory + 46, 'c'), "is a zip that calls one file by two names");
  for (const std::size_t place : {10U, 16U, 20U, 24U}) {  // method, checksum, both sizes
    EXPECT_EQ(changed(bytes, directory + place, '\x7e'),
              "is a zip that says two things about one file")
        << place;
  }
  EXPECT_EQ(changed(bytes, end + 8, 1), "is one part of a zip in several parts");
  EXPECT_EQ(changed(bytes, end + 12, 1), "is a zip whose directory is not where it says");
  EXPECT_EQ(said_about(bytes + "more"), "is a zip with something behind its end");
  std::string one_entry = bytes;
  one_entry[end + 8] = one_entry[end + 10] = 1;
  EXPECT_EQ(said_about(one_entry), "is a zip whose directory is longer than it says");
}

}  // namespace
}  // namespace grader
