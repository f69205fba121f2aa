#include "grader/similarity/compare_trees.hpp"

#include <gtest/gtest.h>

#include <string>

#include "grader/base/files.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

// A program of its own for each `word`: the word decides how the statements look.
std::string program(const std::string& word) {
  std::string text;
  for (int line = 0; line < 60; ++line) {
    const char letter = word[static_cast<std::size_t>(line) % word.size()];
    const int terms = (letter + line * line) % 5;
    text += word + " = f(x)";
    for (int term = 0; term < terms; ++term) text += (letter + term) % 2 == 0 ? " + y" : " * g[z]";
    text += letter % 3 == 0 ? "; if (a)\n" : ";\n";
  }
  return text;
}

class CompareTreesTest : public testing::Test {
 protected:
  fs::path tree(const std::string& name, const std::string& file, const std::string& text) {
    fs::path path = folder_.path() / name;
    fs::create_directories((path / file).parent_path());
    write_atomically(path / file, text);
    return path;
  }

  TemporaryDirectory folder_;
};

TEST_F(CompareTreesTest, FindsWhatIsTheSameAndWhatIsNearlySo) {
  const SimilarityReport report = compare_trees(
      {tree("a", "attention.cpp", program("alpha")), tree("b", "attention.cpp", program("alpha")),
       tree("c", "src/attention.cpp", "// mine\n" + program("alpha")),
       tree("d", "attention.cpp", program("quite another"))},
      {});
  EXPECT_EQ(report.identical, (std::vector<std::vector<std::size_t>>{{0, 1}}));
  ASSERT_EQ(report.pairs.size(), 1U);
  EXPECT_EQ(report.pairs[0].b, 2U);
  EXPECT_EQ(report.pairs[0].longest_in_b.file, "src/attention.cpp");
}

TEST_F(CompareTreesTest, TheTemplateIsSubtracted) {
  const fs::path given = tree("template", "attention.cpp", program("alpha"));
  const fs::path a = tree("a", "attention.cpp", program("alpha"));
  const fs::path b = tree("b", "attention.cpp", program("alpha") + "int x;");
  EXPECT_EQ(compare_trees({a, b}, folder_.path() / "nowhere").pairs.size(), 1U);
  EXPECT_TRUE(compare_trees({a, b}, given).pairs.empty());
}

TEST_F(CompareTreesTest, StudentsWithoutASubmissionAreLikeNoOther) {
  const SimilarityReport report = compare_trees({{}, folder_.path() / "nowhere", {}}, {});
  EXPECT_TRUE(report.identical.empty());
  EXPECT_TRUE(report.pairs.empty());
}

TEST_F(CompareTreesTest, LinksAreNotFollowed) {
  const fs::path a = tree("a", "attention.cpp", program("alpha"));
  fs::create_directories(folder_.path() / "b");
  fs::create_symlink(a / "attention.cpp", folder_.path() / "b" / "attention.cpp");
  EXPECT_TRUE(compare_trees({a, folder_.path() / "b"}, {}).identical.empty());
}

}  // namespace
}  // namespace grader
