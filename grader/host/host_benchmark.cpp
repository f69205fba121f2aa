// Measures what a sandboxed call costs, with Google Benchmark (host_benchmark --help).
#include <benchmark/benchmark.h>

#include "grader/host/sandboxed.hpp"

namespace grader {
namespace {

constexpr std::size_t kBehave = 0;  // of test_submissions/misbehaving.cpp
constexpr std::size_t kAttention = 2;

const Contract& contract() {
  const Type number{Kind::number, {}};
  const Type integer{Kind::integer, {}};
  const Type table{Kind::matrix, {}};
  const Type result{Kind::record, {{"logits", table}, {"weights", table}, {"output", table}}};
  static const Contract functions{
      {"behave", {{"kind", integer}, {"number", number}}, number},
      {"table_of_size", {{"rows", integer}, {"columns", integer}}, table},
      {"attention", {{"queries", table}, {"keys", table}, {"values", table}}, result}};
  return functions;
}

Arguments inputs(std::int64_t tokens, std::int64_t features) {
  return {Matrix(tokens, features, 0.5), Matrix(tokens, features, 0.25),
          Matrix(tokens, features, 2.0)};
}

// Calls `function` again and again; a call that ends otherwise than expected stops the measurement.
void measure(benchmark::State& state, std::size_t function, const Arguments& arguments,
             Ending expected, bool is_fresh) {
  SandboxedImplementation implementation(contract(), BENCHMARK_SUBMISSION, Limits{});
  for (auto _ : state) {
    if (is_fresh) implementation.start_fresh();
    if (implementation.call(function, arguments).ending != expected) {
      state.SkipWithError("the call ended otherwise than expected");
      break;
    }
  }
}

void start_first_answer_end(benchmark::State& state) {
  for (auto _ : state) {
    SandboxedImplementation implementation(contract(), BENCHMARK_SUBMISSION, Limits{});
    implementation.call(kAttention, inputs(6, 3));
  }
}
BENCHMARK(start_first_answer_end)->Unit(benchmark::kMillisecond);

void call_6_by_3(benchmark::State& state) {
  measure(state, kAttention, inputs(6, 3), Ending::returned, false);
}
BENCHMARK(call_6_by_3)->UseRealTime();

void call_64_by_128(benchmark::State& state) {
  measure(state, kAttention, inputs(64, 128), Ending::returned, false);
}
BENCHMARK(call_64_by_128)->UseRealTime();

void call_that_crashes(benchmark::State& state) {
  measure(state, kBehave, {std::int64_t{1}, 0.0}, Ending::crashed, false);
}
BENCHMARK(call_that_crashes)->UseRealTime();

void call_in_a_fresh_process(benchmark::State& state) {
  measure(state, kAttention, inputs(6, 3), Ending::returned, true);
}
BENCHMARK(call_in_a_fresh_process)->UseRealTime();

}  // namespace
}  // namespace grader

BENCHMARK_MAIN();
