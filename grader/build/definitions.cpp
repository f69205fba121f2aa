#include "grader/build/definitions.hpp"

#include <algorithm>
#include <cstddef>

namespace grader {
namespace {

using Tokens = std::vector<std::string>;

bool is_word(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         (character >= '0' && character <= '9') || character == '_';
}

// Words, "::" and single characters of source text, without comments, literals and directives.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  // The next token, or empty at the end.
  std::string next() {
    while (place_ < text_.size()) {
      const char character = text_[place_];
      if (character == '\n') at_line_start_ = true;
      if (std::string_view(" \t\r\n\f\v").find(character) != std::string_view::npos) {
        ++place_;
      } else if (character == '#' && at_line_start_) {
        skip_directive();
      } else if (starts_with("//")) {
        skip_past("\n");
        at_line_start_ = true;
      } else if (starts_with("/*")) {
        place_ += 2;
        skip_past("*/");
      } else if (starts_with("R\"")) {
        skip_raw_string();
      } else if (character == '"' || character == '\'') {
        skip_literal(character);
      } else {
        at_line_start_ = false;
        return token();
      }
    }
    return {};
  }

 private:
  [[nodiscard]] bool starts_with(std::string_view part) const {
    return text_.substr(place_).starts_with(part);
  }

  void skip_past(std::string_view end) {
    const std::size_t found = text_.find(end, place_);
    place_ = found == std::string_view::npos ? text_.size() : found + end.size();
  }

  void skip_directive() {
    while (place_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', place_), text_.size());
      const std::string_view line = text_.substr(place_, end - place_);
      place_ = std::min(end + 1, text_.size());
      if (!line.ends_with('\\') && !line.ends_with("\\\r")) return;
    }
  }

  void skip_raw_string() {
    const std::size_t open = std::min(text_.find('(', place_), text_.size());
    const std::string delimiter(text_.substr(place_ + 2, open - place_ - 2));
    place_ = open;
    skip_past(")" + delimiter + "\"");
  }

  void skip_literal(char quote) {
    for (++place_; place_ < text_.size() && text_[place_] != '\n'; ++place_) {
      if (text_[place_] == '\\') {
        ++place_;
      } else if (text_[place_] == quote) {
        ++place_;
        return;
      }
    }
  }

  std::string token() {
    std::size_t end = place_ + 1;
    if (is_word(text_[place_])) {
      // The quotes of 1'000 belong to the number.
      const bool is_number = text_[place_] >= '0' && text_[place_] <= '9';
      while (end < text_.size() &&
             (is_word(text_[end]) || (is_number && text_[end] == '\'' && end + 1 < text_.size() &&
                                      is_word(text_[end + 1])))) {
        ++end;
      }
    } else if (starts_with("::")) {
      end = place_ + 2;
    }
    const std::string_view found = text_.substr(place_, end - place_);
    place_ = end;
    return std::string(found);
  }

  std::string_view text_;
  std::size_t place_ = 0;
  bool at_line_start_ = true;
};

// The names of "namespace a::b".
Tokens namespaces_of(const Tokens& declaration) {
  const auto word = std::ranges::find(declaration, "namespace");
  if (word == declaration.end()) return {};
  Tokens names(word + 1, declaration.end());
  std::erase(names, "::");
  return names;
}

// What a brace opened.
struct Scope {
  bool is_namespace = false;
  Tokens names;               // of the namespace
  bool is_argument = false;   // "= {}" of a parameter: the declaration goes on behind it
  int outer_parentheses = 0;  // open around it
};

// Follows the braces and tells of every function body at namespace scope.
class Reader {
 public:
  Reader(const std::string& wanted, const std::vector<std::string>& names)
      : wanted_(wanted), names_(names) {}

  void take(const std::string& token) {
    if (token == "(") ++parentheses_;
    if (token == ")") --parentheses_;
    if (token == "{") {
      open();
    } else if (token == "}") {
      close();
    } else if (token == ";" && parentheses_ <= 0) {
      declaration_.clear();
    } else {
      declaration_.push_back(token);
    }
  }

  std::vector<std::string> outside;

 private:
  void open() {
    const bool is_namespace_scope =
        parentheses_ <= 0 && std::ranges::all_of(scopes_, &Scope::is_namespace);
    Scope scope;
    scope.is_namespace = is_namespace_scope && is_namespace(declaration_);
    if (scope.is_namespace) scope.names = namespaces_of(declaration_);
    if (is_namespace_scope && !scope.is_namespace) note_function();
    scope.is_argument = parentheses_ > 0;
    scope.outer_parentheses = parentheses_;
    parentheses_ = 0;
    if (!scope.is_argument) declaration_.clear();
    scopes_.push_back(std::move(scope));
  }

  void close() {
    if (scopes_.empty()) return;  // one too many: the compiler says where
    if (!scopes_.back().is_argument) declaration_.clear();
    parentheses_ = scopes_.back().outer_parentheses;
    scopes_.pop_back();
  }

  static bool is_namespace(const Tokens& declaration) {
    const bool is_linkage = declaration == Tokens{"extern"};  // extern "C" {
    return is_linkage || std::ranges::find(declaration, "namespace") != declaration.end();
  }

  void note_function() {
    const auto parenthesis = std::ranges::find(declaration_, "(");
    if (parenthesis == declaration_.begin() || parenthesis == declaration_.end()) return;
    const auto name = parenthesis - 1;
    if (std::ranges::find(names_, *name) == names_.end()) return;
    if (name != declaration_.begin() && *(name - 1) == "::") return;
    const bool is_inside = std::ranges::any_of(scopes_, [&](const Scope& scope) {
      return std::ranges::find(scope.names, wanted_) != scope.names.end();
    });
    if (!is_inside && std::ranges::find(outside, *name) == outside.end()) outside.push_back(*name);
  }

  const std::string& wanted_;
  const std::vector<std::string>& names_;
  std::vector<Scope> scopes_;
  Tokens declaration_;  // the tokens since the last ; { or }
  int parentheses_ = 0;
};

}  // namespace

std::string first_namespace(std::string_view source) {
  Lexer lexer(source);
  for (std::string token = lexer.next(); !token.empty(); token = lexer.next()) {
    if (token == "namespace") return lexer.next();
  }
  return {};
}

std::vector<std::string> defined_outside(std::string_view sources, const std::string& wanted,
                                         const std::vector<std::string>& names) {
  Reader reader(wanted, names);
  Lexer lexer(sources);
  for (std::string token = lexer.next(); !token.empty(); token = lexer.next()) reader.take(token);
  return reader.outside;
}

}  // namespace grader
