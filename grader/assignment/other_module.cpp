// A shared object that loads and is no judge module.
extern "C" int not_a_judge() { return 0; }
