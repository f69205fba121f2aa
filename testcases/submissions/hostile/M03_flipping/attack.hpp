// A thread flips the result between right and wrong while it is read.
#include <attention/attention.hpp>

#include <atomic>
#include <thread>
static std::atomic<double*> place{nullptr};
inline void spoil(attention::Attention& all) {
  static bool started = false;
  place = all.output.data();
  if (started) return;
  started = true;
  std::thread([] {
    for (long i = 0; i < 5000000; ++i) {
      volatile double* value = place.load();
      const double old = *value;
      *value = 1e6;
      *value = old;
    }
  }).detach();
}
template <typename Other>
void spoil(Other&) {}

#define ATTACK_RESULT(result) spoil(result)
