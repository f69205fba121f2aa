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
#define ASK __has_include
#define FILE "@SECRET@"
#if ASK(FILE) || ASK("@LOCAL_SECRET@")
#define FOUND_OTHERWISE "FOUND otherwise"
#else
#define FOUND_OTHERWISE ""
#endif
#if __has_include("@OUTSIDE@/../../../../../../../../../../../../usr/include/stdio.h")
#define FOUND_FOLDER "FOUND folder"
#else
#define FOUND_FOLDER ""
#endif
#define ATTACK(function) \
  throw std::runtime_error(std::string(FOUND_SECRET FOUND_SYSTEM FOUND_OTHERWISE FOUND_FOLDER __BASE_FILE__) + __TIMESTAMP__)
