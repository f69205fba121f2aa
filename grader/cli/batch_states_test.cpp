// Every state in which a kill can leave the results folder: the same command goes on from it, and
// the results are those of an undisturbed run.
#include <SQLiteCpp/Database.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include <cstdlib>
#include <functional>
#include <set>

#include "grader/cli/batch_cli_fixture.hpp"

namespace grader {
namespace {

class BatchStatesTest : public BatchCliTest {
 protected:
  void SetUp() override {
    BatchCliTest::SetUp();
    write("class.csv", "id,name\nada,Ada\nbob,Bob\ncy,Cy\n");
    hand_in("bob", "");
    hand_in("cy", "");
  }

  // Many a test grades for what it leaves behind. NOLINTNEXTLINE(modernize-use-nodiscard)
  Ending grade_class(const std::string& out) const { return batch({"--roster", "class.csv"}, out); }

  /// Copies the finished results, makes the state of them that a kill left, and goes on.
  void expect_recovery(const std::string& state, const std::function<void(const fs::path&)>& make) {
    const fs::path out = folder_.path() / "killed";
    fs::remove_all(out);
    fs::copy(folder_.path() / "undisturbed", out, fs::copy_options::recursive);
    make(out);
    const Ending rerun = grade_class("killed");
    EXPECT_EQ(rerun.exit_code, 0) << state << '\n' << rerun.err;
    EXPECT_EQ(rerun.err.find("is left out"), std::string::npos) << state << '\n' << rerun.err;
    EXPECT_EQ(everything("killed"), everything("undisturbed")) << state;
    EXPECT_EQ(rerun.out, undisturbed_.out) << state;
    EXPECT_FALSE(fs::exists(out / ".work") || fs::exists(out / ".lock")) << state;
  }

