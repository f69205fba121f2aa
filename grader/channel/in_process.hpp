// An implementation that lives in this process: the reference, the misconception models, and the
// student's own code at home. Nothing is isolated here; a crash is a crash of the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "grader/channel/dispatch.hpp"
#include "grader/contract/implementation.hpp"

namespace grader {

/// Calls a DispatchFunction through the same bytes that the sandbox uses, so that both ways give
/// the same answers.
class InProcessImplementation : public Implementation {
 public:
  /// `contract` outlives this object. `answer_limit`: largest encoded answer, in bytes.
  InProcessImplementation(const Contract& contract, DispatchFunction dispatch,
                          std::size_t answer_limit = std::size_t{16} << 20);

  Outcome call(FunctionId function, const Arguments& arguments) override;
  [[nodiscard]] std::uint64_t calls_made() const override { return calls_made_; }

 private:
  const Contract& contract_;
  DispatchFunction dispatch_;
  std::size_t answer_limit_;
  std::vector<unsigned char> request_;
  std::unique_ptr<unsigned char[]> response_;
  std::uint64_t calls_made_ = 0;
};

}  // namespace grader
