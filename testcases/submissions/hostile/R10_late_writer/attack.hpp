// A thread goes on changing the result after it was returned.
#include <thread>
#include <attention/attention.hpp>
static double* target = nullptr;
inline void spoil(attention::Attention& result) {
  if (target == nullptr) {
    std::thread([] {
      for (long i = 0; i < 2000000; ++i) *static_cast<volatile double*>(target) = 0.5;
    }).detach();
  }
  target = result.output.data();
}
template <typename Result>
void spoil(Result&) {}
#define ATTACK_RESULT(result) spoil(result)