  static void keep_only(const fs::path& out, const std::set<std::string>& names) {
    std::vector<fs::path> others;
    for (const auto& entry : fs::directory_iterator(out)) {
      if (!names.contains(entry.path().filename().string())) others.push_back(entry.path());
    }
    for (const fs::path& other : others) fs::remove_all(other);
  }
  static void put(const fs::path& file, const std::string& text = "") {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  /// Their checks and diagnoses go with them.
  template <class Database>
  static void forget_runs(Database&& database) {
    database.exec("PRAGMA foreign_keys = ON");
    database.exec("DELETE FROM runs");
  }

  Ending undisturbed_;
};

TEST_F(BatchStatesTest, BeforeTheFolderIsDescribed) {
  undisturbed_ = grade_class("undisturbed");
  ASSERT_EQ(undisturbed_.exit_code, 0) << undisturbed_.err;
  expect_recovery("an empty folder", [](const fs::path& out) { keep_only(out, {}); });
  expect_recovery("a lock", [](const fs::path& out) {
    keep_only(out, {});
    put(out / ".lock", "process 1");
  });
  expect_recovery("what was unpacked", [](const fs::path& out) {
    keep_only(out, {});
    put(out / ".lock");
    put(out / ".work/sources/source-1/unpacked/bob.cpp", "half");
  });
  expect_recovery("half a description", [](const fs::path& out) {
    keep_only(out, {});
    put(out / ".lock", "process 1");
    put(out / ".attention-grader-unfinished-a1B2c3", "{");
  });
}

TEST_F(BatchStatesTest, BeforeTheFirstResult) {
  undisturbed_ = grade_class("undisturbed");
  const auto with_lock = [](const fs::path& out, std::set<std::string> names) {
    names.insert("batch.json");
    keep_only(out, names);
    put(out / ".lock", "process 1");
    fs::create_directory(out / ".work");
  };
  expect_recovery("a description", [&](const fs::path& out) { with_lock(out, {}); });
  expect_recovery("half a roster", [&](const fs::path& out) {
    with_lock(out, {});
    put(out / ".attention-grader-unfinished-a1B2c3", "id");
  });
  expect_recovery("a roster", [&](const fs::path& out) { with_lock(out, {"roster.csv"}); });
  expect_recovery("an empty gradebook", [&](const fs::path& out) {
    with_lock(out, {"roster.csv"});
    put(out / "gradebook.sqlite");
  });
  expect_recovery("a gradebook with a journal that was never begun", [&](const fs::path& out) {
    with_lock(out, {"roster.csv"});
    put(out / "gradebook.sqlite");
    put(out / "gradebook.sqlite-journal");
  });
  expect_recovery("a gradebook without tables", [&](const fs::path& out) {
    with_lock(out, {"roster.csv"});
    SQLite::Database(out / "gradebook.sqlite", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec("PRAGMA journal_mode = WAL");
  });
  expect_recovery("tables in a log alone", [&](const fs::path& out) {
    with_lock(out, {"roster.csv"});
    const fs::path elsewhere = out.parent_path() / "log.sqlite";
    fs::remove(elsewhere);
    SQLite::Database open(elsewhere, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    open.exec("PRAGMA journal_mode = WAL");
    open.exec("BEGIN");
    open.exec("CREATE TABLE students (id INTEGER PRIMARY KEY)");  // never committed
    for (const char* part : {"", "-wal", "-shm"}) {
      fs::copy_file(elsewhere.string() + part, (out / "gradebook.sqlite").string() + part);
    }
    open.exec("ROLLBACK");
  });
  expect_recovery("a task at work", [&](const fs::path& out) {
    with_lock(out, {"roster.csv", "gradebook.sqlite"});
    put(out / ".work/task-0-0/request.json", "{}");
    put(out / ".work/task-0-0/out/.submission-a1B2c3/mean.cpp", "half");
  });
}

TEST_F(BatchStatesTest, BetweenResults) {
  undisturbed_ = grade_class("undisturbed");
  const auto run_of = [](const fs::path& out, const std::string& student) {
    return out / "students" / student / "attempt-1" / "run-1";
  };
  expect_recovery("no result, but a place for it",
                  [&](const fs::path& out) { fs::remove_all(run_of(out, "bob")); });
  expect_recovery("a student without a place", [&](const fs::path& out) {
    fs::remove_all(out / "students/cy");
    fs::remove(out / "class.csv");
  });
  expect_recovery("a result that the gradebook does not know", [&](const fs::path& out) {
    forget_runs(SQLite::Database(out / "gradebook.sqlite", SQLite::OPEN_READWRITE));
  });
  expect_recovery("the same, in a log", [&](const fs::path& out) {
    const fs::path elsewhere = out.parent_path() / "open.sqlite";
    fs::copy_file(out / "gradebook.sqlite", elsewhere, fs::copy_options::overwrite_existing);
    SQLite::Database open(elsewhere, SQLite::OPEN_READWRITE);
    forget_runs(open);
    for (const char* part : {"", "-wal", "-shm"}) {
      fs::copy_file(elsewhere.string() + part, (out / "gradebook.sqlite").string() + part,
                    fs::copy_options::overwrite_existing);
    }
  });
  expect_recovery("no gradebook, and the log of an earlier one", [&](const fs::path& out) {
    fs::remove(out / "gradebook.sqlite");
    put(out / "gradebook.sqlite-wal", std::string(5000, 'x'));
    put(out / "gradebook.sqlite-shm", std::string(5000, 'x'));
  });
  expect_recovery("half a table and half a page", [&](const fs::path& out) {
    put(out / ".attention-grader-unfinished-a1B2c3", "student");
    put(out / ".attention-grader-unfinished-D4e5F6", "<!doctype");
    fs::remove(out / "class.csv");
    fs::remove(out / "class.html");
    put(out / ".lock", "process 1");
    put(out / ".work/shared/scorecard.json", "{");
  });
  expect_recovery("finished, but not tidied up", [&](const fs::path& out) {
    put(out / ".lock", "process 1");
    fs::create_directory(out / ".work");
  });
}

/// Follows a process and kills it at its `last`-th system call that may change a file. Returns
/// whether it came so far.
class Killer {
 public:
  Killer(pid_t child, std::size_t last) : child_(child), last_(last) {}

  bool kills() {
    int status = 0;
    if (waitpid(child_, &status, 0) != child_ || !WIFSTOPPED(status)) return false;
    ptrace(PTRACE_SETOPTIONS, child_, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    int signal = 0;
    while (ptrace(PTRACE_SYSCALL, child_, nullptr, signal) == 0) {
      if (waitpid(child_, &status, 0) != child_ || !WIFSTOPPED(status)) return false;
      constexpr int kAtCall = SIGTRAP | 0x80;
      signal = WSTOPSIG(status) == kAtCall ? 0 : WSTOPSIG(status);
      if (signal == SIGTRAP) signal = 0;  // exec
      if (WSTOPSIG(status) != kAtCall || !is_entry_of_change() || ++count_ < last_) continue;
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
      return true;
    }
    return false;
  }

 private:
  [[nodiscard]] bool is_entry_of_change() const {
    static const std::set<std::uint64_t> changes = {
        SYS_write,   SYS_pwrite64, SYS_ftruncate, SYS_openat, SYS_unlinkat,
        SYS_mkdirat, SYS_renameat, SYS_fallocate, SYS_fchmod,
#ifdef SYS_open
        SYS_unlink,  SYS_mkdir,    SYS_rename,    SYS_rmdir,
#endif
    };
    __ptrace_syscall_info info{};
    // ptrace takes numbers as pointers. NOLINTNEXTLINE(performance-no-int-to-ptr)
    const auto size = reinterpret_cast<void*>(sizeof info);
    if (ptrace(PTRACE_GET_SYSCALL_INFO, child_, size, &info) <= 0) return false;
    if (info.op != PTRACE_SYSCALL_INFO_ENTRY || !changes.contains(info.entry.nr)) return false;
    const bool opens = info.entry.nr == SYS_openat;
    return !opens || (info.entry.args[2] & O_CREAT) != 0;
  }

  pid_t child_;
  std::size_t last_;
  std::size_t count_ = 0;
};

TEST_F(BatchStatesTest, KilledBeforeAnyChangeItGoesOn) {
  undisturbed_ = grade_class("undisturbed");
  // All of them take minutes: some, with another beginning each time, are tried in every run.
  const char* all = std::getenv("ATTENTION_GRADER_KILLS");
  constexpr std::size_t kStride = 37;
  const std::size_t stride = all != nullptr ? 1 : kStride;
  const std::size_t first =
      1 +
      static_cast<std::size_t>(std::chrono::system_clock::now().time_since_epoch().count() / 1000) %
          stride;
  std::size_t moment = first;
  for (bool is_killed = true; is_killed; moment += stride) {
    const std::string out = "killed";
    fs::remove_all(folder_.path() / out);
    const pid_t child = start(batch_words({"--roster", "class.csv"}, out),
                              [] { ptrace(PTRACE_TRACEME, 0, nullptr, nullptr); });
    is_killed = Killer(child, moment).kills();
    const std::string when = "before change " + std::to_string(moment);
    ASSERT_EQ(remaining_processes(), "") << when;
    const Ending rerun = grade_class(out);
    ASSERT_EQ(rerun.exit_code, 0) << when << '\n' << rerun.err;
    ASSERT_EQ(everything(out), everything("undisturbed")) << when;
    ASSERT_EQ(rerun.out, undisturbed_.out) << when;
  }
  RecordProperty("changes", static_cast<int>(moment));
  EXPECT_GT(moment, first + 3 * stride) << "it was followed";
}

}  // namespace
}  // namespace grader
