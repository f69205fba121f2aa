// Code that runs at exit tries to change results and the exit code.
#include <fcntl.h>
#include <unistd.h>
#include <cstdlib>
struct Late {
  ~Late() {
    const int file = open("@RESULTS@/scorecard.json", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file >= 0) static_cast<void>(write(file, "{\"score\": 100}", 14));
    _exit(0);
  }
};
static Late late;
static const int registered = std::atexit([] { _exit(0); });
