#include "grader/build/hints.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "grader/base/plain_text.hpp"
#include "grader/build/definitions.hpp"

namespace grader {
namespace {

using Hint = std::optional<std::string>;

constexpr std::string_view kUndefinedSymbol = "undefined symbol:";
constexpr std::string_view kUndefinedReference = "undefined reference to";

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// The first line that holds `part`, or empty.
std::string_view line_with(std::string_view text, std::string_view part) {
  const std::size_t place = text.find(part);
  if (place == std::string_view::npos) return {};
  const std::size_t newline = text.rfind('\n', place);
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  return text.substr(begin, std::min(text.find('\n', place), text.size()) - begin);
}

// "attention.cpp:12" from "attention.cpp:12:5: error: …".
std::string place_of(std::string_view line) {
  const std::size_t file = line.find(':');
  if (file == std::string_view::npos) return "your code";
  const std::size_t number = line.find_first_not_of("0123456789", file + 1);
  if (number == std::string_view::npos || number == file + 1) return "your code";
  return std::string(line.substr(0, file)) + " line " +
         std::string(line.substr(file + 1, number - file - 1));
}

// The quoted name that starts after `part` ("'vector' is not a member" → vector).
std::string quoted_after(std::string_view line, std::string_view part) {
  const std::size_t place = line.find(part);
  const std::size_t begin = line.find('\'', place == std::string_view::npos ? 0 : place);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = line.find('\'', begin + 1);
  if (end == std::string_view::npos) return {};
  constexpr std::size_t shown = 120;
  return plain_line(line.substr(begin + 1, end - begin - 1), shown);
}

bool is_word_character(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         (character >= '0' && character <= '9') || character == '_';
}

// `word` stands in `text` as a word of its own.
bool has_word(std::string_view text, std::string_view word) {
  if (word.empty()) return false;
  for (std::size_t place = text.find(word); place != std::string_view::npos;
       place = text.find(word, place + 1)) {
    const std::size_t end = place + word.size();
    const bool starts = place == 0 || !is_word_character(text[place - 1]);
    const bool ends = end == text.size() || !is_word_character(text[end]);
    if (starts && ends) return true;
  }
  return false;
}

// The contract's header declares a type or function of this name.
bool is_declared(std::string_view contract, const std::string& name) {
  return !name.empty() &&
         (contains(contract, "using " + name + " =") ||
          contains(contract, "struct " + name + " {") || contains(contract, " " + name + "("));
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t index = 0; index < names.size(); ++index) {
    if (index > 0) text += index + 1 == names.size() ? " and " : ", ";
    text += names[index];
  }
  return text;
}

// A function that the linker misses: its name as C++ writes it, without parameters.
struct Missing {
  std::string qualified;  // "attention::softmax"
  std::string name;       // "softmax"
};

// The functions of the contract that the linker misses.
std::vector<Missing> missing_functions(const FailedBuild& failed) {
  std::vector<Missing> missing;
  std::string_view rest = failed.diagnostics;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!contains(line, kUndefinedSymbol) && !contains(line, kUndefinedReference)) continue;
    for (const std::string& name : failed.function_names) {
      const std::size_t place = line.find("::" + name + "(");
      if (place == std::string_view::npos) continue;
      const std::size_t begin = line.find_last_of(" `'", place) + 1;
      Missing found{std::string(line.substr(begin, place - begin)) + "::" + name, name};
      if (std::ranges::find(missing, name, &Missing::name) == missing.end()) {
        missing.push_back(std::move(found));
      }
    }
  }
  return missing;
}

bool is_link_failure(const FailedBuild& failed) {
  return contains(failed.diagnostics, kUndefinedSymbol) ||
         contains(failed.diagnostics, kUndefinedReference);
}

// Functions of the contract that are defined, but outside of its namespace, where nobody finds
// them.
Hint outside_of_namespace(const FailedBuild& failed) {
  const std::string space = first_namespace(failed.contract);
  if (space.empty()) return std::nullopt;
  const std::vector<std::string> outside =
      defined_outside(failed.sources, space, failed.function_names);
  const bool is_the_problem = std::ranges::any_of(
      outside, [&](const std::string& name) { return has_word(failed.diagnostics, name); });
  if (!is_the_problem) return std::nullopt;
  const bool are_all = outside.size() == failed.function_names.size();
  return "You define " + (are_all ? std::string("all functions") : joined(outside)) +
         " outside of namespace " + space + ": put your functions between `namespace " + space +
         " {` and its closing brace, as the template does.";
}

