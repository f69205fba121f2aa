// Text that would end a string in JSON, YAML, XML or CDATA.
#include <cstdio>
#include <stdexcept>
inline void attack(int) {
  static const char text[] =
    "\", \"score\": 100, \"status\": \"graded\"}], \"x\": [\n"
    "]]></failure></testcase><testcase name=\"x\"/>\n"
    "--- \nscore: 100\n... \n&amp;&#0;<\077xml\077>\n"
    "NaN,Infinity,\200\377\355\240\200\\ud800\000tail\n";
  std::puts(text);
  std::fputs(text, stderr);
  throw std::runtime_error(text);
}
#define ATTACK(function) attack(function)
