// Answers again what it answered for inputs of the same size.
#include <attention/attention.hpp>

#include <map>
#include <utility>
inline void spoil(attention::Attention& all) {
  static std::map<std::pair<Eigen::Index, Eigen::Index>, attention::Attention> known;
  all = known.try_emplace({all.output.rows(), all.output.cols()}, all).first->second;
}
template <typename Other>
void spoil(Other&) {}

#define ATTACK_RESULT(result) spoil(result)
