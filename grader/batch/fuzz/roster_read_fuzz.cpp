// The bytes are a roster; its own students, and some strangers, answer the roll.
#include <cstdlib>
#include <set>

#include "grader/base/fault.hpp"
#include "grader/batch/roster.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace grader;
  const auto require = [](bool promise) {
    if (!promise) std::abort();
  };
  try {
    const Roster roster =
        roster_from_csv({reinterpret_cast<const char*>(data), size}, "roster.csv");
    std::vector<Attempt> attempts;
    std::set<std::string> ids;
    const auto answer = [&](const std::string& student, const std::string& name) {
      Attempt attempt;
      attempt.student = student;
      attempt.name = name;
      attempt.lms_ids["canvas_user"] = student;
      attempts.push_back(attempt);
    };
    for (const Student& student : roster.students) {
      require(!student.id.empty() && student.row > 1 && ids.insert(student.id).second);
      answer(student.id, student.name);
      answer(student.name, student.email);
    }
    const std::size_t count = attempts.size();
    const Roll roll = call_roll(std::move(attempts), roster);
    require(roll.attempts.size() == count);
    require(roll.missing.size() <= roster.students.size());
  } catch (const UsageFault& fault) {
    require(*fault.what() != '\0' && !fault.hint().empty());
  }
  return 0;
}
