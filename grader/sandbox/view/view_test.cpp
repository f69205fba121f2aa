#include "grader/sandbox/view/view.hpp"

#include <gtest/gtest.h>

#include <string>

namespace grader {
namespace {

constexpr const char* kView =
    "/proc/self/fd/20:/proc/self/fd/20:/proc/self/fd/21:/usr:/lib:/dev/null";

bool sees(const std::string& path) { return view::contains(kView, path); }

TEST(ViewTest, ShowsTheBoxAndTheToolchain) {
  for (const char* path :
       {"attention.cpp", "./attention.cpp", "include/../attention.cpp", "a/b/c.hpp", "",
        "/proc/self/fd/20", "/proc/self/fd/20/attention.cpp", "/proc/self/fd/21/x/../y",
        "/usr/include/vector", "/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++",
        "/usr/../lib/x", "/lib/../usr/include/x", "/dev/null", "//usr//include/./vector"}) {
    EXPECT_TRUE(sees(path)) << path;
  }
}

TEST(ViewTest, HidesEverythingElse) {
  for (const char* path :
       {"/etc/passwd", "/home", "/proc/self/status", "/proc/1/environ", "/proc/self/fd/2",
        "/proc/self/fd/200", "/usrx", "/dev/nullx", "/dev/zero", "/home/student/.ssh/id_rsa",
        "//etc/passwd", "/usr/../etc/passwd", "/usr/./../etc"}) {
    EXPECT_FALSE(sees(path)) << path;
  }
}

TEST(ViewTest, NothingLeadsOutOfADescriptor) {
  for (const char* path :
       {"../secret", "./../secret", "a/../../secret", "..", "a/../..", "/proc/self/fd/20/..",
        "/proc/self/fd/20/../21/x", "/proc/self/fd/20/a/../../21/x", "/proc/self/fd/21/../../x"}) {
    EXPECT_FALSE(sees(path)) << path;
  }
}

TEST(ViewTest, AWayThroughWhatIsHiddenIsHidden) {
  for (const char* path : {"/home/../usr/include/vector", "/etc/passwd/../../usr/include/vector",
                           "/proc/1/../../usr/include/vector", "/usr/../home/../usr/include/vector",
                           "/home/ada/../../proc/self/fd/20/attention.cpp"}) {
    EXPECT_FALSE(sees(path)) << path;
  }
}

TEST(ViewTest, LongPathsAreHidden) {
  EXPECT_FALSE(sees("/usr/" + std::string(5000, 'a')));
  std::string deep = "/usr";
  for (int depth = 0; depth < 3000; ++depth) deep += "/a";
  EXPECT_FALSE(sees(deep));
}

TEST(ViewTest, RelativeNamesStartAtTheRootWhereTheBoxDoes) {
  EXPECT_TRUE(view::contains("/:/usr", "usr/include"));
  EXPECT_FALSE(view::contains("/:/usr", "etc/passwd"));
  EXPECT_FALSE(view::contains("/:/usr", "/etc/passwd"));
}

}  // namespace
}  // namespace grader
