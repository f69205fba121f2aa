// What is told about a submission's mistake: its name, why, and on what evidence.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace grader {

/// The id of a diagnosis that names no mistake: the stage is wrong in a way that nothing known
/// reproduces.
inline constexpr const char* kUnknownMistake = "unknown";

struct Diagnosis {
  std::string id;           ///< of a known mistake ("M02"), or kUnknownMistake
  std::string stage;        ///< where in the work it lies ("mask", "softmax", …)
  std::string title;        ///< what the code does, in a few words
  std::string explanation;  ///< what a tutor would say
  /// Of `cases` diagnostic inputs on which the submission does not do what is right, the mistake
  /// reproduces `agreeing`: all of them, or none for kUnknownMistake.
  struct Evidence {
    std::int64_t agreeing = 0;
    std::int64_t cases = 0;
  };
  Evidence evidence;
  std::vector<std::string> indistinguishable;  ///< ids of mistakes that answer alike
};

}  // namespace grader
