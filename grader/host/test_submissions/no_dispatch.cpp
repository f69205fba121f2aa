// A shared object without the symbol that the host looks up.
extern "C" int something_else() { return 1; }
