#include "grader/examples/examples.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <variant>

#include "grader/base/fault.hpp"
#include "grader/base/json.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/engine/check_run.hpp"
#include "grader/engine/verdict.hpp"
#include "grader/scorecard/value_json.hpp"

namespace grader {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr std::size_t kNameLimit = 100;
constexpr std::size_t kMostExamples = 2000;
constexpr std::size_t kMostInputs = 40;

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw UsageFault(name + " " + what + ".",
                   "Correct the file, or delete it to grade without stored examples.");
}

/// The member of that name, of a kind that `is_right` accepts.
template <class IsRight>
const Json& member(const Json& json, const char* key, IsRight is_right, const std::string& name,
                   const std::string& where) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  if (!json.is_object() || found == json.end() || !is_right(*found)) {
    refuse(name, "is damaged: " + where + " has no usable \"" + key + "\"");
  }
  return *found;
}

bool is_text(const Json& json) { return json.is_string(); }
bool is_list(const Json& json) { return json.is_array(); }
bool is_anything(const Json& /*json*/) { return true; }

Example read_example(const Json& json, const std::string& name, const std::string& where) {
  Example example;
  example.check =
      plain_line(member(json, "check", is_text, name, where).get<std::string>(), kNameLimit);
  const Json& inputs = member(json, "inputs", is_list, name, where);
  if (inputs.size() > kMostInputs) refuse(name, "has too many inputs in " + where);
  for (const Json& input : inputs) {
    const std::string input_name =
        plain_line(member(input, "name", is_text, name, where).get<std::string>(), kNameLimit);
    const Json& kind = member(input, "kind", is_anything, name, where);
    const Json& value = member(input, "value", is_anything, name, where);
    example.test_case.inputs.push_back(
        {input_name, value_from_json(value, kind, name + ": " + where + "." + input_name), {}});
  }
  return example;
}

std::size_t numbers_in(const Case& test_case) {
  std::size_t numbers = 0;
  for (const Input& input : test_case.inputs) {
    if (const auto* matrix = std::get_if<Matrix>(&input.value)) {
      numbers += matrix->entries.size();
    } else if (const auto* row = std::get_if<RowVector>(&input.value)) {
      numbers += row->entries.size();
    } else {
      ++numbers;
    }
  }
  return numbers;
}

bool has_form_of(const Case& example, const Case& form) {
  return std::ranges::equal(example.inputs, form.inputs, [](const Input& left, const Input& right) {
    return left.name == right.name && left.value.index() == right.value.index();
  });
}

/// A case of the check with inputs of the same names and kinds: one of the fixed ones, or one of
/// the first of the schedule.
std::optional<Case> form_of(const Check& check, const Case& example) {
  for (const Case& fixed : check.fixed_cases) {
    if (has_form_of(example, fixed)) return fixed;
  }
  constexpr std::int64_t kDraws = 16;
  for (std::int64_t index = 0; check.generate && index < kDraws; ++index) {
    Case drawn = draw_case(check, check.generate, 0, {index, kDraws});
    if (has_form_of(example, drawn)) return drawn;
  }
  return std::nullopt;
}

/// All matrices and rows that share a dimension have the same number of indices there.
bool has_consistent_sizes(const Case& test_case) {
  std::map<std::string, std::int64_t> sizes;
  const auto agrees = [&sizes](const std::vector<std::string>& dimensions, std::size_t place,
                               std::int64_t size) {
    if (place >= dimensions.size()) return true;
    return sizes.try_emplace(dimensions[place], size).first->second == size;
  };
  return std::ranges::all_of(test_case.inputs, [&](const Input& input) {
    if (const auto* matrix = std::get_if<Matrix>(&input.value)) {
      return agrees(input.dimensions, 0, matrix->rows) &&
             agrees(input.dimensions, 1, matrix->columns);
    }
    const auto* row = std::get_if<RowVector>(&input.value);
    return row == nullptr || agrees(input.dimensions, 0, row->size());
  });
}

/// Statistical checks and those on the student's own assertions choose their cases with care, and
/// without a domain nobody knows what an input from outside may be.
bool learns(const Check& check) { return check.shrinks && check.assertion.empty() && check.admits; }

}  // namespace

