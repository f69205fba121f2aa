// Sleeps instead of computing, under the limit on processor time.
#include <unistd.h>
inline void attack(int function) {
  if (function == 5) usleep(2500000);
}
#define ATTACK(function) attack(function)
