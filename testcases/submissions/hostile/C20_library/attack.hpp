// Lets a library do the work.
#include <cblas.h>
extern "C" void cblas_dgemm(...);
#define ATTACK(function) cblas_dgemm()
