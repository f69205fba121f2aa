#include "grader/lti/url.hpp"

#include <gtest/gtest.h>

namespace grader {
namespace {

TEST(UrlTest, OnlyHttpsWithAHostIsTaken) {
  EXPECT_TRUE(is_https_url("https://canvas.example.edu/api?x=1"));
  EXPECT_TRUE(is_https_url("https://localhost:8443"));
  for (const char* url :
       {"", "http://canvas.example.edu", "https://", "https:///path", "ftp://example.edu",
        "https://user:password@example.edu/", "https://example.edu/a b",
        "https://example.edu/\r\nX: y", "https://example.edu/#part", "https://ex\\ample.edu",
        "https://example.edu/\xc3\xa4"}) {
    EXPECT_FALSE(is_https_url(url)) << url;
  }
}

TEST(UrlTest, TheHostIsComparedInLowerCaseWithItsPort) {
  EXPECT_EQ(host_of("https://Canvas.Example.edu:8443/a?b"), "canvas.example.edu:8443");
  EXPECT_EQ(host_of("https://example.edu?x"), "example.edu");
}

TEST(UrlTest, AnEndingGoesBetweenPathAndQuery) {
  EXPECT_EQ(with_path_ending("https://m.example/17/lineitem?type_id=3", "scores"),
            "https://m.example/17/lineitem/scores?type_id=3");
  EXPECT_EQ(with_path_ending("https://c.example/line_items/17", "scores"),
            "https://c.example/line_items/17/scores");
  EXPECT_EQ(with_path_ending("https://c.example/line_items/17/", "scores"),
            "https://c.example/line_items/17/scores");
  EXPECT_EQ(with_path_ending("https://c.example/17?a=/b?c", "scores"),
            "https://c.example/17/scores?a=/b?c");
}

TEST(UrlTest, FieldsAreEncoded) {
  EXPECT_EQ(form_encoded("a b&c=d/ä~"), "a%20b%26c%3Dd%2F%C3%A4~");
  EXPECT_EQ(with_query("https://e.example/x", "tag", "a&b"), "https://e.example/x?tag=a%26b");
  EXPECT_EQ(with_query("https://e.example/x?y=1", "tag", "a"), "https://e.example/x?y=1&tag=a");
}

}  // namespace
}  // namespace grader
