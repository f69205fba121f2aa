// A file that includes itself twice, at every depth.
#if __INCLUDE_LEVEL__ < 190
#include "attack.hpp"
#include "attack.hpp"
#endif
