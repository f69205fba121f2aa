// Lines that continuous integration obeys.
#include <cstdio>
#include <stdexcept>
inline void attack(int) {
  static const char text[] =
    "::set-output name=score::100\n"
    "::error file=x,line=1::done\n"
    "::add-mask::0\n"
    "##[set-output score=100]\n"
    "##vso[task.complete result=Succeeded;]\n"
    "##teamcity[buildStatus status='SUCCESS']\n"
    "section_start:1:x\015\033[0K\n";
  std::puts(text);
  std::fputs(text, stderr);
  throw std::runtime_error(text);
}
#define ATTACK(function) attack(function)
