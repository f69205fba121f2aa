// Answers with zeros where a fixed tolerance would be met by small numbers.
#include <attention/attention.hpp>

inline void spoil(attention::RowVector& row) { row.setZero(); }
inline void spoil(attention::Attention& all) { all.logits.setZero(); all.weights.setZero(); all.output.setZero(); }
inline void spoil(attention::AttentionRow& row) { row.logits.setZero(); row.weights.setZero(); row.output.setZero(); }
inline void spoil(double& number) { number = 0; }
template <typename Other>
void spoil(Other&) {}

#define ATTACK_RESULT(result) spoil(result)
