// my answer
#include "attention/attention.hpp"
