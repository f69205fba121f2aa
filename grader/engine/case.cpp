#include "grader/engine/case.hpp"

#include <algorithm>

#include "grader/base/fault.hpp"

namespace grader {
namespace {

template <class T>
const T& input_of(const Case& test_case, std::string_view name) {
  const auto found = std::ranges::find(test_case.inputs, name, &Input::name);
  if (found == test_case.inputs.end()) {
    throw InternalFault("the case has no input called " + std::string(name));
  }
  const T* value = std::get_if<T>(&found->value);
  if (value == nullptr) throw InternalFault("input " + std::string(name) + " has another kind");
  return *value;
}

}  // namespace

const Matrix& Case::matrix(std::string_view input) const { return input_of<Matrix>(*this, input); }
const RowVector& Case::row(std::string_view input) const {
  return input_of<RowVector>(*this, input);
}
std::int64_t Case::integer(std::string_view input) const {
  return input_of<std::int64_t>(*this, input);
}
bool Case::boolean(std::string_view input) const { return input_of<bool>(*this, input); }
double Case::number(std::string_view input) const { return input_of<double>(*this, input); }

bool identical(const Case& left, const Case& right) {
  return std::ranges::equal(left.inputs, right.inputs, [](const Input& a, const Input& b) {
    return a.name == b.name && identical(a.value, b.value);
  });
}

}  // namespace grader
