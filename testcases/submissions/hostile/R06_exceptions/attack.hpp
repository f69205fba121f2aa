// Throws what a careless program does not catch.
#include <cstdlib>
#include <exception>
#include <stdexcept>
struct Loud : std::exception {
  const char* what() const noexcept override { std::_Exit(0); }
};
struct Silent : std::exception {
  const char* what() const noexcept override { return nullptr; }
};
struct Nested : std::exception {
  const char* what() const noexcept override { throw 1; }
};
inline void fatal() noexcept { throw 42; }
inline void attack(int function) {
  switch (function % 6) {
    case 0: throw 42;
    case 1: throw Loud();
    case 2: throw Silent();
    case 3: throw Nested();
    case 4: fatal(); break;
    default: std::set_terminate([] { std::_Exit(0); }); std::terminate();
  }
}
#define ATTACK(function) attack(function)
