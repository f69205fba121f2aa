// Submissions that know the protocol and lie in it get nothing but their own call's failure.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

#include "grader/host/sandboxed.hpp"
#include "grader/host/shared_memory.hpp"

namespace grader {
namespace {

const Type kNumber{Kind::number, {}};
const Contract kContract{{"find_control", {}, kNumber},  {"claim_end", {}, kNumber},
                         {"claim_size", {}, kNumber},    {"claim_next_answer", {}, kNumber},
                         {"make_noise", {}, kNumber},    {"claim_refusal", {}, kNumber},
                         {"erase_control", {}, kNumber}, {"behave", {}, kNumber}};

Limits test_limits() {
  Limits limits;
  limits.call_wall_ms = 1500;  // a busy machine takes its time to start a process
  limits.answer = std::int64_t{1} << 20;
  return limits;
}

class HostileTest : public testing::Test {
 protected:
  SandboxedImplementation implementation_{
      kContract, std::filesystem::path(TEST_SUBMISSIONS) / "host_test_hostile.so", test_limits()};

  void SetUp() override {
    const Outcome outcome = implementation_.call(0, {});
    ASSERT_EQ(outcome.ending, Ending::returned) << outcome.message;
    ASSERT_EQ(std::get<double>(outcome.value), 1.0) << "the control page was not found";
  }
  void TearDown() override {
    implementation_.start_fresh();
    EXPECT_EQ(implementation_.call(7, {}).ending, Ending::returned) << "the sandbox still works";
  }
};

TEST_F(HostileTest, AFalseEndIsATimeout) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(implementation_.call(1, {}).ending, Ending::timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(6));
}

TEST_F(HostileTest, AnImpossibleSizeIsMalformed) {
  EXPECT_EQ(implementation_.call(2, {}).ending, Ending::malformed);
}

TEST_F(HostileTest, AnEarlyAnswerHelpsNobody) {
  // The call that lies still answers; the next one may find the stale number but never hangs us.
  implementation_.call(3, {});
  const Outcome next = implementation_.call(2, {});
  EXPECT_NE(next.ending, Ending::returned);
}

TEST_F(HostileTest, NoiseOnTheAnswerWordIsATimeout) {
  EXPECT_EQ(implementation_.call(4, {}).ending, Ending::timed_out);
}

TEST_F(HostileTest, AFalseRefusalIsNotBelieved) {
  const Outcome outcome = implementation_.call(5, {});
  EXPECT_EQ(outcome.ending, Ending::crashed);
  EXPECT_EQ(outcome.signal, SIGILL);
}

TEST_F(HostileTest, AnErasedControlPageIsATimeout) {
  EXPECT_EQ(implementation_.call(6, {}).ending, Ending::timed_out);
}

TEST(SharedMemoryTest, CannotBeWrittenOrResizedByOthers) {
  const host::SharedMemory memory("test", 8192, host::SharedMemory::Sharing::only_here_write);
  memory.data()[0] = 1;
  EXPECT_EQ(::mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, memory.descriptor(), 0),
            MAP_FAILED);
  void* readable = ::mmap(nullptr, 8192, PROT_READ, MAP_SHARED, memory.descriptor(), 0);
  ASSERT_NE(readable, MAP_FAILED);
  EXPECT_NE(::mprotect(readable, 8192, PROT_READ | PROT_WRITE), 0);
  EXPECT_EQ(*static_cast<unsigned char*>(readable), 1);
  EXPECT_NE(::ftruncate(memory.descriptor(), 0), 0);
  EXPECT_NE(::ftruncate(memory.descriptor(), 1 << 20), 0);
  EXPECT_NE(::write(memory.descriptor(), "x", 1), 1);
}

}  // namespace
}  // namespace grader
