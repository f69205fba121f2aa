#include "rows.hpp"

#include <cmath>
#include <limits>

#include "attention.hpp"  // again, under its short name

namespace rows {

attention::RowVector logits(attention::Index i, const attention::Matrix& Q,
                            const attention::Matrix& K, const attention::Options& options) {
  attention::RowVector z = Q.row(i) * K.transpose();
  if (options.scaled) z /= std::sqrt(static_cast<double>(K.cols()));
  if (options.causal) {
    for (attention::Index j = i + 1; j < z.size(); ++j) {
      z(j) = -std::numeric_limits<double>::infinity();
    }
  }
  return z;
}

double entropy(const attention::RowVector& weights) {
  double sum = 0.0;
  for (const double w : weights) {
    if (w > 0.0) {
      sum += w * std::log(w);
    }
  }
  return -sum;
}

}  // namespace rows
