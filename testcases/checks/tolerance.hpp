// The one tolerance: how far a correct double implementation may be from the exact result.
//
// u = 2^-53. B is the size of what a row's logits are added up from: the largest, over the keys
// that the options make visible, of scale·Σ_c|Q_ic||K_jc|. A correct implementation in any usual
// style makes at most (d_k + 12)·B·u of absolute error in an exponent (dot product in any order,
// scale, subtracted maximum, rescaling of an online softmax or of log-sum-exp), and 3n + 16 more
// roundings in exp, sum and division. Numerator and denominator together give
//
//     E = u·((d_k + 12)·B + 3n + 16)        relative_error = expm1(2E)
//
// Everything below is built from that. Always accept with `error <= tolerance`, so that NaN fails.
#pragma once

#include <cstdint>

namespace attention_assignment {

inline constexpr double kUnitRoundoff = 0x1p-53;
/// What underflow may leave: the smallest normal number (vectorised exp functions clamp there).
inline constexpr double kTiny = 0x1p-1022;
inline constexpr double kSmallestSubnormal = 0x1p-1074;
/// Rows with a larger relative error cannot be judged by this bound.
inline constexpr double kLargestRelativeError = 1e-3;
/// Of an entropy, and of the order between two entropies (nats).
inline constexpr double kEntropyTolerance = 1e-9;

/// expm1(2E) for a row of n keys whose logits are added up from `largest_magnitude`.
[[nodiscard]] double relative_error(std::int64_t n, std::int64_t d_k, double largest_magnitude);

/// The same for a direct softmax(z): nothing was added up, and B is the largest finite |z|.
[[nodiscard]] double softmax_relative_error(std::int64_t n, double largest_logit);

/// Of one logit; `magnitude` is scale·Σ_c|Q_ic||K_jc| of this very entry.
[[nodiscard]] double logit_tolerance(std::int64_t d_k, double magnitude);

/// Of one weight against `expected`.
[[nodiscard]] double weight_tolerance(double relative_error, double expected);

/// Of a row's sum against one.
[[nodiscard]] double row_sum_tolerance(double relative_error, std::int64_t n);

/// Of one output entry. `weight` is 1 against a reference and Σ_j|W_ij| on own weights;
/// `largest_value` is the largest |V_jc| among the keys that count, `sum_of_values` is Σ_j|V_jc|.
[[nodiscard]] double output_tolerance(double relative_error, double weight, double largest_value,
                                      double sum_of_values, std::int64_t n);

}  // namespace attention_assignment
