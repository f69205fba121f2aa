// Measures what a sandboxed call costs: usage host_benchmark [SUBMISSION.so], which must have the
// contract of test_submissions/misbehaving.cpp.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <vector>

#include "grader/host/sandboxed.hpp"

namespace {

using grader::Kind;
using grader::Matrix;
using grader::Outcome;
using grader::Type;
using std::chrono::steady_clock;

double microseconds_since(steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(steady_clock::now() - start).count();
}

void report(const char* what, int rounds, const std::function<void()>& action) {
  std::vector<double> times;
  const auto start = steady_clock::now();
  for (int round = 0; round < rounds; ++round) {
    const auto begin = steady_clock::now();
    action();
    times.push_back(microseconds_since(begin));
  }
  const double total = microseconds_since(start);
  std::sort(times.begin(), times.end());
  std::printf("%-34s median %9.1f us   p90 %9.1f us   %9.0f a second\n", what,
              times[times.size() / 2], times[times.size() * 9 / 10], rounds / total * 1e6);
}

int run(const char* submission) {
  const Type number{Kind::number, {}};
  const Type integer{Kind::integer, {}};
  const Type table{Kind::matrix, {}};
  const Type result{Kind::record, {{"logits", table}, {"weights", table}, {"output", table}}};
  const grader::Contract contract{
      {"behave", {{"kind", integer}, {"number", number}}, number},
      {"table_of_size", {{"rows", integer}, {"columns", integer}}, table},
      {"attention", {{"queries", table}, {"keys", table}, {"values", table}}, result}};
  const grader::Limits limits;
  const grader::Arguments small{Matrix(6, 3, 0.5), Matrix(6, 3, 0.25), Matrix(6, 3, 2.0)};
  const grader::Arguments large{Matrix(64, 128, 0.5), Matrix(64, 128, 0.25), Matrix(64, 128, 2.0)};
  const grader::Arguments crash{std::int64_t{1}, 0.0};

  report("start, first answer, end", 30, [&] {
    grader::SandboxedImplementation implementation(contract, submission, limits);
    implementation.call(2, small);
  });
  grader::SandboxedImplementation implementation(contract, submission, limits);
  report("call, 6 x 3", 100'000, [&] { implementation.call(2, small); });
  report("call, 64 x 128", 1'000, [&] { implementation.call(2, large); });
  report("call that crashes", 500, [&] { implementation.call(0, crash); });
  report("call in a fresh process", 500, [&] {
    implementation.start_fresh();
    implementation.call(2, small);
  });
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run(count > 1 ? arguments[1] : BENCHMARK_SUBMISSION);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "host_benchmark: %s\n", error.what());
    return 2;
  }
}
