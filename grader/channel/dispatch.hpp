// The one symbol that a submission's shared object exports to the host. An assignment's
// dispatch.cpp defines it (dispatch_table.hpp does the work); the same function serves the student
// at home and the reference, in process.
#pragma once

#include <cstddef>
#include <cstdint>

/// Decodes the arguments of function `function` from `request`, calls it, and encodes how the call
/// ended into `response` (at most `capacity` bytes). Returns the number of bytes written, or 0
/// when even the shortest answer does not fit. Never throws.
extern "C" std::size_t attention_grader_dispatch(std::uint32_t function,
                                                 const unsigned char* request,
                                                 std::size_t request_size, unsigned char* response,
                                                 std::size_t capacity) noexcept;

namespace grader {
using DispatchFunction = decltype(&attention_grader_dispatch);
}
