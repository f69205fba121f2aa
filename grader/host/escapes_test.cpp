#include "grader/host/escapes.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/channel/in_process.hpp"
#include "grader/host/escape_list.hpp"
#include "grader/host/sandboxed.hpp"

namespace grader {
namespace {

TEST(EscapesTest, NoneSucceedsInTheSandbox) {
  const auto attempts = try_escapes();
  ASSERT_EQ(attempts.size(), host::kEscapes.size());
  for (const EscapeAttempt& attempt : attempts) {
    EXPECT_FALSE(attempt.succeeded) << attempt.name;
    EXPECT_NE(attempt.stopped_by, "time limit") << attempt.name;
  }
}

/// The probes mean something only if they succeed where nothing stops them.
TEST(EscapesTest, ManySucceedOutsideTheSandbox) {
  const Type integer{Kind::integer, {}};
  const Contract contract{{"probe", {{"number", integer}}, integer}};
  void* library = ::dlopen(escape_probes_file().c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << ::dlerror();
  const auto dispatch =
      reinterpret_cast<DispatchFunction>(::dlsym(library, "attention_grader_dispatch"));
  ASSERT_NE(dispatch, nullptr);
  const std::vector<std::string> harmless = {
      "read /etc/passwd",        "list the root directory",
      "create a file in /tmp",   "open an internet socket",
      "open a local socket",     "fork",
      "start a shell",           "make an anonymous file",
      "make executable memory",  "set a timer that outlives the call",
      "read the machine's name", "use descriptors that the grader left open"};
  for (const std::string& name : harmless) {
    std::size_t index = 0;
    while (host::kEscapes.at(index) != name) {
      ++index;
    }
    const pid_t child = ::fork();
    if (child == 0) {
      InProcessImplementation unconfined(contract, dispatch);
      const Outcome outcome = unconfined.call(0, {static_cast<std::int64_t>(index)});
      ::_exit(outcome.ending == Ending::returned && std::get<std::int64_t>(outcome.value) == 1 ? 0
                                                                                               : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << name << " does not succeed even outside";
  }
}

}  // namespace
}  // namespace grader
