#include "grader/engine/call_memory.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>

namespace grader {
namespace {

constexpr std::uint64_t kTimeoutsOfOneFunction = 3;

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash ^= word + 0x9e3779b97f4a7c15U + (hash << 6U) + (hash >> 2U);
  hash *= 0xff51afd7ed558ccdU;
  return hash ^ (hash >> 32U);
}

std::uint64_t mix(std::uint64_t hash, const Entries& entries) {
  const std::string_view bytes(reinterpret_cast<const char*>(entries.data()),
                               entries.size() * sizeof(double));
  return mix(hash, std::hash<std::string_view>()(bytes));
}

std::uint64_t mix(std::uint64_t hash, const Value& value) {
  hash = mix(hash, static_cast<std::uint64_t>(value.index()));
  switch (kind_of(value)) {
    case Kind::boolean: return mix(hash, static_cast<std::uint64_t>(std::get<bool>(value)));
    case Kind::integer: return mix(hash, static_cast<std::uint64_t>(std::get<std::int64_t>(value)));
    case Kind::number: return mix(hash, std::bit_cast<std::uint64_t>(std::get<double>(value)));
    case Kind::row_vector: return mix(hash, std::get<RowVector>(value).entries);
    case Kind::matrix: {
      const auto& matrix = std::get<Matrix>(value);
      hash = mix(hash, static_cast<std::uint64_t>(matrix.rows));
      hash = mix(hash, static_cast<std::uint64_t>(matrix.columns));
      return mix(hash, matrix.entries);
    }
    case Kind::record:
      for (const Field& field : std::get<Record>(value).fields) hash = mix(hash, field.value);
      return hash;
  }
  return hash;
}

bool identical_arguments(const Arguments& left, const Arguments& right) {
  return std::ranges::equal(left, right,
                            [](const Value& a, const Value& b) { return identical(a, b); });
}

std::size_t bytes_of(const Arguments& arguments) {
  std::size_t bytes = 0;
  for (const Value& argument : arguments) bytes += grader::bytes_of(argument);
  return bytes;
}

}  // namespace

std::uint64_t hash_of_call(FunctionId function, const Arguments& arguments) {
  std::uint64_t hash = mix(0, static_cast<std::uint64_t>(function));
  for (const Value& argument : arguments) hash = mix(hash, argument);
  return hash;
}

std::size_t bytes_of(const Value& value) {
  std::size_t bytes = sizeof(Value);
  if (const auto* row = std::get_if<RowVector>(&value)) {
    bytes += row->entries.size() * sizeof(double);
  } else if (const auto* matrix = std::get_if<Matrix>(&value)) {
    bytes += matrix->entries.size() * sizeof(double);
  } else if (const auto* record = std::get_if<Record>(&value)) {
    for (const Field& field : record->fields) bytes += sizeof(std::string) + bytes_of(field.value);
  }
  return bytes;
}

const AnswerStore::Answer* AnswerStore::find(std::uint64_t hash, FunctionId function,
                                             const Arguments& arguments) const {
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto entry = first; entry != last; ++entry) {
    const Answer& answer = entry->second->answer;
    if (answer.call.function == function &&
        identical_arguments(*answer.call.arguments, arguments)) {
      return &answer;
    }
  }
  return nullptr;
}

void AnswerStore::insert(std::uint64_t hash, Answer answer) {
  const std::size_t bytes = sizeof(Entry) + bytes_of(*answer.call.arguments) +
                            grader::bytes_of(answer.outcome.value) + answer.outcome.message.size();
  // One huge answer must not push everything else out.
  if (bytes > byte_limit_ / 4) return;
  while (bytes_ + bytes > byte_limit_) forget_oldest();
  bytes_ += bytes;
  entries_.push_back(std::make_shared<Entry>(Entry{hash, bytes, std::move(answer)}));
  by_hash_.emplace(hash, entries_.back());
}