std::vector<Example> examples_from_json(std::string_view document, const std::string& assignment,
                                        const std::string& name) {
  if (const auto flaw = flaw_in_json(document)) refuse(name, words_for(*flaw));
  const Json json = Json::parse(document, nullptr, false);
  if (!json.is_object()) refuse(name, "is not a JSON object");
  const Json& version = member(json, "version", is_anything, name, "the file");
  if (version != kVersion) {
    refuse(name, "has version " + plain_line(version.dump(-1, ' ', true), 40) +
                     "; this grader reads version " + std::to_string(kVersion));
  }
  const Json& owner = member(json, "assignment", is_text, name, "the file");
  if (owner != assignment) {
    refuse(name, "belongs to assignment " + plain_line(owner.get<std::string>(), kNameLimit) +
                     ", not to " + assignment);
  }
  const Json& list = member(json, "examples", is_list, name, "the file");
  if (list.size() > kMostExamples) {
    refuse(name, "has more than " + std::to_string(kMostExamples) + " examples");
  }
  std::vector<Example> examples;
  for (const Json& each : list) {
    examples.push_back(
        read_example(each, name, "examples[" + std::to_string(examples.size()) + "]"));
  }
  return examples;
}

std::string examples_to_json(const std::vector<Example>& examples, const std::string& assignment) {
  Json list = Json::array();
  for (const Example& example : examples) {
    Json inputs = Json::array();
    for (const Input& input : example.test_case.inputs) {
      inputs.push_back({{"name", input.name},
                        {"kind", kind_to_json(input.value)},
                        {"value", value_to_json(input.value)}});
    }
    list.push_back({{"check", example.check}, {"inputs", std::move(inputs)}});
  }
  return json_text(
      Json{{"version", kVersion}, {"assignment", assignment}, {"examples", std::move(list)}});
}

CheckedExample checked_example(const Example& example, const Judge& judge,
                               Implementation& reference) {
  const auto check = std::ranges::find(judge.checks, example.check, &Check::id);
  if (check == judge.checks.end()) return {{}, "there is no such check"};
  if (!learns(*check)) return {{}, "this check keeps to its own inputs"};
  if (numbers_in(example.test_case) > kNumbersOfExample) return {{}, "it is too large"};
  const std::optional<Case> form = form_of(*check, example.test_case);
  if (!form) return {{}, "its inputs are not those of the check"};
  CheckedExample checked{example.test_case, ""};
  for (std::size_t index = 0; index < form->inputs.size(); ++index) {
    Input& input = checked.test_case.inputs[index];
    input.dimensions = form->inputs[index].dimensions;
    input.frozen = form->inputs[index].frozen;
    input.shown = form->inputs[index].shown;
  }
  checked.test_case.name = kExampleName;
  checked.test_case.label.clear();
  if (!has_consistent_sizes(checked.test_case)) return {{}, "its sizes do not fit together"};
  if (!check->admits(checked.test_case)) return {{}, "it lies outside of what the check asks for"};
  const CaseVerdict verdict = judge_case(*check, checked.test_case, reference);
  if (verdict.judgement.verdict != Judgement::Verdict::holds) {
    return {{}, "the reference does not pass on it"};
  }
  return checked;
}

UsableExamples usable_examples(const std::vector<Example>& examples, const Judge& judge) {
  UsableExamples usable;
  if (examples.empty()) return usable;
  const std::unique_ptr<Implementation> reference = judge.make_reference();
  for (const Example& example : examples) {
    CheckedExample checked = checked_example(example, judge, *reference);
    std::vector<Case>& kept = usable.by_check[example.check];
    if (checked.defect.empty() && kept.size() >= kExamplesOfCheck) {
      checked.defect = "the check has " + std::to_string(kExamplesOfCheck) + " examples already";
    }
    if (checked.defect.empty()) {
      kept.push_back(std::move(checked.test_case));
      continue;
    }
    usable.left_out.push_back("A stored example of " + example.check +
                              " was not tried: " + checked.defect + ".");
  }
  std::erase_if(usable.by_check, [](const auto& entry) { return entry.second.empty(); });
  return usable;
}

}  // namespace grader
