#include "toy/mean.hpp"

double toy::mean(const Row& values) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < values.size(); ++i) sum += values[i];
  return sum / values.size();
}
