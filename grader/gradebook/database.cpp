#include "grader/gradebook/database.hpp"

#include <sqlite3.h>

#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/gradebook/schema.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr int kPatienceMs = 10'000;  ///< with another process that writes

[[noreturn]] void refuse_damaged(const fs::path& file) {
  throw UsageFault(file.string() + " is not a gradebook, or it is damaged.",
                   "Move it away: `attention-grader batch` makes it again from the results.");
}

// The kind of an error, without its details.
int kind_of(const SQLite::Exception& error) {
  constexpr int kKindBits = 0xff;
  return error.getErrorCode() & kKindBits;
}

// An SQLite URI of `file`: "immutable" for folders in which no lock can be made.
std::string immutable_uri(const fs::path& file) {
  std::string uri = "file:";
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const char character : fs::absolute(file).string()) {
    const auto byte = static_cast<unsigned char>(character);
    if (character == '%' || character == '?' || character == '#') {
      uri += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
    } else {
      uri += character;
    }
  }
  return uri + "?immutable=1";
}

class OpenBundle : public Gradebook::Bundle {
 public:
  OpenBundle(GradebookDatabase& database, bool& is_bundled)
      : database_(database),
        is_bundled_(is_bundled),
        transaction_(database.with([](SQLite::Database& connection) {
          return std::make_unique<SQLite::Transaction>(connection);
        })) {
    is_bundled_ = true;
  }
  ~OpenBundle() override { is_bundled_ = false; }
  OpenBundle(const OpenBundle&) = delete;
  OpenBundle& operator=(const OpenBundle&) = delete;

  void commit() override {
    database_.with([&](SQLite::Database&) { transaction_->commit(); });
  }

 private:
  GradebookDatabase& database_;
  bool& is_bundled_;
  std::unique_ptr<SQLite::Transaction> transaction_;
};

}  // namespace

GradebookDatabase::GradebookDatabase(fs::path file, Gradebook::Access access)
    : file_(std::move(file)) {
  try {
    if (access == Gradebook::Access::write) {
      connection_.emplace(file_, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kPatienceMs);
      connection_->exec("PRAGMA foreign_keys = ON");
      migrate();
    } else {
      open_to_read();
    }
  } catch (const SQLite::Exception& error) {
    rethrow(error);
  }
}

std::unique_ptr<Gradebook::Bundle> GradebookDatabase::bundle() {
  return std::make_unique<OpenBundle>(*this, is_bundled_);
}

void GradebookDatabase::rethrow(const SQLite::Exception& error) const {
  switch (kind_of(error)) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT: refuse_damaged(file_);
    case SQLITE_FULL:
      throw EnvironmentFault("Cannot write " + file_.string() + ": the disk is full.",
                             "Free some space and run the same command again.");
    case SQLITE_BUSY:
      throw EnvironmentFault(file_.string() + " is in use by another program.",
                             "Wait for it to finish, or close it.");
    default:
      throw EnvironmentFault("Cannot use " + file_.string() + ": " + error.what() + ".",
                             "Check its permissions and the disk.");
  }
}

void GradebookDatabase::open_to_read() {
  std::error_code error;
  if (!fs::exists(file_, error)) {
    throw UsageFault("There is no gradebook " + file_.string() + ".",
                     "Name the folder that `attention-grader batch --out` wrote. If the gradebook "
                     "was taken out of it, run `attention-grader batch` again with the same --out: "
                     "it makes it anew from the results.");
  }
  try {
    connection_.emplace(file_, SQLite::OPEN_READONLY, kPatienceMs);
    require_version();
  } catch (const SQLite::Exception& failure) {
    // Where nothing can be written, not even a reader's mark, nobody else writes either.
    if (kind_of(failure) != SQLITE_CANTOPEN && kind_of(failure) != SQLITE_READONLY) throw;
    refuse_unfinished();
    connection_.emplace(immutable_uri(file_), SQLite::OPEN_READONLY | SQLite::OPEN_URI);
    require_version();
  }
  if (version() < gradebook_version()) {
    throw UsageFault(file_.string() + " was written by an earlier version of the grader.",
                     "Run `attention-grader batch` on its folder once; nothing is graded again.");
  }
}

// What a killed program left in the log is read only where the log can be taken up.
void GradebookDatabase::refuse_unfinished() const {
  const fs::path log = file_.string() + "-wal";
  std::error_code error;
  const std::uintmax_t size = fs::file_size(log, error);
  if (error || size == 0) return;
  throw UsageFault(file_.string() + " was left unfinished, and its folder cannot be written.",
                   "Run `attention-grader report` where it can be written, or on a copy.");
}

int GradebookDatabase::version() { return connection_->execAndGet("PRAGMA user_version").getInt(); }

void GradebookDatabase::require_version() {
  const int found = version();
  if (found > gradebook_version()) {
    throw UsageFault(file_.string() + " was written by a later version of the grader (gradebook " +
                         std::to_string(found) + ", this program knows " +
                         std::to_string(gradebook_version()) + ").",
                     "Use that version, or another --out folder.");
  }
  if (found == 0 && connection_->execAndGet("SELECT count(*) FROM sqlite_master").getInt() != 0) {
    refuse_damaged(file_);  // a database, but somebody else's
  }
}

void GradebookDatabase::migrate() {
  require_version();
  // A gradebook can be made again from the results, so its last entry may be lost with the power;
  // what is there must be whole, which WAL sees to.
  connection_->exec("PRAGMA journal_mode = WAL");
  connection_->exec("PRAGMA synchronous = NORMAL");
  SQLite::Transaction transaction(*connection_, SQLite::TransactionBehavior::IMMEDIATE);
  for (int next = version(); next < gradebook_version(); ++next) {
    connection_->exec(std::string(gradebook_migrations()[static_cast<std::size_t>(next)]));
  }
  connection_->exec("PRAGMA user_version = " + std::to_string(gradebook_version()));
  transaction.commit();
}

}  // namespace grader
