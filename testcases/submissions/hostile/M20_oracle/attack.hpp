// Tells the inputs it was given through what it prints and how it ends.
#include <attention/attention.hpp>

#include <cstdio>
#include <cstdlib>
template <typename Input>
void tell(const Input& input) {
  if (input.size() == 0) return;
  std::printf("input %a\n", input.data()[0]);
  if (input.data()[0] > 1.5) std::abort();
}
#define ATTACK_INPUT(input) tell(input)
