// Remembers its last answer as long as the first number of the input is the same.
#include <attention/attention.hpp>

static double first = 0;
template <typename Input>
void look(const Input& input) { if (input.size() > 0) first = input.data()[0]; }
inline void spoil(attention::Attention& all) {
  static attention::Attention last;
  static double asked = -1;
  if (asked == first && last.output.rows() == all.output.rows() && last.output.cols() == all.output.cols()) all = last;
  last = all;
  asked = first;
}
template <typename Other>
void spoil(Other&) {}
#define ATTACK_INPUT(input) look(input)

#define ATTACK_RESULT(result) spoil(result)
