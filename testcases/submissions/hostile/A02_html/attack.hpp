// HTML, SVG and Markdown that would run or load something in a browser.
#include <cstdio>
#include <stdexcept>
inline void attack(int) {
  static const char text[] =
    "<script>alert(1)</script></script></pre></textarea><img src=x onerror=alert(1)>\n"
    "<svg onload=alert(1)> &lt;b&gt; '\"><iframe src=javascript:alert(1)>\n"
    "![x](http://example.invalid/track.png) [points](javascript:alert(1))\n"
    "````\n```\n# 100 / 100\n";
  std::puts(text);
  std::fputs(text, stderr);
  throw std::runtime_error(text);
}
#define ATTACK(function) attack(function)
