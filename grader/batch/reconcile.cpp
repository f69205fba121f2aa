#include "grader/batch/reconcile.hpp"

#include <algorithm>
#include <iterator>

#include "grader/base/fault.hpp"
#include "grader/batch/overrides.hpp"
#include "grader/batch/run_files.hpp"

namespace grader {

Reconciled reconcile(const BatchLayout& layout, Gradebook& gradebook) {
  const std::vector<std::string> on_disk = layout.run_folders();
  const std::vector<std::string> known = gradebook.run_folders();
  std::vector<std::string> gone;
  std::vector<std::string> unknown;
  std::ranges::set_difference(known, on_disk, std::back_inserter(gone));
  std::ranges::set_difference(on_disk, known, std::back_inserter(unknown));
  Reconciled result;
  const auto bundle = gradebook.bundle();
  for (const std::string& folder : gone) gradebook.forget_run(folder);
  result.forgotten = gone.size();
  for (const std::string& folder : unknown) {
    try {
      const StoredRun stored = read_run(layout.root(), folder);
      gradebook.put_run(stored.attempt.submission, stored.run);
      gradebook.put_student({stored.attempt.submission.student, stored.attempt.name});
      ++result.entered;
    } catch (const UsageFault& fault) {
      result.damaged.push_back(folder + " is left out: " + fault.what());
    }
  }
  gradebook.put_overrides(read_overrides(layout.overrides()));
  bundle->commit();
  return result;
}

}  // namespace grader
