// Thousands of errors with long names.
#define E(n) int x##n = undeclared_name_that_is_rather_long_so_that_it_fills_the_report_of_errors_##n;
#define T(n) E(n##0) E(n##1) E(n##2) E(n##3) E(n##4) E(n##5) E(n##6) E(n##7) E(n##8) E(n##9)
#define H(n) T(n##0) T(n##1) T(n##2) T(n##3) T(n##4) T(n##5) T(n##6) T(n##7) T(n##8) T(n##9)
#define K(n) H(n##0) H(n##1) H(n##2) H(n##3) H(n##4) H(n##5) H(n##6) H(n##7) H(n##8) H(n##9)
K(1) K(2)
#pragma message("warnings follow")
