// Comes after the contract in the precompiled header. Matrix products of doubles instantiate
// hundreds of lines of Eigen each time they are compiled; these are compiled once, in kernels.cpp,
// and every submission only links them. An assignment whose contract is without Eigen skips all.
#pragma once

#ifdef EIGEN_CORE_H
#if EIGEN_VERSION_AT_LEAST(3, 4, 0) && !EIGEN_VERSION_AT_LEAST(3, 4, 90)
#define ATTENTION_GRADER_HAS_KERNELS

namespace Eigen::internal {
using KernelTraits = gebp_traits<double, double>;
template <int order>
using KernelMapper = const_blas_data_mapper<double, Index, order>;
}  // namespace Eigen::internal

#define KERNEL extern
#include "kernels.inc"
#undef KERNEL

#endif
#endif
