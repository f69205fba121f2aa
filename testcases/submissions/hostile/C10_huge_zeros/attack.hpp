// An array of zeros larger than the address space: it compiles to nothing and cannot be loaded.
char zeros[1ULL << 44U];
#define ATTACK(function) (zeros[static_cast<unsigned>(function)] = 1)
