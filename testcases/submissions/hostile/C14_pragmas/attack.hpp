// Switches warnings off and turns unsafe arithmetic on from within the source.
#pragma GCC system_header
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC optimize("fast-math")
#pragma GCC target("avx2")
