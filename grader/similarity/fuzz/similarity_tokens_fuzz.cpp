// The bytes are a source file.
#include <cstdlib>
#include <string>
#include <string_view>

#include "grader/similarity/comparison.hpp"
#include "grader/similarity/tokens.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace grader;
  const std::string source(reinterpret_cast<const char*>(data), size);
  const std::vector<Token> tokens = tokens_of(source, size);
  std::int32_t line = 1;
  for (const Token& token : tokens) {
    if (token.line < line) std::abort();
    line = token.line;
  }
  std::int32_t most_lines = 1;
  for (const char letter : source) most_lines += letter == '\n' ? 1 : 0;
  if (line > most_lines || tokens.size() > size) std::abort();
  // A text and the same text under another file name differ in nothing that counts.
  SubmissionComparison comparison({});
  comparison.add({{"a.cpp", source}});
  comparison.add({{"b.cpp", source}});
  const SimilarityReport report = comparison.report();
  if (!report.identical.empty()) std::abort();
  for (const SimilarPair& pair : report.pairs) {
    const bool is_whole = pair.share == 1 && pair.matching_lines <= most_lines;
    if (!is_whole || pair.longest_in_a.last_line > most_lines) std::abort();
  }
  return 0;
}
