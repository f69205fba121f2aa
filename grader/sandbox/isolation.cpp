#include "grader/sandbox/isolation.hpp"

#include "grader/sandbox/bubblewrap.hpp"
#include "grader/sandbox/cgroup.hpp"
namespace grader {
Isolation probe_isolation() { return Isolation{bubblewrap().works ? "L3" : "none", {}}; }
}  // namespace grader
