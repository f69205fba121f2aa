// Asks the compiler to load a plugin from within the source.
__attribute__((optimize("plugin=./attack.so"))) void one() {}
#pragma GCC optimize("-fplugin=./attack.so", "-wrapper=/bin/sh")
asm(".section .note.GNU-split-stack,\"\",@progbits\n.text\n");
