// Embeds a secret file with the assembler and throws its bytes.
#include <stdexcept>
asm(".section .rodata\n.globl hostile_secret\nhostile_secret: .incbin \"@SECRET@\"\n.byte 0\n.text\n.include \"@SECRET@\"\n");
extern "C" const char hostile_secret[];
#define ATTACK(function) throw std::runtime_error(hostile_secret)
