#include "toy/mean.hpp"

namespace toy {

double mean(const Row& values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum / values.size();
}

}  // namespace toy
