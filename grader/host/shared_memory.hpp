// Memory that the grader shares with a submission, by a descriptor that can be sealed.
#pragma once

#include <cstddef>

#include "grader/sandbox/descriptor.hpp"

namespace grader::host {

/// A block of memory behind a descriptor, mapped here for reading and writing. Pages take memory
/// only once they are touched.
class SharedMemory {
 public:
  enum class Sharing {
    both_write,       ///< whoever holds the descriptor may write
    only_here_write,  ///< whoever maps it after us may only read
  };
  /// Throws EnvironmentFault. The size never changes, so that no access here can ever fault.
  SharedMemory(const char* name, std::size_t size, Sharing sharing);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_.get(); }
  [[nodiscard]] unsigned char* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  Descriptor descriptor_;
  unsigned char* data_ = nullptr;
  std::size_t size_;
};

}  // namespace grader::host
