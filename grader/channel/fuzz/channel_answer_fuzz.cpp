// The bytes are an answer as a submission's process left it in shared memory; the first one chooses
// the type that the grader expects.
#include <array>
#include <cstdlib>
#include <limits>

#include "grader/channel/message.hpp"

namespace {

using namespace grader;

void require(bool promise) {
  if (!promise) std::abort();
}

const std::array<Type, 7>& expected_types() {
  static const Type matrix{Kind::matrix, {}};
  static const Type row{Kind::row_vector, {}};
  static const Type result{Kind::record, {{"logits", matrix}, {"row", row}, {"output", matrix}}};
  static const std::array<Type, 7> types = {{
      {Kind::boolean, {}},
      {Kind::integer, {}},
      {Kind::number, {}},
      row,
      matrix,
      result,
      {Kind::record, {{"inner", result}, {"count", {Kind::integer, {}}}}},
  }};
  return types;
}

std::size_t bytes_held(const Value& value) {
  if (const auto* row = std::get_if<RowVector>(&value)) return row->entries.size() * sizeof(double);
  if (const auto* matrix = std::get_if<Matrix>(&value)) {
    return matrix->entries.size() * sizeof(double);
  }
  std::size_t sum = 0;
  if (const auto* record = std::get_if<Record>(&value)) {
    for (const Field& field : record->fields) sum += bytes_held(field.value);
  }
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Type& type = expected_types()[data[0] % expected_types().size()];
  // A copy of exactly this size, so that the sanitizer sees every read beyond it.
  const std::vector<unsigned char> answer(data + 1, data + size);
  const Outcome outcome = decode_outcome(type, answer);
  require(outcome.ending == Ending::returned || outcome.ending == Ending::threw ||
          outcome.ending == Ending::malformed);
  require(outcome.message.size() <= answer.size() || outcome.ending == Ending::malformed);
  if (outcome.ending == Ending::returned) {
    require(has_type(outcome.value, type));
    require(bytes_held(outcome.value) <= answer.size());
  }
  // Decoding keeps nothing: the same bytes give the same outcome.
  const Outcome again = decode_outcome(type, answer);
  require(again.ending == outcome.ending && again.message == outcome.message &&
          identical(again.value, outcome.value));
  return 0;
}
