// Returns zeros at once and lets a thread write the answer later.
#include <attention/attention.hpp>

#include <thread>
inline void spoil(attention::Attention& all) {
  static attention::Matrix kept;
  kept = all.output;
  double* target = all.output.data();
  const auto size = all.output.size();
  all.output.setZero();
  std::thread([target, size] { for (int i = 0; i < 1000; ++i) for (long j = 0; j < size && j < kept.size(); ++j) target[j] = kept.data()[j]; }).detach();
}
template <typename Other>
void spoil(Other&) {}

#define ATTACK_RESULT(result) spoil(result)
