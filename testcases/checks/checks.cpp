#include "testcases/checks/checks.hpp"

#include <iterator>
#include <utility>

#include "testcases/checks/assertions.hpp"
#include "testcases/checks/presentation.hpp"

namespace attention_assignment {

using grader::Check;

std::vector<Check> all_checks(const Trusted& trusted) {
  std::vector<Check> all;
  const auto append = [&all](std::vector<Check> some) {
    all.insert(all.end(), std::make_move_iterator(some.begin()),
               std::make_move_iterator(some.end()));
  };
  append(shapes_checks(trusted));
  append(scaling_checks(trusted));
  append(mask_checks());
  append(softmax_checks(trusted));
  append(values_checks(trusted));
  append(assertion_checks());
  append(whole_checks(trusted));
  present(all);
  return all;
}

std::vector<std::string> checks_that_need_trusted() {
  return {"shapes.ledger",      "scaling.logits",     "scaling.entropy",   "scaling.variance",
          "entropy.value",      "softmax.values",     "softmax.stability", "values.weighted_sum",
          "values.projections", "agreement.reference"};
}

std::vector<std::string> end_to_end_checks() {
  return {"mask.future_weights", "mask.past_invariance", "agreement.reference",
          "purity.repeatable"};
}

}  // namespace attention_assignment
