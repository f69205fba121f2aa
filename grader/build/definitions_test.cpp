#include "grader/build/definitions.hpp"

#include <gtest/gtest.h>

namespace grader {
namespace {

using Names = std::vector<std::string>;

Names outside(std::string_view sources) {
  return defined_outside(sources, "lesson", {"mean", "total", "lesson"});
}

TEST(DefinitionsTest, FirstNamespaceOfAHeader) {
  EXPECT_EQ(first_namespace("// namespace wrong {\n#pragma once\nnamespace lesson {\n}"), "lesson");
  EXPECT_EQ(first_namespace("int mean();"), "");
}

TEST(DefinitionsTest, DefinitionsInsideAreNotReported) {
  EXPECT_EQ(outside("namespace lesson {\ndouble mean(const Row& row, Options o = {}) {\n"
                    "  if (row.empty()) { return 0; }\n  return total(row);\n}\n}\n"),
            Names{});
  EXPECT_EQ(outside("namespace lesson::detail { double mean() {} }"), Names{});
  EXPECT_EQ(outside("double lesson::mean(const Row& row) { return 0; }"), Names{});
  EXPECT_EQ(outside("extern \"C\" { namespace lesson { double mean() { return 0; } } }"), Names{});
}

TEST(DefinitionsTest, DefinitionsOutsideAreReported) {
  EXPECT_EQ(outside("using namespace lesson;\ndouble mean(Row row) { return 0; }"), Names{"mean"});
  EXPECT_EQ(outside("lesson::Result lesson(Options o = {}, Row r = {}) noexcept { return {}; }\n"
                    "namespace mine { double total() { return 0; } }"),
            (Names{"lesson", "total"}));
}

TEST(DefinitionsTest, FunctionsBehindANamespaceThatIsClosedEarlyAreReported) {
  EXPECT_EQ(outside("namespace lesson {\ndouble total() { return 0; }\n}\n"
                    "double mean() { return 0; }\n"),
            Names{"mean"});
}

TEST(DefinitionsTest, CallsDeclarationsMembersAndTextAreNoDefinitions) {
  EXPECT_EQ(outside("double mean(Row row);\nint main() { if (mean({}) > 0) { return 1; } }"),
            Names{});
  EXPECT_EQ(outside("struct Tool { double mean() { return 0; } };"), Names{});
  EXPECT_EQ(outside("// double mean() {}\n/* double mean() {} */\n#define X double mean() {}\n"
                    "#define Y \\\n double mean() {}\n"
                    "const char* a = \"mean() {\";\nconst char* b = R\"x(mean() {)x\";\n"
                    "namespace lesson { char c = '{'; double mean() { return 1'000; } }"),
            Names{});
}

TEST(DefinitionsTest, BrokenTextIsReadToItsEnd) {
  EXPECT_EQ(outside("}}} ) if( { \"open"), Names{});
  EXPECT_EQ(outside("R\"never closed"), Names{});
  EXPECT_EQ(outside("/* never closed"), Names{});
}

}  // namespace
}  // namespace grader
