#include "grader/similarity/tokens.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace grader {
namespace {

// Keywords that say what the code does; each has a code of its own.
constexpr std::array<std::string_view, 27> kKeywords = {
    "break",    "case",     "catch",  "class",    "co_await", "co_return", "co_yield",
    "continue", "default",  "delete", "do",       "else",     "enum",      "for",
    "goto",     "if",       "new",    "operator", "return",   "sizeof",    "struct",
    "switch",   "template", "throw",  "try",      "using",    "while"};
// Words that stand for a type, as a name of the student's own could.
constexpr std::array<std::string_view, 14> kTypes = {
    "auto",   "bool",  "char", "char16_t", "char32_t", "char8_t", "decltype",
    "double", "float", "int",  "long",     "short",    "signed",  "unsigned"};
constexpr std::array<std::string_view, 14> kUnimportant = {
    "const",  "consteval", "constexpr", "constinit", "explicit", "extern",  "friend",
    "inline", "mutable",   "noexcept",  "register",  "static",   "virtual", "volatile"};
constexpr std::array<std::string_view, 3> kLiterals = {"true", "false", "nullptr"};

struct Spelling {
  std::string_view word;
  std::string_view punctuator;
};
constexpr std::array<Spelling, 11> kSpellings = {{{"and", "&&"},
                                                  {"and_eq", "&="},
                                                  {"bitand", "&"},
                                                  {"bitor", "|"},
                                                  {"compl", "~"},
                                                  {"not", "!"},
                                                  {"not_eq", "!="},
                                                  {"or", "||"},
                                                  {"or_eq", "|="},
                                                  {"xor", "^"},
                                                  {"xor_eq", "^="}}};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

bool continues_word(char letter) {
  const bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  const bool is_beyond_ascii = static_cast<unsigned char>(letter) >= 128;
  return is_letter || is_digit(letter) || letter == '_' || letter == '$' || is_beyond_ascii;
}

bool is_punctuation(char letter) { return letter > ' ' && letter < 127; }

// A place in a source. Line splices (a backslash before the end of a line) are no characters.
class Cursor {
 public:
  explicit Cursor(std::string_view source) : source_(source) { skip_splices(); }

  [[nodiscard]] bool is_at_end() const { return place_ >= source_.size(); }
  // The character here; NUL at the end, as for a NUL in the source.
  [[nodiscard]] char current() const { return is_at_end() ? '\0' : source_[place_]; }
  [[nodiscard]] char following() const {
    Cursor next = *this;
    next.advance();
    return next.current();
  }
  [[nodiscard]] std::int32_t line() const { return line_; }
  [[nodiscard]] std::size_t place() const { return place_; }
  [[nodiscard]] std::string_view source() const { return source_; }

  void advance() {
    step();
    skip_splices();
  }

  // Goes to `place`, ahead of here, over characters that mean nothing: in a raw string a backslash
  // splices no lines.
  void jump(std::size_t place) {
    while (place_ < place && !is_at_end()) step();
    skip_splices();
  }

 private:
  void step() {
    if (is_at_end()) return;
    if (source_[place_] == '\n') ++line_;
    ++place_;
  }

  void skip_splices() {
    while (!is_at_end() && source_[place_] == '\\') {
      // As GCC has it, blanks may stand between the backslash and the end of the line.
      const std::size_t end = source_.find_first_not_of(" \t\r\f\v", place_ + 1);
      if (end == std::string_view::npos || source_[end] != '\n') return;
      place_ = end + 1;
      ++line_;
    }
  }

  std::string_view source_;
  std::size_t place_ = 0;
  std::int32_t line_ = 1;
};

class Scanner {
 public:
  Scanner(std::string_view source, std::size_t limit) : cursor_(source), limit_(limit) {}

  std::vector<Token> scan() {
    while (!cursor_.is_at_end() && tokens_.size() < limit_) take_one();
    return std::move(tokens_);
  }

 private:
  void take_one() {
    const char letter = cursor_.current();
    const std::int32_t line = cursor_.line();
    if (letter == '/' && (cursor_.following() == '/' || cursor_.following() == '*')) {
      skip_comment();
    } else if (is_digit(letter) || (letter == '.' && is_digit(cursor_.following()))) {
      skip_number();
      add(kNumberToken, line);
    } else if (continues_word(letter)) {
      take_word();
    } else if (letter == '"' || letter == '\'') {
      take_quoted(line);
    } else if (letter == '#' && line != last_line_) {
      take_directive();
    } else if (letter == ':' && cursor_.following() == ':') {
      skip_qualifier();
    } else {
      cursor_.advance();
      const bool is_brace = letter == '{' || letter == '}';
      if (is_punctuation(letter) && !is_brace) add(static_cast<std::uint8_t>(letter), line);
    }
  }

  void add(std::uint8_t code, std::int32_t line) {
    tokens_.push_back({code, line});
    last_line_ = line;
    ends_in_type_ = false;
  }

  void skip_line() {
    while (!cursor_.is_at_end() && cursor_.current() != '\n') cursor_.advance();
  }

