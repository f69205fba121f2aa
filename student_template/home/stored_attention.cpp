#include "home/stored_attention.hpp"

#include <array>
#include <span>
#include <stdexcept>

namespace attention_home {
namespace {

constexpr std::array<Options, 4> kCombinations = {Options{true, true}, Options{true, false},
                                                  Options{false, true}, Options{false, false}};

std::size_t index_of(const Options& options) {
  return (options.causal ? 0U : 2U) + (options.scaled ? 0U : 1U);
}

void append(std::vector<double>& target, const grader::Matrix& matrix) {
  target.insert(target.end(), matrix.entries.begin(), matrix.entries.end());
}

grader::Matrix take(std::span<const double>& numbers, std::int64_t rows, std::int64_t columns) {
  grader::Matrix matrix(rows, columns);
  if (numbers.size() < matrix.entries.size()) {
    throw std::runtime_error("the stored numbers do not have the size of their inputs");
  }
  const auto part = numbers.first(matrix.entries.size());
  matrix.entries = {part.begin(), part.end()};
  numbers = numbers.subspan(matrix.entries.size());
  return matrix;
}

}  // namespace

Key StoredAttention::key(const AttentionInputs& inputs) {
  return KeyBuilder(Question::attention).add(inputs.Q).add(inputs.K).add(inputs.V).key();
}

std::vector<double> StoredAttention::pack(const Trusted& trusted, const AttentionInputs& inputs) {
  std::vector<double> numbers;
  AttentionInputs variant = inputs;
  for (const Options& options : kCombinations) {
    variant.options = options;
    const ExpectedAttention answer = trusted.attention(variant);
    append(numbers, answer.result.logits);
    append(numbers, answer.result.weights);
    append(numbers, answer.result.output);
    append(numbers, answer.magnitudes);
  }
  return numbers;
}

std::optional<StoredAttention> StoredAttention::find(const Numbers& numbers,
                                                     const AttentionInputs& inputs) {
  const std::vector<double>* found = numbers.find(key(inputs));
  if (found == nullptr) return std::nullopt;
  std::span<const double> rest(*found);
  const std::int64_t n = inputs.n();
  StoredAttention stored;
  for (std::size_t combination = 0; combination < kCombinations.size(); ++combination) {
    ExpectedAttention answer;
    answer.result.logits = take(rest, n, n);
    answer.result.weights = take(rest, n, n);
    answer.result.output = take(rest, n, inputs.d_v());
    answer.magnitudes = take(rest, n, n);
    stored.answers_.push_back(std::move(answer));
  }
  return stored;
}

const ExpectedAttention& StoredAttention::under(const Options& options) const {
  return answers_[index_of(options)];
}

}  // namespace attention_home
