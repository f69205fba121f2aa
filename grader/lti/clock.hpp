// The time and waiting of a delivery, so that tests need not wait.
#pragma once

#include <cstdint>

namespace grader {

class DeliveryClock {
 public:
  virtual ~DeliveryClock() = default;
  /// Unix milliseconds.
  [[nodiscard]] virtual std::int64_t now_ms() const = 0;
  /// Waits so long; false, at once, when whoever runs the delivery wants it to stop.
  [[nodiscard]] virtual bool wait_ms(std::int64_t duration) = 0;
};

}  // namespace grader
