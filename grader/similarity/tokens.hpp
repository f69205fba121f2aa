// A C++ source as a sequence of tokens without what is easily changed: the form in which
// submissions are compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace grader {

/// One token. Equal codes mean "the same to a comparison".
struct Token {
  std::uint8_t code = 0;
  std::int32_t line = 0;  ///< of its first character, from 1
};

/// Codes above those of ASCII punctuators, which stand for themselves.
enum TokenCode : std::uint8_t {
  kWordToken = 128,  ///< every name, and every built-in type
  kNumberToken,      ///< every number, character, true, false and nullptr
  kStringToken,      ///< every string, and a run of them
  kFirstKeyword,     ///< keywords that say what the code does follow
};

/// At most `limit` tokens of `source`, in the order of the text. Any bytes are a source: what is no
/// C++ becomes some tokens, in time linear in its size.
///
/// Left out: comments, white space, line splices, #include and #pragma lines, braces, what
/// qualifies a name (`std::`) and words that change no step of the computation (const, inline,
/// static, …). Alike: all names and built-in types; all numbers; all strings, raw ones and runs
/// included; `and` and `&&` and their like. So renaming, re-formatting, commenting and other
/// constants leave the sequence as it is.
[[nodiscard]] std::vector<Token> tokens_of(std::string_view source, std::size_t limit);

}  // namespace grader
