// Computes, or does one of the things that submissions do. Numbers as in sandboxed_test.cpp.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "grader/host/test_submissions/transfer.hpp"

namespace {

double state = 0;

double recurse(double number) {
  volatile double frame[512] = {number};
  return frame[0] > 1e300 ? frame[0] : recurse(number + 1) + frame[1];
}

/// As many threads as are allowed beside the one that calls, each with memory of its own, all at
/// the same time.
double sum_in_threads(double number) {
  constexpr int kThreads = 15;
  std::atomic<int> sum{0};
  std::atomic<int> alive{0};
  std::vector<std::thread> threads;
  for (int index = 0; index < kThreads; ++index) {
    threads.emplace_back([&sum, &alive, index] {
      const std::vector<int> own(100'000, index);
      ++alive;
      while (alive < kThreads) {
        std::this_thread::yield();
      }
      sum += own.back();
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  return sum + number;
}

double hog_memory() {
  std::vector<std::unique_ptr<char[]>> blocks;
  for (;;) {
    constexpr std::size_t kBlock = std::size_t{16} << 20;
    blocks.emplace_back(new char[kBlock]);
    for (std::size_t place = 0; place < kBlock; place += 4096) {
      blocks.back()[place] = 1;
    }
  }
}

double print_much(bool with_stdio) {
  const std::string line(1000, 'x');
  for (int count = 0; count < 100'000; ++count) {
    if (with_stdio) {
      std::cout << line << '\n';
    } else {
      std::cerr << line << '\n';
    }
  }
  return 1;
}

double open_file() {
  std::ofstream file("debug.txt");
  file << "hello";
  return file.good() ? 1 : 2;
}

}  // namespace

namespace toy {

double behave(std::int64_t kind, double number) {
  switch (kind) {
    case 0: return std::sqrt(number);
    case 1: return *static_cast<volatile double*>(nullptr);
    case 2: std::abort();
    case 3: std::exit(0);
    case 4:
      for (volatile bool forever = true; forever;) {
      }
      return 0;
    case 5: throw std::invalid_argument("number is " + std::to_string(number));
    case 6: return hog_memory();
    case 7: return ::socket(AF_INET, SOCK_STREAM, 0);
    case 8: return sum_in_threads(number);
    case 9: return print_much(true);
    case 10: return print_much(false);
    case 11: return recurse(0);
    case 12: std::terminate();
    case 13: ::_exit(7);
    case 14: ::pause(); return 0;
    case 15: std::this_thread::sleep_for(std::chrono::hours(1)); return 0;
    case 16: return open_file();
    case 17: return state += number;
    case 18:
      std::cerr << "hello from stderr\n";  // first, since it flushes std::cout
      std::puts("hello from stdout");
      return 1;
    case 19: return std::system("true");
    case 20: {
      std::thread([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        std::abort();
      }).detach();
      return 1;
    }
    case 21: std::signal(SIGSYS, SIG_IGN); return ::socket(AF_INET, SOCK_STREAM, 0);
    case 22: {
      sigset_t all;
      sigfillset(&all);
      sigprocmask(SIG_SETMASK, &all, nullptr);
      return ::socket(AF_INET, SOCK_STREAM, 0);
    }
    case 23: ::raise(SIGKILL); return 0;
    case 24: {
      std::unique_ptr<double[]> fresh(new double[1000]);
      return fresh[500];
    }
    case 25: return std::thread::hardware_concurrency() > 0 ? 1 : 0;
    case 26: ::raise(SIGSTOP); return 0;
    case 27: {
      static int place = 0;
      return static_cast<double>(reinterpret_cast<std::uintptr_t>(&place));
    }
    case 28: return static_cast<double>(::syscall(SYS_write, 1, "raw\n", 4));
    case 29:
      return ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
                     MAP_FAILED
                 ? 0
                 : 1;
    case 30: std::signal(SIGSYS, [](int) {}); return ::socket(AF_INET, SOCK_STREAM, 0);
    default: return -1;
  }
}

Table table_of_size(std::int64_t rows, std::int64_t columns) {
  Table table{rows, columns, {}};
  if (rows > 0 && columns > 0 && rows <= 4096 && columns <= 4096) {
    table.entries.resize(static_cast<std::size_t>(rows * columns), std::nan(""));
  }
  return table;
}

Result attention(const Table& queries, const Table& keys, const Table& values) {
  Result result;
  const std::int64_t n = queries.rows;
  result.logits = {n, n, std::vector<double>(static_cast<std::size_t>(n * n))};
  result.weights = result.logits;
  result.output = {n, values.columns,
                   std::vector<double>(static_cast<std::size_t>(n * values.columns))};
  const double scale = 1 / std::sqrt(static_cast<double>(queries.columns));
  for (std::int64_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j <= i; ++j) {
      double logit = 0;
      for (std::int64_t c = 0; c < queries.columns; ++c) {
        logit += queries.entries[static_cast<std::size_t>(i * queries.columns + c)] *
                 keys.entries[static_cast<std::size_t>(j * keys.columns + c)];
      }
      result.logits.entries[static_cast<std::size_t>(i * n + j)] = logit * scale;
      result.weights.entries[static_cast<std::size_t>(i * n + j)] = std::exp(logit * scale);
      sum += std::exp(logit * scale);
    }
    for (std::int64_t j = 0; j <= i; ++j) {
      result.weights.entries[static_cast<std::size_t>(i * n + j)] /= sum;
      for (std::int64_t c = 0; c < values.columns; ++c) {
        result.output.entries[static_cast<std::size_t>(i * values.columns + c)] +=
            result.weights.entries[static_cast<std::size_t>(i * n + j)] *
            values.entries[static_cast<std::size_t>(j * values.columns + c)];
      }
    }
  }
  return result;
}

}  // namespace toy

GRADER_DISPATCH(&toy::behave, &toy::table_of_size, &toy::attention)
