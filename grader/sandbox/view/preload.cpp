// The library that compilers are started with in boxes that have no file system of their own: see
// view.hpp. It stands in front of every call by which compiler, assembler and linker look at files
// by name. It needs nothing of the C++ library, since the assembler has none.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "grader/sandbox/view/view.hpp"

namespace {

/// False, with errno as for a name that does not exist, when `path` is not in view.
bool is_visible(const char* path) {
  const char* view = std::getenv(grader::view::kVariable);
  if (view == nullptr || path == nullptr || grader::view::contains(view, path)) return true;
  errno = ENOENT;
  return false;
}

/// What the kernel refuses does not exist either.
void hide_refusal() {
  if (errno == EACCES || errno == EPERM) errno = ENOENT;
}

int open_visible(int directory, const char* path, int flags, mode_t mode) {
  if (!is_visible(path)) return -1;
  const long opened = ::syscall(SYS_openat, directory, path, flags, mode);
  if (opened < 0 && (flags & O_CREAT) == 0) hide_refusal();
  return static_cast<int>(opened);
}

int examine(int directory, const char* path, struct stat* status, int flags) {
  // An empty name means the descriptor itself.
  if ((flags & AT_EMPTY_PATH) == 0 && !is_visible(path)) return -1;
  const long result = ::syscall(SYS_newfstatat, directory, path, status, flags);
  if (result < 0) hide_refusal();
  return static_cast<int>(result);
}

/// The C library's own function of that name.
template <class Function>
Function* original(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 ? static_cast<mode_t>(va_arg(arguments, int)) : 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_visible(AT_FDCWD, path, flags, mode);
}

int openat(int directory, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_visible(directory, path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  if (!is_visible(path)) return nullptr;
  FILE* file = original<decltype(fopen)>("fopen")(path, mode);
  if (file == nullptr && *mode == 'r') hide_refusal();
  return file;
}

int stat(const char* path, struct stat* status) { return examine(AT_FDCWD, path, status, 0); }

int lstat(const char* path, struct stat* status) {
  return examine(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}

int fstatat(int directory, const char* path, struct stat* status, int flags) {
  return examine(directory, path, status, flags);
}

int access(const char* path, int mode) {
  if (!is_visible(path)) return -1;
  return static_cast<int>(::syscall(SYS_faccessat, AT_FDCWD, path, mode));
}

ssize_t readlink(const char* path, char* target, size_t size) {
  if (!is_visible(path)) return -1;
  return ::syscall(SYS_readlinkat, AT_FDCWD, path, target, size);
}

char* realpath(const char* path, char* resolved) {
  return is_visible(path) ? original<decltype(realpath)>("realpath")(path, resolved) : nullptr;
}

DIR* opendir(const char* path) {
  if (!is_visible(path)) return nullptr;
  DIR* directory = original<decltype(opendir)>("opendir")(path);
  if (directory == nullptr) hide_refusal();
  return directory;
}

// The same under the names that programs with 64-bit file offsets ask for.
int open64(const char* path, int flags, ...) __attribute__((alias("open")));
int openat64(int directory, const char* path, int flags, ...) __attribute__((alias("openat")));
FILE* fopen64(const char* path, const char* mode) __attribute__((alias("fopen")));

#ifdef __x86_64__  // where the two structures are one
int stat64(const char* path, struct stat64* status) {
  return stat(path, reinterpret_cast<struct stat*>(status));
}
int lstat64(const char* path, struct stat64* status) {
  return lstat(path, reinterpret_cast<struct stat*>(status));
}
int fstatat64(int directory, const char* path, struct stat64* status, int flags) {
  return fstatat(directory, path, reinterpret_cast<struct stat*>(status), flags);
}
#endif

}  // extern "C"