// A function of the contract that nobody defines: absent, or there with another signature.
Hint missing_function(const FailedBuild& failed) {
  if (!is_link_failure(failed)) return std::nullopt;
  std::vector<std::string> absent;
  std::vector<std::string> different;
  for (const Missing& missing : missing_functions(failed)) {
    (has_word(failed.sources, missing.name) ? different : absent).push_back(missing.name);
  }
  if (!different.empty()) {
    return joined(different) +
           (different.size() == 1
                ? " occurs in your code, but is not defined as the contract declares it"
                : " occur in your code, but are not defined as the contract declares them") +
           ": compare name, parameters (order, const, &) and result with the header.";
  }
  if (!absent.empty()) {
    return "Define " + joined(absent) +
           ". What you have not written yet may throw, as it does in the template; then it costs "
           "its own checks only.";
  }
  if (contains(failed.diagnostics, "testing::")) {
    return "Your tests were handed in with your work: hand in your work without them.";
  }
  const std::string_view line = line_with(failed.diagnostics, "undefined ");
  return "Something that your code calls is defined nowhere (" + plain_line(line, 160) +
         "): define it, or hand in the file that does.";
}

Hint defined_twice(const FailedBuild& failed) {
  if (contains(failed.diagnostics, "duplicate symbol") ||
      contains(failed.diagnostics, "multiple definition of")) {
    return "The same function is defined in two of your files, which are compiled together: remove "
           "one of them (an old copy?), or put `inline` before a function in a header.";
  }
  const std::string_view line = line_with(failed.diagnostics, "error: redefinition of");
  if (line.empty()) return std::nullopt;
  const std::string name = quoted_after(line, "redefinition of");
  if (contains(name, "(")) {
    return "The function " + name + " is defined twice: remove one definition (" + place_of(line) +
           ").";
  }
  return name +
         " is defined twice: do not copy the contract's types into your files, include the "
         "contract's header.";
}

Hint default_argument_again(const FailedBuild& failed) {
  const std::string_view line =
      line_with(failed.diagnostics, "default argument given for parameter");
  if (line.empty()) return std::nullopt;
  return "The default value of a parameter stands in the contract's header and must not be "
         "repeated: "
         "delete `= {}` in " +
         place_of(line) + ".";
}

Hint wrong_result_type(const FailedBuild& failed) {
  const std::string_view line = line_with(failed.diagnostics, "ambiguating new declaration of");
  if (line.empty()) return std::nullopt;
  return "A function of the contract is defined with another result type in " + place_of(line) +
         ": use the result type of the header.";
}

Hint wrong_signature(const FailedBuild& failed) {
  for (const char* message : {"no declaration matches", "should have been declared inside"}) {
    const std::string_view line = line_with(failed.diagnostics, message);
    if (line.empty()) continue;
    return quoted_after(line, "") + " (" + place_of(line) +
           ") is not declared in the contract: compare name, parameters and result with the "
           "header.";
  }
  return std::nullopt;
}

Hint second_overload(const FailedBuild& failed) {
  const std::string_view line = line_with(failed.diagnostics, "error: call of overloaded '");
  if (line.empty()) return std::nullopt;
  const std::string call = quoted_after(line, "call of overloaded");
  const std::string name = call.substr(0, call.find('('));
  const bool is_ours = std::find(failed.function_names.begin(), failed.function_names.end(),
                                 name) != failed.function_names.end();
  if (!is_ours) return std::nullopt;
  return "There is a second " + name +
         " whose parameters differ from the contract's: give yours the parameters of the header, "
         "or "
         "another name.";
}

Hint number_of_arguments(const FailedBuild& failed) {
  for (const char* message : {"error: too many arguments to", "error: too few arguments to"}) {
    const std::string_view line = line_with(failed.diagnostics, message);
    if (line.empty()) continue;
    return quoted_after(line, message) +
           " is called with another number of arguments than it takes (" + place_of(line) + ").";
  }
  return std::nullopt;
}

