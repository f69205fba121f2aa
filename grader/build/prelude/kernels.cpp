// Linked into every submission: the definitions that kernels.hpp promises. Compiled with the
// precompiled header in front, as submissions are.
#ifdef ATTENTION_GRADER_HAS_KERNELS
#define KERNEL
#include "kernels.inc"
#endif
