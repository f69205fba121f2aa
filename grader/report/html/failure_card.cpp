#include "grader/report/html/failure_card.hpp"

#include <algorithm>

#include "grader/report/html/matrix_table.hpp"
#include "grader/report/number_text.hpp"
#include "grader/report/value_pairs.hpp"
#include "grader/report/value_text.hpp"

namespace grader::html {
namespace {

constexpr std::size_t kListed = 40;  // of calls and of kinds of data

// Inputs: matrices as tables, the rest in one line each.
class Inputs {
 public:
  void add(const std::string& name, const Value& value) {
    const auto* record = std::get_if<Record>(&value);
    if (record != nullptr && !is_flat_record(value)) {
      for (const Field& field : record->fields) add(name + "." + field.name, field.value);
      return;
    }
    const auto* matrix = std::get_if<Matrix>(&value);
    const bool is_big =
        matrix != nullptr && (matrix->rows > kShownRows || matrix->columns > kShownColumns);
    TableOptions options;
    if (is_big) {  // the corner of a big matrix tells nothing
      const std::string size = std::to_string(matrix->rows) + "×" + std::to_string(matrix->columns);
      scalars << object({{"name", name}, {"value", "(" + size + ", in the scorecard)"}});
      has_scalars = true;
    } else if (const auto table = matrix_table(name, value, options)) {
      tables << *table;
      has_tables = true;
    } else {
      scalars << object({{"name", name}, {"value", inline_text(value)}});
      has_scalars = true;
    }
  }

  Data tables = list();
  Data scalars = list();
  bool has_tables = false;
  bool has_scalars = false;
};

Data input_of(const CheckResult& result) {
  if (!result.minimal) return false;
  Inputs inputs;
  for (const Input& input : result.minimal->test_case.inputs) {
    if (input.shown) inputs.add(input.name, input.value);
  }
  if (!inputs.has_tables && !inputs.has_scalars) return false;
  return object({{"title", input_title(result)},
                 {"tables", inputs.tables},
                 {"scalars", inputs.scalars},
                 {"has_scalars", inputs.has_scalars},
                 {"note", text_or_nothing(result.minimal->explanation)}});
}

// Both sides and their difference, as tables where they are matrices.
Data comparison_of(const ValuePair& pair, const Judgement& judgement) {
  std::vector<const Value*> sides;
  if (pair.yours != nullptr) sides.push_back(pair.yours);
  if (pair.expected != nullptr) sides.push_back(pair.expected);
  TableOptions options;
  options.shades = shades_for(sides);
  options.has_triangle = is_causal(*sides.back());
  const auto& first = judgement.first_difference;
  options.is_marked = first && first->value == pair.name;
  if (first) {
    options.around_row = first->row;
    options.around_column = first->column;
  }
  Data panels = list();
  Data texts = list();
  const auto add = [&](const std::string& title, const Value& value) {
    if (const auto table = matrix_table(title, value, options)) {
      panels << *table;
    } else {
      texts << object({{"name", title}, {"value", inline_text(value)}});
    }
  };
  if (pair.yours != nullptr) add(returned_title(judgement), *pair.yours);
  if (pair.expected != nullptr) add(expected_title(judgement), *pair.expected);
  if (sides.size() == 2) {
    if (const auto apart = difference(*pair.yours, *pair.expected)) {
      options.shades = shades_for({&*apart});
      options.shades.are_weights = false;
      options.is_difference = true;
      add("difference", *apart);
    }
  }
  return object({{"name", pair.name},
                 {"panels", panels},
                 {"has_texts", texts.is_non_empty_list()},
                 {"texts", texts}});
}

Data comparisons_of(const CheckResult& result) {
  constexpr std::size_t kMostPairs = 8;
  Data comparisons = list();
  if (!result.minimal) return comparisons;
  const std::vector<ValuePair> pairs = value_pairs(result.minimal->judgement);
  for (std::size_t index = 0; index < std::min(pairs.size(), kMostPairs); ++index) {
    comparisons << comparison_of(pairs[index], result.minimal->judgement);
  }
  return comparisons;
}

Data calls_of(const CheckResult& result) {
  Data calls = list();
  for (std::size_t index = 0; index < std::min(result.calls.size(), kListed); ++index) {
    const RecordedCall& call = result.calls[index];
    std::string arguments;
    for (const Value& value : call.arguments) {
      arguments += (arguments.empty() ? "" : ", ") + inline_text(value);
    }
    calls << Data{call.function + "(" + arguments + ")"};
  }
  return calls;
}

Data listed(const std::vector<std::string>& items) {
  if (items.empty()) return false;
  Data lines = list();
  for (std::size_t index = 0; index < std::min(items.size(), kListed); ++index) {
    lines << Data{items[index]};
  }
  return object({{"items", lines}});
}

Data heads_of(const Failure& failure) {
  Data heads = list();
  for (const ScoredCheck* check : failure.checks) {
    const std::string& id = check->result.id;
    heads << object({{"id", id},
                     {"anchor", anchor_of(id)},
                     {"title", text_or_nothing(check->title == id ? "" : check->title)},
                     {"status", ending(check->result.status)},
                     {"points", number_text(check->points)},
                     {"max_points", number_text(check->max_points)}});
  }
  return heads;
}

}  // namespace

std::string anchor_of(const std::string& id) {
  std::string anchor = "check-" + id;
  std::ranges::replace_if(
      anchor,
      [](char letter) {
        const bool is_plain = (letter >= 'a' && letter <= 'z') ||
                              (letter >= 'A' && letter <= 'Z') ||
                              (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
        return !is_plain;
      },
      '-');
  return anchor;
}

Data failure_card(const Failure& failure) {
  const CheckResult& result = failure.checks.front()->result;
  const bool has_calls = failure.has_evidence && !result.calls.empty();
  return object({{"heads", heads_of(failure)},
                 {"message", text_or_nothing(failure.message)},
                 {"place", text_or_nothing(failure.place)},
                 {"accepted", listed(result.accepted_wrongly)},
                 {"refused", listed(result.refused_wrongly)},
                 {"input", failure.has_evidence ? input_of(result) : Data{false}},
                 {"comparisons", failure.has_evidence ? comparisons_of(result) : list()},
                 {"has_calls", has_calls},
                 {"calls", has_calls ? calls_of(result) : list()},
                 {"lesson", text_or_nothing(failure.lesson)},
                 {"hint", text_or_nothing(failure.hint)},
                 {"replay", text_or_nothing(failure.replay)}});
}

}  // namespace grader::html
