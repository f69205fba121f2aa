#include "grader/class_report/student_status.hpp"

#include "grader/base/fault.hpp"

namespace grader {

std::string_view name_of(StudentStatus status) {
  switch (status) {
    case StudentStatus::graded: return "graded";
    case StudentStatus::not_built: return "not_built";
    case StudentStatus::refused: return "refused";
    case StudentStatus::needs_attention: return "needs_attention";
    case StudentStatus::missing: return "missing";
    case StudentStatus::excused: return "excused";
  }
  throw InternalFault("no such status of a student");
}

std::string_view words_for(StudentStatus status) {
  switch (status) {
    case StudentStatus::graded: return "graded";
    case StudentStatus::not_built: return "does not compile";
    case StudentStatus::refused: return "refused";
    case StudentStatus::needs_attention: return "not graded";
    case StudentStatus::missing: return "not handed in";
    case StudentStatus::excused: return "excused";
  }
  throw InternalFault("no such status of a student");
}

}  // namespace grader
