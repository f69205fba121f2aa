#include "grader/host/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "grader/sandbox/process.hpp"

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

namespace grader::host {

SharedMemory::SharedMemory(const char* name, std::size_t size, Sharing sharing)
    : descriptor_(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING)), size_(size) {
  if (!descriptor_ || ::ftruncate(descriptor_.get(), static_cast<off_t>(size)) != 0) {
    throw_system_error("make shared memory");
  }
  void* mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_.get(), 0);
  if (mapped == MAP_FAILED) {
    throw_system_error("map shared memory");
  }
  data_ = static_cast<unsigned char*>(mapped);
  int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  if (sharing == Sharing::only_here_write) {
    seals |= F_SEAL_FUTURE_WRITE;
  }
  if (::fcntl(descriptor_.get(), F_ADD_SEALS, seals) != 0) {
    ::munmap(mapped, size);
    throw_system_error("seal shared memory");
  }
}

SharedMemory::~SharedMemory() { ::munmap(data_, size_); }

}  // namespace grader::host
