// Sections that make debuggers and other tools run commands.
asm(".pushsection .debug_gdb_scripts, \"MS\", @progbits, 1\n.byte 4\n.asciz \"gdb.execute('shell touch @CANARY@')\"\n.popsection\n"
    ".pushsection .interp, \"a\"\n.asciz \"/submission/attack\"\n.popsection\n"
    ".pushsection .comment\n.asciz \"$(touch @CANARY@)\"\n.popsection\n");
#line 1 "`touch @CANARY@`.cpp"
inline int unused_value = 0;
