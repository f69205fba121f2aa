// The grader's side of the wire: requests from typed values, outcomes from bytes that a submission
// wrote.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "grader/contract/implementation.hpp"
#include "grader/contract/value.hpp"

namespace grader {

/// Appends nothing but the request's bytes to an emptied `request`, so that a caller can reuse it.
/// Throws InternalFault when the arguments do not have the types of `function`'s parameters.
void encode_request(const Function& function, const Arguments& arguments,
                    std::vector<unsigned char>& request);

/// How a call ended according to `response`, whose value must have type `type` exactly. Anything
/// else (wrong tag, impossible size, bytes missing or left over) is Ending::malformed with a
/// message. Reads nothing outside `response`, allocates no more than it holds, never throws for
/// what is in it; recursion is as deep as `type`.
Outcome decode_outcome(const Type& type, std::span<const unsigned char> response);

}  // namespace grader
