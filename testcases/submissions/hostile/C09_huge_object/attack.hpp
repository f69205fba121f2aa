// Constants of a gigabyte, in C++ and in the assembler.
char filled[1U << 30U] = {1};
asm(".data\n.fill 1 << 30, 1, 7\n.text\n");