  void skip_comment() {
    const bool is_line = cursor_.following() == '/';
    cursor_.advance();
    cursor_.advance();
    if (is_line) {
      skip_line();
      return;
    }
    // One that is never closed takes the rest of the file, as it does for a compiler.
    while (!cursor_.is_at_end()) {
      const char letter = cursor_.current();
      cursor_.advance();
      if (letter == '*' && cursor_.current() == '/') break;
    }
    cursor_.advance();
  }

  void skip_number() {
    char before = '\0';
    while (!cursor_.is_at_end()) {
      const char letter = cursor_.current();
      const bool is_exponent = before == 'e' || before == 'E' || before == 'p' || before == 'P';
      const bool is_sign = is_exponent && (letter == '+' || letter == '-');
      const bool is_separator = letter == '\'' && continues_word(cursor_.following());
      if (!continues_word(letter) && letter != '.' && !is_sign && !is_separator) return;
      before = letter;
      cursor_.advance();
    }
  }

  // The word here, cut at a length that no word of interest has.
  std::string word() {
    constexpr std::size_t kLongest = 16;
    std::string letters;
    while (!cursor_.is_at_end() && continues_word(cursor_.current())) {
      if (letters.size() < kLongest) letters += cursor_.current();
      cursor_.advance();
    }
    return letters;
  }

  void take_word() {
    const std::int32_t line = cursor_.line();
    const std::string letters = word();
    const bool is_before_string = cursor_.current() == '"';
    const bool is_before_quote = is_before_string || cursor_.current() == '\'';
    const bool is_raw = is_before_string && is_one_of(kRawPrefixes, letters);
    if (is_raw && skip_raw_string()) {
      add_string(line);
      return;
    }
    if (is_raw || (is_before_quote && is_one_of(kPrefixes, letters)))
      return;  // what is quoted follows
    if (const auto keyword = std::find(kKeywords.begin(), kKeywords.end(), letters);
        keyword != kKeywords.end()) {
      add(static_cast<std::uint8_t>(kFirstKeyword + (keyword - kKeywords.begin())), line);
    } else if (is_one_of(kTypes, letters)) {
      if (!ends_in_type_) add(kWordToken, line);  // `unsigned long` is one type
      ends_in_type_ = true;
    } else if (is_one_of(kLiterals, letters)) {
      add(kNumberToken, line);
    } else if (const auto spelling =
                   std::find_if(kSpellings.begin(), kSpellings.end(),
                                [&](const Spelling& each) { return each.word == letters; });
               spelling != kSpellings.end()) {
      for (const char letter : spelling->punctuator) add(static_cast<std::uint8_t>(letter), line);
    } else if (!is_one_of(kUnimportant, letters)) {
      add(kWordToken, line);
    }
  }

  void add_string(std::int32_t line) {
    if (!tokens_.empty() && tokens_.back().code == kStringToken) return;
    add(kStringToken, line);
  }

  // A string or character; it ends with its line if it is not closed.
  void take_quoted(std::int32_t line) {
    const char quote = cursor_.current();
    cursor_.advance();
    while (!cursor_.is_at_end() && cursor_.current() != '\n') {
      const char letter = cursor_.current();
      cursor_.advance();
      if (letter == quote) break;
      if (letter == '\\') cursor_.advance();
    }
    if (quote == '"') {
      add_string(line);
    } else {
      add(kNumberToken, line);
    }
  }

  // Skips "delimiter(…)delimiter" from its quote on; false if it does not start like that.
  bool skip_raw_string() {
    constexpr std::size_t kLongestDelimiter = 16;
    const std::string_view source = cursor_.source();
    const std::size_t start = cursor_.place() + 1;
    const std::size_t open = source.find_first_of("( )\\\t\v\f\r\n\"", start);
    if (open == std::string_view::npos || source[open] != '(' || open - start > kLongestDelimiter) {
      return false;
    }
    const std::string end = ")" + std::string(source.substr(start, open - start)) + "\"";
    const std::size_t close = source.find(end, open);
    cursor_.jump(close == std::string_view::npos ? source.size() : close + end.size());
    return true;
  }

  void take_directive() {
    const std::int32_t line = cursor_.line();
    cursor_.advance();
    while (cursor_.current() == ' ' || cursor_.current() == '\t') cursor_.advance();
    const std::string name = word();
    if (name == "include" || name == "pragma") {
      skip_line();
      return;
    }
    add('#', line);
    add(kWordToken, line);
  }

  // `std::exp` is `exp`: the `::` goes, and the name before it.
  void skip_qualifier() {
    cursor_.advance();
    cursor_.advance();
    if (!tokens_.empty() && tokens_.back().code == kWordToken) tokens_.pop_back();
    ends_in_type_ = false;
  }

  static constexpr std::array<std::string_view, 5> kRawPrefixes = {"R", "LR", "uR", "UR", "u8R"};
  static constexpr std::array<std::string_view, 4> kPrefixes = {"L", "u", "U", "u8"};

  Cursor cursor_;
  std::size_t limit_;
  std::vector<Token> tokens_;
  std::int32_t last_line_ = 0;  // of the last token that was added
  bool ends_in_type_ = false;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source, std::size_t limit) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (source.starts_with(kByteOrderMark)) source.remove_prefix(kByteOrderMark.size());
  return Scanner(source, limit).scan();
}

}  // namespace grader
