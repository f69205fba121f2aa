// Returns at once and does the work in the background.
#include <attention/attention.hpp>

#include <thread>
#include <memory>
inline void spoil(attention::AttentionRow& row) {
  auto kept = std::make_shared<attention::RowVector>(row.output);
  double* target = row.output.data();
  row.output.setZero();
  std::thread([kept, target] { for (Eigen::Index i = 0; i < kept->size(); ++i) target[i] = (*kept)(i); }).detach();
}
template <typename Other>
void spoil(Other&) {}

#define ATTACK_RESULT(result) spoil(result)
