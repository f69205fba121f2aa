// Holds the reference to numbers that were computed outside this project.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "reference/trusted.hpp"
#include "testcases/checks/tolerance.hpp"

namespace reference {
namespace {

using attention_assignment::AttentionInputs;
using attention_assignment::ExpectedAttention;
using grader::Matrix;
using nlohmann::json;

/// Where a saturated row's weight may differ from one-hot.
constexpr double kOneHot = 1e-12;

Matrix matrix_of(const json& rows, std::int64_t columns) {
  Matrix matrix(static_cast<std::int64_t>(rows.size()), columns);
  std::size_t entry = 0;
  for (const json& row : rows) {
    for (const json& number : row) matrix.entries.at(entry++) = number.get<double>();
  }
  return matrix;
}

struct Tally {
  int compared = 0;
  int saturated_rows = 0;
  int other_sizes = 0;  ///< more keys than queries, or a mask of its own: not this contract
};

/// The bound of one row, or 0 when the row can only be compared as one-hot.
double bound_of_row(const AttentionInputs& inputs, const ExpectedAttention& own, std::int64_t row) {
  double largest = 0;
  for (std::int64_t j = 0; j < inputs.n(); ++j) {
    if (inputs.visible(row, j)) largest = std::max(largest, own.magnitudes(row, j));
  }
  const double relative = attention_assignment::relative_error(inputs.n(), inputs.d_k(), largest);
  return relative <= attention_assignment::kLargestRelativeError ? relative : 0;
}

/// The smallest |entry - 0 or 1| of a row must be tiny in both for a one-hot comparison.
void expect_same_one_hot(const Matrix& own, const Matrix& expected, std::int64_t row) {
  for (std::int64_t j = 0; j < expected.columns; ++j) {
    const double weight = expected(row, j);
    ASSERT_TRUE(weight <= kOneHot || weight >= 1 - kOneHot) << "row " << row << " is not one-hot";
    EXPECT_LE(std::abs(own(row, j) - weight), kOneHot) << "weight " << row << "," << j;
  }
}

void expect_within_bound(const AttentionInputs& inputs, const ExpectedAttention& own,
                         const json& vector, double flat_tolerance, Tally& tally) {
  const std::int64_t start = vector.value("expected_row_start", std::int64_t{0});
  const Matrix output = matrix_of(vector.at("expected"), inputs.d_v());
  const bool has_weights = vector.contains("expected_weights");
  const Matrix weights =
      has_weights ? matrix_of(vector.at("expected_weights"), inputs.n()) : Matrix{};
  for (std::int64_t row = start; row < inputs.n(); ++row) {
    const double relative = bound_of_row(inputs, own, row);
    if (relative == 0) {
      ++tally.saturated_rows;
      ASSERT_TRUE(has_weights);
      expect_same_one_hot(own.result.weights, weights, row);
    }
    for (std::int64_t j = 0; has_weights && relative != 0 && j < inputs.n(); ++j) {
      EXPECT_LE(std::abs(own.result.weights(row, j) - weights(row, j)),
                attention_assignment::weight_tolerance(relative, weights(row, j)) + flat_tolerance)
          << "weight " << row << "," << j;
    }
    for (std::int64_t c = 0; c < inputs.d_v(); ++c) {
      double largest = 0;
      double sum = 0;
      for (std::int64_t j = 0; j < inputs.n(); ++j) {
        if (inputs.visible(row, j)) largest = std::max(largest, std::abs(inputs.V(j, c)));
        sum += std::abs(inputs.V(j, c));
      }
      const double allowed = relative == 0 ? kOneHot : relative;
      const std::int64_t stored_row = output.rows == inputs.n() ? row : row - start;
      EXPECT_LE(std::abs(own.result.output(row, c) - output(stored_row, c)),
                attention_assignment::output_tolerance(allowed, 1, largest, sum, inputs.n()) +
                    flat_tolerance)
          << "output " << row << "," << c;
    }
  }
  ++tally.compared;
}

/// Third-party data are results of single precision, or printed digits; ours are doubles.
double flat_tolerance_of(const json& vector) {
  const auto type = vector.value("dtype", std::string("float64"));
  if (type.starts_with("float64") || type.starts_with("double")) return 0;
  if (type.find("digits") != std::string::npos) return 1e-7;
  if (type.starts_with("float16")) return 5e-4;
  return 3e-8;
}

void compare_file(const std::filesystem::path& file, Tally& tally) {
  SCOPED_TRACE(file.filename().string());
  std::ifstream stream(file);
  const json vector = json::parse(stream);
  const auto n = vector.at("n_q").get<std::int64_t>();
  if (n != vector.at("n_k").get<std::int64_t>() || vector.contains("allowed_mask")) {
    ++tally.other_sizes;
    return;
  }
  const auto d_k = vector.at("d_k").get<std::int64_t>();
  const auto d_v = vector.at("d_v").get<std::int64_t>();
  const double default_scale = 1 / std::sqrt(static_cast<double>(d_k));
  ASSERT_NEAR(vector.at("scale").get<double>(), default_scale, 1e-12);
  const AttentionInputs inputs{matrix_of(vector.at("Q"), d_k),
                               matrix_of(vector.at("K"), d_k),
                               matrix_of(vector.at("V"), d_v),
                               {vector.at("causal").get<bool>(), true}};
  expect_within_bound(inputs, ReferenceTrusted{}.attention(inputs), vector,
                      flat_tolerance_of(vector), tally);
}

Tally compare_folder(const std::filesystem::path& folder) {
  Tally tally;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".json") compare_file(entry.path(), tally);
  }
  return tally;
}

TEST(VectorsTest, ReferenceAgreesWithPyTorch) {
  const Tally tally = compare_folder(ATTENTION_VECTORS "/torch");
  EXPECT_EQ(tally.compared, 13);
  EXPECT_EQ(tally.other_sizes, 0);
}

TEST(VectorsTest, ReferenceAgreesWithHighPrecision) {
  const Tally tally = compare_folder(ATTENTION_VECTORS "/high_precision");
  EXPECT_EQ(tally.compared, 32);
  EXPECT_EQ(tally.other_sizes, 0);
}

TEST(VectorsTest, ReferenceAgreesWithFurtherVectors) {
  const char* folder = std::getenv("ATTENTION_GRADER_VECTORS");
  if (folder == nullptr) GTEST_SKIP() << "ATTENTION_GRADER_VECTORS names no folder";
  ASSERT_TRUE(std::filesystem::is_directory(folder)) << folder;
  const Tally tally = compare_folder(folder);
  EXPECT_GT(tally.compared, 0);
  RecordProperty("compared", tally.compared);
  RecordProperty("other_sizes", tally.other_sizes);
  std::cout << tally.compared << " compared, " << tally.other_sizes
            << " with another number of keys left out\n";
}

}  // namespace
}  // namespace reference
