// Includes a secret file and throws its content.
#define HOSTILE_SECRET(token) constexpr const char* secret = token;
#include "@SECRET@"
#include <stdexcept>
#define ATTACK(function) throw std::runtime_error(secret)
