// Writes the scorecard and every file that some grader reads results from.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cstdio>
inline void attack(int) {
  for (const char* name : {"@RESULTS@/scorecard.json", "@RESULTS@/results.json", "scorecard.json", "/scorecard.json",
                           "/autograder/results/results.json", "/output/scorecard.json", "../scorecard.json"}) {
    const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0) continue;
    static_cast<void>(write(file, "{\"status\": \"graded\", \"score\": 100}", 34));
    close(file);
  }
  if (std::FILE* file = std::fopen("@RESULTS@/scorecard.json", "w")) std::fputs("{}", file);
}
#define ATTACK(function) attack(function)