void AnswerStore::forget_oldest() {
  const std::shared_ptr<Entry> oldest = std::move(entries_.front());
  entries_.pop_front();
  bytes_ -= oldest->bytes;
  const auto [first, last] = by_hash_.equal_range(oldest->hash);
  by_hash_.erase(
      std::find_if(first, last, [&](const auto& item) { return item.second == oldest; }));
}

CallMemory::CallMemory(Implementation& implementation, CallLimits limits)
    : implementation_(implementation),
      limits_(limits),
      session_(limits.bytes),
      isolated_(limits.bytes) {}

Outcome CallMemory::call(FunctionId function, const Arguments& arguments) {
  switch (mode_) {
    case CallMode::remembered: return call_through(session_, false, function, arguments);
    case CallMode::isolated: return call_through(isolated_, true, function, arguments);
    case CallMode::isolated_again: start_fresh(); break;
    case CallMode::direct: break;
  }
  Outcome outcome = make_call(function, std::make_shared<const Arguments>(arguments));
  used_.push_back(sequence_);
  return outcome;
}

Outcome CallMemory::call_through(AnswerStore& store, bool fresh, FunctionId function,
                                 const Arguments& arguments) {
  const std::uint64_t hash = hash_of_call(function, arguments);
  if (const auto* known = store.find(hash, function, arguments)) {
    used_.push_back(known->call.sequence);
    return known->outcome;
  }
  if (fresh) start_fresh();
  auto kept = std::make_shared<const Arguments>(arguments);
  Outcome outcome = make_call(function, kept);
  used_.push_back(sequence_);
  store.insert(hash, {{function, std::move(kept), sequence_, state_}, outcome});
  return outcome;
}

Outcome CallMemory::make_call(FunctionId function,
                              const std::shared_ptr<const Arguments>& arguments) {
  const Arguments& passed = *arguments;
  remember_in_history({function, arguments, ++sequence_, state_});
  if (times_out_always(function)) {
    return {Ending::timed_out, false, "not called again after too many time-outs", 0};
  }
  Outcome outcome = implementation_.call(function, passed);
  if (outcome.ending == Ending::timed_out) {
    ++timeouts_;
    ++timeouts_of_[function];
  }
  // Any other ending but these two took the process with it: the next call starts from scratch.
  if (outcome.ending != Ending::returned && outcome.ending != Ending::threw) ++state_;
  return outcome;
}

bool CallMemory::times_out_always(FunctionId function) const {
  if (timeouts_ < limits_.timeouts) return false;
  const auto found = timeouts_of_.find(function);
  return found != timeouts_of_.end() && found->second >= kTimeoutsOfOneFunction;
}

void CallMemory::start_fresh() {
  implementation_.start_fresh();
  ++state_;
}

void CallMemory::remember_in_history(MadeCall call) {
  history_bytes_ += bytes_of(*call.arguments);
  history_.push_back(std::move(call));
  while (history_.size() > limits_.history || history_bytes_ > limits_.bytes) {
    history_bytes_ -= bytes_of(*history_.front().arguments);
    history_.pop_front();
  }
}

std::vector<MadeCall> CallMemory::before(std::uint64_t sequence) const {
  const auto at = std::ranges::lower_bound(history_, sequence, {}, &MadeCall::sequence);
  if (at == history_.end() || at->sequence != sequence) return {};
  auto first = at;
  while (first != history_.begin() && std::prev(first)->state == at->state) --first;
  return {first, at};
}

std::optional<MadeCall> CallMemory::call_made(std::uint64_t sequence) const {
  const auto at = std::ranges::lower_bound(history_, sequence, {}, &MadeCall::sequence);
  if (at == history_.end() || at->sequence != sequence) return std::nullopt;
  return *at;
}

std::vector<MadeCall> CallMemory::since(std::uint64_t sequence) const {
  return {std::ranges::lower_bound(history_, sequence, {}, &MadeCall::sequence), history_.end()};
}

}  // namespace grader