Hint missing_file(const FailedBuild& failed) {
  const std::string_view line = line_with(failed.diagnostics, ": No such file or directory");
  if (line.empty() || !contains(line, "fatal error: ")) return std::nullopt;
  constexpr std::string_view start = "fatal error: ";
  const std::size_t begin = line.find(start) + start.size();
  const std::string name(line.substr(begin, line.rfind(": No such file") - begin));
  if (contains(name, "gtest") || contains(name, "rapidcheck")) {
    return "Your tests were handed in with your work: hand in your work without them (" + name +
           " is not there when it is graded).";
  }
  return "The file " + plain_line(name, 120) +
         " is not there: hand it in too, or use only the contract's header, Eigen and the standard "
         "library.";
}

// g++ knows which header it is.
Hint missing_include(const FailedBuild& failed) {
  constexpr std::string_view start = "did you forget to '#include ";
  const std::size_t place = failed.diagnostics.find(start);
  if (place == std::string::npos) return std::nullopt;
  const std::size_t begin = place + start.size();
  const std::string name =
      failed.diagnostics.substr(begin, failed.diagnostics.find('\'', begin) - begin);
  return "Add the line #include " + plain_line(name, 60) + " at the top of your file.";
}

Hint newer_language(const FailedBuild& failed) {
  for (const char* message : {"only available from C++23", "only available with '-std=c++2",
                              "only available with '-std=gnu++2"}) {
    const std::string_view line = line_with(failed.diagnostics, message);
    if (!line.empty()) {
      return "Your code needs a newer language than C++20 (" + place_of(line) +
             "): it is compiled as C++20.";
    }
  }
  for (const char* name : {"print", "println", "mdspan", "expected", "flat_map", "generator", "zip",
                           "enumerate", "format"}) {
    if (contains(failed.diagnostics, "'" + std::string(name) + "' is not a member of 'std") ||
        contains(failed.diagnostics, "'" + std::string(name) + "' in namespace 'std' does not") ||
        contains(failed.diagnostics, "fatal error: " + std::string(name) + ": No such file")) {
      return "std::" + std::string(name) +
             " is not there in the C++20 library that grades you: use something older.";
    }
  }
  return std::nullopt;
}

Hint typographic_character(const FailedBuild& failed) {
  for (const char* message :
       {"error: stray '", "extended character", "is not valid in an identifier"}) {
    const std::string_view line = line_with(failed.diagnostics, message);
    if (line.empty()) continue;
    return "There is a character that is not C++ in " + place_of(line) +
           ", such as a typographic quote or minus sign copied from a document: type it again.";
  }
  return std::nullopt;
}

Hint unknown_name(const FailedBuild& failed) {
  for (const char* message :
       {"does not name a type", "was not declared in this scope", "has not been declared",
        "is not a member of", "has no member named"}) {
    const std::string_view line = line_with(failed.diagnostics, message);
    if (line.empty()) continue;
    const std::string name = quoted_after(line, "");
    if (message == std::string_view("has no member named")) {
      return "Look at the spelling of " + quoted_after(line, message) + " in " + place_of(line) +
             ": the type has no such member.";
    }
    if (is_declared(failed.contract, name)) {
      return name +
             " belongs to the contract's namespace: put your code inside it, as the template "
             "does, or write the namespace before the name (" +
             place_of(line) + ").";
    }
    return "The compiler does not know " + name + " (" + place_of(line) +
           "): look for a typing error, a missing std:: or a missing #include.";
  }
  return std::nullopt;
}

Hint punctuation(const FailedBuild& failed) {
  const std::string_view line = line_with(failed.diagnostics, "error: expected ");
  if (line.empty()) return std::nullopt;
  if (contains(line, "at end of input")) {
    return "A closing brace } or parenthesis ) is missing: the file ends before a function or "
           "namespace does.";
  }
  const std::size_t begin = line.find("expected ");
  return "Something is missing at " + place_of(line) + " or just before it (" +
         plain_line(line.substr(begin), 100) + "): look for a semicolon, brace or parenthesis.";
}

struct EigenMessage {
  std::string_view part;
  std::string_view words;
};

