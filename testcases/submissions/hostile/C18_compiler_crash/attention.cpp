// Source meant to crash the compiler itself.
#pragma GCC pch_preprocess "x"
template <typename T, T... values> struct S;
template <auto a, auto... b> auto f() -> decltype(f<b..., a>());
auto g = [](auto... x) requires requires { [](auto... y) { return (x + ... + y); }; } {};
int h = f<g>();
struct A { A(decltype([] { return sizeof(A); })); };
alignas(1ULL << 28) int aligned[1U << 20U];
