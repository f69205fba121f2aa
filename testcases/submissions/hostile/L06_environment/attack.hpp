// Sets the loader's variables and asks for libraries by path.
#include <dlfcn.h>
#include <cstdlib>
#include <iconv.h>
inline void attack(int function) {
  setenv("LD_PRELOAD", "/submission/attack.so", 1);
  setenv("LD_LIBRARY_PATH", "/submission", 1);
  setenv("GCONV_PATH", "/submission", 1);
  if (function == 1) dlopen("/submission/attack.so", RTLD_NOW);
  if (function == 3) dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL);
  if (function == 5) iconv_open("HOSTILE", "UTF-8");
  if (function == 6) dlmopen(LM_ID_NEWLM, "libc.so.6", RTLD_NOW);
}
#define ATTACK(function) attack(function)
