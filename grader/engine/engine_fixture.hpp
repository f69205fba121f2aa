// A tiny contract and implementations made of lambdas, for the engine's own tests.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/engine/check.hpp"

namespace grader::engine_test {

/// total(values: row) -> number and size(values: row) -> integer.
inline const Contract& contract() {
  static const Contract functions = {
      {"total", {{"values", {Kind::row_vector, {}}}}, {Kind::number, {}}},
      {"size", {{"values", {Kind::row_vector, {}}}}, {Kind::integer, {}}},
  };
  return functions;
}
enum : FunctionId { kTotal, kSize };

inline double sum(const RowVector& values) {
  double total = 0;
  for (const double value : values.entries) total += value;
  return total;
}

/// An implementation whose `total` is a lambda over the values.
class Fake final : public Implementation {
 public:
  using Total = std::function<Outcome(const RowVector&)>;
  explicit Fake(Total total, std::function<void()> fresh = {})
      : total_(std::move(total)), fresh_(std::move(fresh)) {}

  Outcome call(FunctionId function, const Arguments& arguments) override {
    ++calls_;
    const auto& values = std::get<RowVector>(arguments[0]);
    if (function == kSize) return {Ending::returned, values.size(), {}, 0};
    return total_(values);
  }
  void start_fresh() override {
    ++fresh_starts_;
    if (fresh_) fresh_();
  }
  [[nodiscard]] std::uint64_t calls_made() const override { return calls_; }
  [[nodiscard]] std::uint64_t fresh_starts() const { return fresh_starts_; }

 private:
  Total total_;
  std::function<void()> fresh_;
  std::uint64_t calls_ = 0;
  std::uint64_t fresh_starts_ = 0;
};

inline Outcome returned(double number) { return {Ending::returned, number, {}, 0}; }
inline Outcome ended(Ending ending, int signal = 0) { return {ending, false, "why", signal}; }

/// Calls total() or throws the CallFault, as an assignment's typed façade does.
inline double call_total(Implementation& implementation, const RowVector& values) {
  const Outcome outcome = implementation.call(kTotal, {values});
  if (outcome.ending != Ending::returned) throw CallFault{"total", outcome};
  return std::get<double>(outcome.value);
}

/// A row of 1 to 12 numbers, labelled "integers" in every second case and else "fractions".
inline Case draw_row(Random& random, const Schedule& schedule) {
  RowVector values;
  const std::int64_t size = random.integer(1, 12);
  const bool integers = schedule.index % 2 == 0;
  for (std::int64_t index = 0; index < size; ++index) {
    values.entries.push_back(integers ? static_cast<double>(random.integer(-9, 9))
                                      : random.uniform(-9, 9));
  }
  return {{{"values", values, {"n"}}}, integers ? "integers" : "fractions", ""};
}

/// total() is the sum of the values.
inline Check total_is_right() {
  Check check;
  check.id = "total.right";
  check.generator = "rows";
  check.generate = draw_row;
  check.judge = [](const Case& test_case, Implementation& implementation) {
    const RowVector& values = test_case.row("values");
    const double answer = call_total(implementation, values);
    Judgement judgement;
    if (!(answer == sum(values))) {
      judgement.verdict = Judgement::Verdict::violated;
      judgement.message = "wrong total";
      judgement.returned = {{"total", answer}};
      judgement.expected = {{"total", sum(values)}};
      judgement.first_difference = {"total", 0, 0};
    }
    return judgement;
  };
  return check;
}

inline Fake right() {
  return Fake([](const RowVector& values) { return returned(sum(values)); });
}

}  // namespace grader::engine_test
