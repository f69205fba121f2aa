// An indirect function whose resolver runs while the library is being loaded.
#include <unistd.h>
extern "C" {
static void chosen() {}
static void (*resolve())() { _exit(0); return chosen; }
__attribute__((ifunc("resolve"))) void hostile_choice();
}
#define ATTACK(function) hostile_choice()
