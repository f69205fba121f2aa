// The examples database of an assignment: inputs on which some submission failed before, and which
// every grading with this assignment tries again, before its random cases.
//
// They are kept in one file, examples.json, in the assignment's folder. Nothing is added to it
// while grading: what one submission fails on would else decide about the next one's grade, and the
// same seed would no longer give the same scorecard. The instructor adds to it when that is wanted
// (learn.hpp, `attention-grader learn`). Until then the grades of a class depend on nothing but
// assignment, seed and number of cases. The text of the file is part of a scorecard's
// `configuration`, and not of the assignment's digest: learning something does not make earlier
// scorecards those of another assignment, so that their counterexamples can still be replayed.
//
//   {"version": 1, "assignment": "attention",
//    "examples": [{"check": "mask.future_weights",
//                  "inputs": [{"name": "Q", "kind": "matrix", "value": {…}}, …]}, …]}
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/assignment/assignment.hpp"
#include "grader/engine/case.hpp"

namespace grader {

/// One stored input.
struct Example {
  std::string check;  ///< id
  Case test_case;
};

/// What such an input is called in reports.
inline constexpr std::string_view kExampleName = "an input that failed before";

/// Examples a check keeps.
inline constexpr std::size_t kExamplesOfCheck = 16;
/// Numbers that an example may consist of; smallest failing inputs have a dozen.
inline constexpr std::size_t kNumbersOfExample = 2048;

/// The examples in `document`, the text of the file that messages call `name`. Throws UsageFault
/// when it is damaged, of another version or of another assignment than `assignment`.
std::vector<Example> examples_from_json(std::string_view document, const std::string& assignment,
                                        const std::string& name);

std::string examples_to_json(const std::vector<Example>& examples, const std::string& assignment);

/// Examples that may be tried.
struct UsableExamples {
  std::map<std::string, std::vector<Case>> by_check;
  std::vector<std::string> left_out;  ///< a sentence for each example that may not, and why
};

/// Looks at each example as at something that anybody may have written. One is tried only if its
/// check exists and learns, its inputs have the form of that check's cases and lie in its domain,
/// and the reference passes on it: an example must never accuse anybody wrongly.
UsableExamples usable_examples(const std::vector<Example>& examples, const Judge& judge);

/// `example` in the form of its check's cases, or a sentence that says why it cannot be tried.
struct CheckedExample {
  Case test_case;
  std::string defect;
};
CheckedExample checked_example(const Example& example, const Judge& judge,
                               Implementation& reference);

}  // namespace grader