constexpr std::array<EigenMessage, 8> kEigenMessages = {{
    {"YOU_MIXED_MATRICES_OF_DIFFERENT_SIZES",
     "operands whose shapes can never fit (a row vector with a column vector?)"},
    {"INVALID_MATRIX_PRODUCT",
     "a product whose inner sizes can never fit: is a transpose() missing?"},
    {"INVALID_VECTOR_VECTOR_PRODUCT",
     "a product of two vectors that does not fit: is a transpose() or dot() missing?"},
    {"YOU_MIXED_DIFFERENT_NUMERIC_TYPES", "float and double in one expression: use double"},
    {"YOU_CANNOT_MIX_ARRAYS_AND_MATRICES",
     "an array and a matrix in one expression: use .array() or .matrix() on one of them"},
    {"THIS_METHOD_IS_ONLY_FOR_ARRAYS_NOT_MATRICES",
     "an array method on a matrix: use .array() first"},
    {"YOU_TRIED_CALLING_A_VECTOR_METHOD_ON_A_MATRIX", "a vector method on a matrix"},
    {"THIS_EXPRESSION_IS_NOT_A_LVALUE", "an assignment to something that cannot be written to"},
}};

Hint eigen_assertion(const FailedBuild& failed) {
  const std::string_view incomplete = line_with(failed.diagnostics, "ReturnValue<Eigen::Matrix");
  if (contains(incomplete, "incomplete type")) {
    return "exp(), log(), sqrt() and pow() of a matrix are not entry by entry: write .array() "
           "before "
           "them (" +
           place_of(incomplete) + ").";
  }
  for (const EigenMessage& message : kEigenMessages) {
    if (!contains(failed.diagnostics, message.part)) continue;
    // The place in the student's file stands in one of the lines before.
    std::string_view here = line_with(failed.diagnostics, "required from here");
    return "Eigen refuses " + std::string(message.words) + " (" + place_of(here) + ").";
  }
  return std::nullopt;
}

Hint wrong_operands(const FailedBuild& failed) {
  const std::string_view line = line_with(failed.diagnostics, "error: no match for 'operator");
  if (line.empty()) return std::nullopt;
  return "The two sides of " + quoted_after(line, "no match for").substr(0, 20) + " in " +
         place_of(line) +
         " do not go together; with Eigen, entry-wise operations need .array() on a matrix.";
}

Hint constant_changed(const FailedBuild& failed) {
  for (const char* message : {"assignment of read-only", "discards qualifiers"}) {
    const std::string_view line = line_with(failed.diagnostics, message);
    if (line.empty()) continue;
    return "The inputs are const and must not be changed (" + place_of(line) +
           "): work on a copy or on the result.";
  }
  return std::nullopt;
}

Hint cannot_convert(const FailedBuild& failed) {
  for (const char* message : {"could not convert", "cannot convert", "conversion from",
                              "no viable conversion", "invalid conversion"}) {
    const std::string_view line = line_with(failed.diagnostics, message);
    if (line.empty()) continue;
    return "A value of one type is used where another is needed in " + place_of(line) +
           ": compare it with the type that the contract names.";
  }
  return std::nullopt;
}

// Compilers and linkers are told apart, since what is missing has no line.
std::string problem_of(const FailedBuild& failed) {
  std::vector<std::string> names;
  for (const Missing& missing : missing_functions(failed)) names.push_back(missing.qualified);
  if (!names.empty()) {
    return "The submission does not link: " + joined(names) +
           (names.size() == 1 ? " is missing." : " are missing.");
  }
  if (is_link_failure(failed) || contains(failed.diagnostics, "duplicate symbol") ||
      contains(failed.diagnostics, "multiple definition of")) {
    return "The submission does not link.";
  }
  return "The submission does not compile.";
}

}  // namespace

BuildAdvice advice_for(const FailedBuild& failed) {
  BuildAdvice advice;
  advice.problem = problem_of(failed);
  // From the particular to the general.
  for (const auto hint :
       {outside_of_namespace, missing_function, defined_twice, default_argument_again,
        wrong_result_type, newer_language, missing_file, missing_include, typographic_character,
        eigen_assertion, wrong_signature, second_overload, number_of_arguments, unknown_name,
        wrong_operands, constant_changed, cannot_convert, punctuation}) {
    if (Hint found = hint(failed)) {
      advice.hint = *std::move(found);
      return advice;
    }
  }
  const std::string_view line = line_with(failed.diagnostics, "error:");
  advice.hint = "Start with the first error (" + place_of(line) +
                "); the template compiles as it is, so compare with it.";
  return advice;
}

}  // namespace grader
