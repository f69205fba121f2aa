#include "grader/build/file_escapes.hpp"

#include <gtest/gtest.h>

#include "grader/sandbox/level.hpp"

namespace grader {
namespace {

TEST(FileEscapesTest, ACompilerSeesNoFileOutsideItsBoxAtAnyLevel) {
  for (const Level level : {Level::l4, Level::l3, Level::l2, Level::l1, Level::l0}) {
    limit_isolation(level);
    const auto escapes = try_file_escapes();
    EXPECT_EQ(escapes.size(), 7U);
    for (const FileEscape& escape : escapes) {
      EXPECT_FALSE(escape.succeeded) << escape.name << " at " << name_of(level);
    }
  }
  unlimit_isolation();
}

}  // namespace
}  // namespace grader
