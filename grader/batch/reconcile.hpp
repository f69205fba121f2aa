// Brings the gradebook in line with the files of the runs, which are what counts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/batch/layout.hpp"
#include "grader/gradebook/gradebook.hpp"

namespace grader {

struct Reconciled {
  std::size_t entered = 0;           ///< runs that the gradebook did not know
  std::size_t forgotten = 0;         ///< runs whose files are gone
  std::vector<std::string> damaged;  ///< runs that cannot be read: a sentence each
};

/// Enters the runs on the disk that `gradebook` does not know, forgets those that are gone, and
/// copies the overrides. On an empty gradebook this makes it again. Throws UsageFault when
/// overrides.jsonl is damaged.
Reconciled reconcile(const BatchLayout& layout, Gradebook& gradebook);

}  // namespace grader
