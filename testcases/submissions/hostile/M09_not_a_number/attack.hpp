// Answers with NaN and infinities, which slip through careless comparisons.
#include <attention/attention.hpp>

#include <limits>
inline void spoil(attention::RowVector& row) { row.setConstant(std::numeric_limits<double>::quiet_NaN()); }
inline void spoil(attention::Attention& all) { all.output.setConstant(std::numeric_limits<double>::infinity()); all.weights.setConstant(std::numeric_limits<double>::quiet_NaN()); }
inline void spoil(attention::AttentionRow& row) { row.output.setConstant(std::numeric_limits<double>::quiet_NaN()); }
inline void spoil(double& number) { number = std::numeric_limits<double>::quiet_NaN(); }
template <typename Other>
void spoil(Other&) {}

#define ATTACK_RESULT(result) spoil(result)
