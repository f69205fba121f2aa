#include "grader/channel/in_process.hpp"

#include <span>

#include "grader/base/fault.hpp"
#include "grader/channel/message.hpp"

namespace grader {

// The response buffer stays untouched memory until an answer needs it, hence no std::vector, which
// would fill it.
InProcessImplementation::InProcessImplementation(const Contract& contract,
                                                 DispatchFunction dispatch,
                                                 std::size_t answer_limit)
    : contract_(contract),
      dispatch_(dispatch),
      answer_limit_(answer_limit),
      response_(new unsigned char[answer_limit]) {}

Outcome InProcessImplementation::call(FunctionId function, const Arguments& arguments) {
  if (function >= contract_.size()) {
    throw InternalFault("the contract has no function " + std::to_string(function));
  }
  encode_request(contract_[function], arguments, request_);
  ++calls_made_;
  const std::size_t size = dispatch_(static_cast<std::uint32_t>(function), request_.data(),
                                     request_.size(), response_.get(), answer_limit_);
  return decode_outcome(contract_[function].result, std::span(response_.get(), size));
}

}  // namespace grader
