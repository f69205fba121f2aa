// The connection to a gradebook: opening, migrating, and SQLite's errors as faults.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "grader/gradebook/gradebook.hpp"

namespace grader {

class GradebookDatabase {
 public:
  /// See Gradebook.
  GradebookDatabase(std::filesystem::path file, Gradebook::Access access);

  /// Runs `work` on the connection; its errors become faults.
  template <class Work>
  auto with(const Work& work) {
    try {
      return work(*connection_);
    } catch (const SQLite::Exception& error) {
      rethrow(error);
    }
  }

  /// The same in one step, or in the step of a surrounding bundle.
  template <class Work>
  void in_one_step(const Work& work) {
    with([&](SQLite::Database& connection) {
      if (is_bundled_) return work(connection);
      SQLite::Transaction transaction(connection);
      work(connection);
      transaction.commit();
    });
  }

  std::unique_ptr<Gradebook::Bundle> bundle();

 private:
  [[noreturn]] void rethrow(const SQLite::Exception& error) const;
  void open_to_read();
  void refuse_unfinished() const;
  void migrate();
  void require_version();
  [[nodiscard]] int version();

  std::filesystem::path file_;
  std::optional<SQLite::Database> connection_;
  bool is_bundled_ = false;
};

}  // namespace grader
