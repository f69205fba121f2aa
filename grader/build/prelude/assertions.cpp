// Linked into every submission: what an Eigen assertion says when it does not hold.
#include "assertions.hpp"

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

namespace attention_grader {
namespace {

struct Explanation {
  std::string_view part;  // of the condition or of the function it stands in
  std::string_view words;
};

// The first that fits counts: conditions of Eigen 3.4 that carry no sentence of their own, and
// those whose sentence is hard to read.
constexpr std::array<Explanation, 14> kExplanations = {{
    {"invalid matrix product",
     "matrix product of sizes that do not fit: columns of the left must equal rows of the right"},
    {"aLhs.rows() == aRhs.rows()",
     "coefficient-wise operation (+, -, array product, select, …) on "
     "operands of different sizes"},
    {"dst.rows() == src.rows()", "assignment between different sizes"},
    {"rows() == other.rows()", "operands of different sizes"},
    {"size() == other.size()", "dot product or comparison of vectors of different sizes"},
    {"startRow >= 0", "block() reaches outside of the matrix"},
    {"BlockRows==1", "row() or col() with an index outside of the matrix"},
    {"start >= 0", "segment(), head() or tail() reaches outside of the vector"},
    {"row >= 0 && row < rows()", "element (row, column) outside of the matrix"},
    {"rowId >= 0", "element (row, column) outside of the matrix"},
    {"index >= 0 && index < size()", "element outside of the vector or matrix"},
    {"this->rows()>0", "maximum or minimum of an empty matrix"},
    {"rows()>0 && this->cols()>0", "reduction (maxCoeff, minCoeff, mean, …) of an empty matrix"},
    {"rows >= 0", "negative size"},
}};

// The sentences in the text of a condition: ….rows() == rows && "a sentence" && "another one".
std::string sentences_in(std::string_view condition) {
  std::string sentences;
  while (true) {
    const std::size_t begin = condition.find('"');
    if (begin == std::string_view::npos) return sentences;
    const std::size_t end = condition.find('"', begin + 1);
    if (end == std::string_view::npos) return sentences;
    if (!sentences.empty()) sentences += "; ";
    sentences += condition.substr(begin + 1, end - begin - 1);
    condition.remove_prefix(end + 1);
  }
}

std::string words_for(std::string_view condition) {
  for (const Explanation& explanation : kExplanations) {
    if (condition.find(explanation.part) != std::string_view::npos) {
      return std::string(explanation.words);
    }
  }
  const std::string sentences = sentences_in(condition);
  return sentences.empty() ? "this does not hold: " + std::string(condition) : sentences;
}

}  // namespace

void eigen_assertion_failed(const char* condition, const char* /*function*/) {
  throw std::logic_error("Eigen: " + words_for(condition));
}

}  // namespace attention_grader
