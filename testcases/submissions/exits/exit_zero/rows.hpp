#ifndef ROWS_HPP
#define ROWS_HPP

// helpers for single rows, used by attention.cpp

#include "attention/attention.hpp"

namespace rows {

attention::RowVector logits(attention::Index i, const attention::Matrix& Q,
                            const attention::Matrix& K, const attention::Options& options);
double entropy(const attention::RowVector& weights);

}  // namespace rows

#endif
