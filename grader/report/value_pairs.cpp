#include "grader/report/value_pairs.hpp"

#include <algorithm>

#include "grader/report/value_text.hpp"

namespace grader {
namespace {

void collect(std::vector<ValuePair>& pairs, const std::string& name, const Value& value,
             const Value* ValuePair::*side) {
  const auto* record = std::get_if<Record>(&value);
  if (record != nullptr && !is_flat_record(value)) {
    for (const Field& field : record->fields) {
      collect(pairs, name + "." + field.name, field.value, side);
    }
    return;
  }
  auto found = std::ranges::find(pairs, name, &ValuePair::name);
  if (found == pairs.end()) found = pairs.insert(pairs.end(), ValuePair{name, nullptr, nullptr});
  (*found).*side = &value;
}

bool agrees(const ValuePair& pair) {
  return pair.yours != nullptr && pair.expected != nullptr &&
         identical(*pair.yours, *pair.expected);
}

}  // namespace

std::vector<ValuePair> value_pairs(const Judgement& judgement) {
  std::vector<ValuePair> pairs;
  for (const Field& field : judgement.returned) {
    collect(pairs, field.name, field.value, &ValuePair::yours);
  }
  for (const Field& field : judgement.expected) {
    collect(pairs, field.name, field.value, &ValuePair::expected);
  }
  if (!std::ranges::all_of(pairs, agrees)) std::erase_if(pairs, agrees);
  return pairs;
}

std::string returned_title(const Judgement& judgement) {
  return judgement.returned_title.empty() ? "yours" : judgement.returned_title;
}

std::string expected_title(const Judgement& judgement) {
  return judgement.expected_title.empty() ? "expected" : judgement.expected_title;
}

}  // namespace grader
