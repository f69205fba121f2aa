// Where a call is that does not end. Linked with a submission that was compiled to announce every
// step (each basic block: -fsanitize-coverage=trace-pc). After so many steps that a small call has
// long ended, it notes the next ones, writes down which of them belong to the outermost function
// that still makes steps, and who called that, and ends the program. Steps are counted and not
// timed, so the places are the same in every run.
//
// Only the thread that starts the program is followed. Nothing here may be made of steps that are
// announced.
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>

extern "C" const char __executable_start;  // of the linker

#define NOT_A_STEP __attribute__((no_sanitize_coverage))

namespace {

constexpr long kStepsBefore = 100'000'000;
constexpr long kStepsNoted = 1'000'000;
constexpr std::size_t kMostPlaces = 4096;
constexpr int kMostCallers = 64;
constexpr std::uintptr_t kStack = std::uintptr_t{64} << 20U;

struct Place {
  std::uintptr_t address;
  std::uintptr_t frame;  // the outermost of the function's frames there
};

long steps = 0;
std::uintptr_t stack_begin = 0;  // of the first thread; no frame is above
Place places[kMostPlaces];

NOT_A_STEP bool is_on_stack(std::uintptr_t frame) {
  return frame < stack_begin && stack_begin - frame < kStack;
}

NOT_A_STEP void note(std::uintptr_t address, std::uintptr_t frame) {
  std::size_t index = address % kMostPlaces;
  for (std::size_t tried = 0; tried < kMostPlaces; ++tried) {
    Place& place = places[index];
    if (place.address == 0 || place.address == address) {
      place.address = address;
      if (frame > place.frame) place.frame = frame;
      return;
    }
    index = (index + 1) % kMostPlaces;
  }
}

NOT_A_STEP void write_place(std::uintptr_t address) {
  const auto start = reinterpret_cast<std::uintptr_t>(&__executable_start);
  std::fprintf(stderr, "(/proc/self/exe+0x%zx)\n", static_cast<std::size_t>(address - start));
}

[[noreturn]] NOT_A_STEP void tell() {
  std::uintptr_t outermost = 0;
  for (const Place& place : places) {
    if (place.frame > outermost) outermost = place.frame;
  }
  std::fputs("\nSTILL RUNNING\n", stderr);
  for (const Place& place : places) {
    if (place.frame == outermost) write_place(place.address);
  }
  std::fputs("CALLED FROM\n", stderr);
  std::uintptr_t frame = outermost;
  for (int count = 0; count < kMostCallers; ++count) {
    const auto* words = reinterpret_cast<const std::uintptr_t*>(frame);
    const std::uintptr_t caller = words[0];
    write_place(words[1] - 1);
    if (caller <= frame || !is_on_stack(caller)) break;
    frame = caller;
  }
  ::_exit(0);
}

/// Ends the program when it waits: nothing is found that way.
NOT_A_STEP void* watch_waiting(void* /*nothing*/) {
  constexpr double kIdleShare = 0.02;
  double used = 0;
  for (;;) {
    const timespec pause{2, 0};
    ::nanosleep(&pause, nullptr);
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    const double now_used = static_cast<double>(now.tv_sec) + 1e-9 * double(now.tv_nsec);
    if (now_used - used < kIdleShare * double(pause.tv_sec)) ::_exit(0);
    used = now_used;
  }
}

__attribute__((constructor(101))) NOT_A_STEP void begin() {
  constexpr std::uintptr_t kRoom = 4096;  // main() may begin a little above this frame
  stack_begin = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) + kRoom;
  pthread_t thread{};
  ::pthread_create(&thread, nullptr, &watch_waiting, nullptr);
}

}  // namespace

extern "C" NOT_A_STEP void __sanitizer_cov_trace_pc() {
  const auto own = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (!is_on_stack(own)) return;
  if (++steps <= kStepsBefore) return;
  // The frame of the function that makes the step: its base is what is saved in this one's.
  note(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1,
       *reinterpret_cast<const std::uintptr_t*>(own));
  if (steps == kStepsBefore + kStepsNoted) tell();
}
