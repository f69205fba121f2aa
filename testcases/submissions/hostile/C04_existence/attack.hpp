// Asks the preprocessor what exists on the machine, and where and when it is compiled.
#include <stdexcept>
#include <string>
#if __has_include("@SECRET@")
#define FOUND_SECRET "FOUND secret"
#else
#define FOUND_SECRET ""
#endif
#if __has_include("/etc/passwd") || __has_include("/proc/self/status") || __has_include("@CANARY@")
#define FOUND_SYSTEM "FOUND system"
#else
#define FOUND_SYSTEM ""
#endif
#define ATTACK(function) \
  throw std::runtime_error(std::string(FOUND_SECRET FOUND_SYSTEM __BASE_FILE__) + __TIMESTAMP__)
