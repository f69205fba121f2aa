// Hundreds of loops at compile time, each below the compiler's own limit.
constexpr long count(long seed) {
  long sum = seed;
  for (long i = 0; i < 200000; ++i) sum += i % 7;
  return sum;
}
template <long... seeds>
struct Loops {
  static constexpr long sum = (count(seeds) + ...);
};
template <long a>
struct Ten : Loops<a, a + 1, a + 2, a + 3, a + 4, a + 5, a + 6, a + 7, a + 8, a + 9> {};
template <long a>
constexpr long hundred() {
  return Ten<a>::sum + Ten<a + 10>::sum + Ten<a + 20>::sum + Ten<a + 30>::sum + Ten<a + 40>::sum +
         Ten<a + 50>::sum + Ten<a + 60>::sum + Ten<a + 70>::sum + Ten<a + 80>::sum + Ten<a + 90>::sum;
}
static_assert(hundred<0>() + hundred<100>() + hundred<200>() + hundred<300>() + hundred<400>() != 0);
static_assert(hundred<500>() + hundred<600>() + hundred<700>() + hundred<800>() != 0);
static_assert(hundred<1000>() + hundred<1100>() + hundred<1200>() + hundred<1300>() != 0);
