#include "grader/build/hints.hpp"

#include <gtest/gtest.h>

namespace grader {
namespace {

// All messages are what g++ 12.2 and mold 1.10 print, after clean_diagnostics.
BuildAdvice advice(const std::string& diagnostics, const std::string& sources = "") {
  return advice_for(
      {diagnostics,
       "namespace attention {\n"
       "using Matrix = Eigen::MatrixXd;\nstruct Options {\n};\n"
       "double entropy(const RowVector& weights);\nMatrix attention(const Matrix& Q);",
       sources,
       {"attention", "entropy", "softmax"}});
}

std::string hint(const std::string& diagnostics, const std::string& sources = "") {
  return advice(diagnostics, sources).hint;
}

void expect_hint(const std::string& diagnostics, const std::string& part,
                 const std::string& sources = "") {
  const std::string text = hint(diagnostics, sources);
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(HintsTest, MissingFunctionsAreNamed) {
  expect_hint(
      "mold: error: undefined symbol: attention::entropy(Eigen::Matrix<double, 1, -1, 1, 1, -1> "
      "const&)\n",
      "Define entropy.");
  expect_hint(
      "ld: dispatch.o: undefined reference to `attention::entropy(double)'\n"
      "ld: dispatch.o: undefined reference to `attention::softmax(double)'\n",
      "Define entropy and softmax.");
}

TEST(HintsTest, ProblemNamesWhatTheLinkerMisses) {
  EXPECT_EQ(advice("mold: error: undefined symbol: attention::entropy(…)\n").problem,
            "The submission does not link: attention::entropy is missing.");
  EXPECT_EQ(advice("ld: dispatch.o: undefined reference to `attention::entropy(…)'\n"
                   "ld: dispatch.o: undefined reference to `attention::softmax(…)'\n")
                .problem,
            "The submission does not link: attention::entropy and attention::softmax are missing.");
  EXPECT_EQ(advice("mold: error: undefined symbol: helper(…)\n").problem,
            "The submission does not link.");
  EXPECT_EQ(advice("attention.cpp:3:1: error: expected ';'\n").problem,
            "The submission does not compile.");
}

TEST(HintsTest, DefinitionOutsideOfTheNamespaceIsSaidSo) {
  const std::string source =
      "using namespace attention;\nRowVector softmax(const RowVector& z) { return z; }\n"
      "namespace attention { double entropy(const RowVector& w) { return 0; } }\n";
  expect_hint("mold: error: undefined symbol: attention::softmax(…)\n",
              "You define softmax outside of namespace attention", source);
  expect_hint(
      "attention.cpp:7:30: error: call of overloaded 'softmax(attention::RowVector)' is "
      "ambiguous\n",
      "You define softmax outside of namespace attention", source);
  // The error is about something else.
  expect_hint("attention.cpp:3:1: error: expected ';' before 'return'\n", "semicolon", source);
}

TEST(HintsTest, NamespaceOfAFunctionIsNotTakenForTheFunction) {
  const std::string text = hint(
      "mold: error: undefined symbol: attention::softmax(Eigen::Matrix<double, 1, -1, 1, 1, -1> "
      "const&)\n");
  EXPECT_TRUE(text.starts_with("Define softmax.")) << text;
}

TEST(HintsTest, FunctionWithOtherParametersIsToldFromAMissingOne) {
  expect_hint("mold: error: undefined symbol: attention::entropy(double)\n",
              "entropy occurs in your code, but is not defined as the contract declares it",
              "namespace attention {\ndouble entropy(const Matrix& weights) {");
}

TEST(HintsTest, UndefinedHelperIsNamed) {
  expect_hint("mold: error: undefined symbol: attention::helper(double)\n", "attention::helper");
  expect_hint("mold: error: undefined symbol: testing::Test::~Test()\n",
              "hand in your work without them");
}

TEST(HintsTest, DefinedTwice) {
  expect_hint(
      "mold: error: duplicate symbol: old.cpp: attention.cpp: attention::softmax(double const&)\n",
      "two of your files");
  expect_hint("attention.cpp:6:8: error: redefinition of 'struct attention::Options'\n",
              "do not copy the contract's types");
  expect_hint(
      "attention.cpp:41:8: error: redefinition of 'double attention::entropy(const RowVector&)'\n",
      "remove one definition (attention.cpp line 41)");
}

TEST(HintsTest, DefaultArgumentRepeated) {
  expect_hint(
      "attention.cpp:20:85: error: default argument given for parameter 4 of 'attention::Attention "
      "attention::attention(const Matrix&, const Options&)' [-fpermissive]\n",
      "delete `= {}` in attention.cpp line 20");
}

TEST(HintsTest, WrongResultType) {
  expect_hint(
      "attention.cpp:9:8: error: ambiguating new declaration of 'attention::Matrix "
      "attention::softmax(const RowVector&)'\n",
      "another result type in attention.cpp line 9");
}

TEST(HintsTest, WrongSignature) {
  expect_hint(
      "attention.cpp:41:8: error: no declaration matches 'double attention::entropy(RowVector&)'\n"
      "attention/attention.hpp:77:8: note: candidate is: 'double attention::entropy(const "
      "RowVector&)'\n",
      "is not declared in the contract");
  expect_hint(
      "attention.cpp:52:53: error: call of overloaded "
      "'entropy(Eigen::DenseBase<Eigen::Matrix<double, -1, -1, 1> >::ConstRowXpr)' is ambiguous\n",
      "a second entropy whose parameters differ");
  expect_hint(
      "attention.cpp:33:22: error: too many arguments to function 'attention::RowVector "
      "attention::softmax(const RowVector&)'\n",
      "another number of arguments");
}

TEST(HintsTest, MissingFileAndMissingInclude) {
  expect_hint("attention.cpp:6:10: fatal error: nothing.hpp: No such file or directory\n",
              "The file nothing.hpp is not there");
  expect_hint("attention.cpp:3:10: fatal error: gtest/gtest.h: No such file or directory\n",
              "hand in your work without them");
  expect_hint(
      "attention.cpp:7:13: error: 'deque' in namespace 'std' does not name a template type\n"
      "attention.cpp:6:1: note: 'std::deque' is defined in header '<deque>'; did you forget to "
      "'#include <deque>'?\n",
      "#include <deque>");
}

TEST(HintsTest, NewerLanguage) {
  expect_hint(
      "attention.cpp:6:13: error: 'expected' in namespace 'std' does not name a template type; did "
      "you mean 'unexpected'?\n",
      "std::expected is not there in the C++20 library");
  expect_hint("attention.cpp:2:10: fatal error: print: No such file or directory\n", "std::print");
}

TEST(HintsTest, TypographicCharacters) {
  expect_hint(
      "attention.cpp:10:42: error: extended character \xe2\x88\x92 is not valid in an "
      "identifier\n",
      "attention.cpp line 10");
  expect_hint("attention.cpp:1:10: error: stray '\\342' in program\n", "typographic quote");
}

TEST(HintsTest, UnknownNames) {
  expect_hint("attention.cpp:6:1: error: 'Matrix' does not name a type\n",
              "Matrix belongs to the contract's namespace");
  expect_hint("attention.cpp:15:17: error: 'sqroot' was not declared in this scope\n",
              "does not know sqroot (attention.cpp line 15)");
  // A parameter's name in the header is not a name that the contract declares.
  expect_hint("attention.cpp:6:39: error: 'Q' was not declared in this scope\n", "does not know Q");
  expect_hint(
      "attention.cpp:10:46: error: 'const RowVector' {aka 'const class "
      "Eigen::Matrix<double, 1, -1>'} has no member named 'maxCoef'; did you mean "
      "'maxCoeff'?\n",
      "spelling of maxCoef in attention.cpp line 10");
}

TEST(HintsTest, Punctuation) {
  expect_hint("attention.cpp:11:21: error: expected ';' before '}' token\n",
              "expected ';' before '}' token");
  expect_hint("attention.cpp:60:2: error: expected '}' at end of input\n", "closing brace");
}

TEST(HintsTest, EigenRefusals) {
  expect_hint(
      "attention.cpp:10:26:   required from here\n"
      "Eigen/src/Core/AssignEvaluator.h:888:3: error: static assertion failed: "
      "YOU_MIXED_DIFFERENT_NUMERIC_TYPES__YOU_NEED_TO_USE_THE_CAST_METHOD\n",
      "float and double in one expression: use double (attention.cpp line 10)");
  expect_hint(
      "attention.cpp:10:44: error: invalid use of incomplete type 'const struct "
      "Eigen::MatrixExponentialReturnValue<Eigen::Matrix<double, 1, -1> >'\n",
      "write .array() before them (attention.cpp line 10)");
  expect_hint(
      "attention.cpp:10:22: error: no match for 'operator-' (operand types are 'const RowVector' "
      "and 'double')\n",
      "operator- in attention.cpp line 10");
}

TEST(HintsTest, ConstantInputs) {
  expect_hint("attention.cpp:14:13: error: assignment of read-only location 'Q'\n",
              "must not be changed");
  expect_hint(
      "attention.cpp:14:12: error: passing 'const Matrix' as 'this' argument discards "
      "qualifiers [-fpermissive]\n",
      "must not be changed");
}

TEST(HintsTest, Conversions) {
  expect_hint(
      "attention.cpp:11:10: error: could not convert 'std::vector<double>(3)' from "
      "'std::vector<double>' to 'attention::RowVector'\n",
      "attention.cpp line 11");
}

TEST(HintsTest, AnythingElseGetsAGeneralHint) {
  expect_hint("attention.cpp:3:1: error: something new\n", "Start with the first error");
  expect_hint("", "Start with the first error (your code)");
}

}  // namespace
}  // namespace grader
