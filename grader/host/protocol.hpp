// What the grader, the zygote and its children agree on. Plain data with fixed layout; both sides
// are built together.
//
// How a call travels
//   The grader copies the encoded arguments into `input`, writes function and size into the control
//   page, raises `request` and wakes it. The child calls the submission, which encodes its answer
//   into `output`, and raises `answer` to the same number. The grader copies the answer into memory
//   of its own before it looks at it.
// Who may write what
//   input    grader only: sealed with FUTURE_WRITE once the grader has mapped it
//   output   both, of fixed size: sealed against growing and shrinking
//   control  both. The submission runs in the child's memory and can write anything here, so
//   nothing
//            in it is believed: a false `answer` shows as an answer that does not decode, a false
//            `ended` as a zygote that does not confirm it.
//   socket   grader and zygote only; how a child ended comes from here alone
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace grader::host {

// Descriptors that the zygote starts with, besides 0 (nothing), 1 and 2 (the output pipe).
inline constexpr int kControlDescriptor = 10;
inline constexpr int kInputDescriptor = 11;
inline constexpr int kOutputDescriptor = 12;
inline constexpr int kSocketDescriptor = 13;
inline constexpr int kFiltersDescriptor = 14;

/// Where a box with a file system of its own shows the two programs.
inline constexpr const char* kSubmissionPath = "/submission.so";
inline constexpr const char* kHostPath = "/host";

struct Control {
  std::atomic<std::uint32_t> request;         ///< number of the latest call, 1 … 2³¹-1
  std::atomic<std::uint32_t> answer;          ///< number of the call answered last; kDeath is added
  std::atomic<std::uint32_t> ended;           ///< number of the child that ended last
  std::atomic<std::uint32_t> loaded;          ///< 1 once the child has loaded the submission
  std::atomic<std::uint32_t> forbidden_call;  ///< number + 1 of a system call that was refused
  std::uint32_t function;
  std::uint64_t request_size;
  std::uint64_t response_size;
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

/// Added to `answer` when a child ends, so that whoever waits for it sees another value.
inline constexpr std::uint32_t kDeath = 0x80000000U;

inline constexpr std::size_t kControlSize = 4096;
static_assert(sizeof(Control) <= kControlSize);

/// First message from the grader.
struct Setup {
  std::uint64_t input_capacity;
  std::uint64_t output_capacity;
  std::uint64_t address_space;         ///< RLIMIT_AS of a child
  std::uint64_t stack;                 ///< RLIMIT_STACK
  std::uint64_t processes;             ///< RLIMIT_NPROC: zygote, child and its threads; or kNoLimit
  std::int32_t submission_descriptor;  ///< to be closed once the submission is loaded; or -1
  char submission_path[60];
};
inline constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

/// First message from the zygote, with a pidfd of the zygote: the box is complete.
struct Ready {
  std::int32_t error;  ///< errno of what failed in `step`, or 0
  char step[60];
};

/// From the grader: fork a child.
struct Start {
  std::uint32_t child;        ///< its number, never 0
  std::uint32_t cpu_seconds;  ///< RLIMIT_CPU
  std::uint32_t served;       ///< number of the last call that is done with; it answers later ones
};

/// From the zygote, with a pidfd of the child.
struct Started {
  std::uint32_t child;
  std::int32_t error;  ///< errno of fork, or 0
};

/// From the zygote when the child has ended.
struct Ended {
  std::uint32_t child;
  std::int32_t status;  ///< as waitpid gives it
  std::uint64_t cpu_microseconds;
  std::uint64_t peak_memory;  ///< bytes in memory at most at one time
};

/// Head of the filters' file; the instructions (struct sock_filter) of both programs follow. None
/// at all where the grader was told to do without.
struct FilterHead {
  std::uint32_t loading;  ///< instructions of the filter while the submission is loaded
  std::uint32_t serving;  ///< instructions of the one added before its first call
};
inline constexpr std::uint32_t kMostFilterInstructions = 4096;
/// Stands in the filters for the id of the process that installs them, which is not known before.
inline constexpr std::uint32_t kOwnProcessId = 0x5e1f1d00;

}  // namespace grader::host
