// The hostile submissions in this folder: what each is made of, what the grader may say about it,
// and a folder of its own in which one is put together, with things around it that it must not
// reach.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hostile {

/// One folder `<technique>_<name>/`; see README.md for the fields of `expected`.
struct Attack {
  std::string name;
  std::filesystem::path folder;
  nlohmann::json expected;
};

/// How GoogleTest prints an attack.
inline void PrintTo(const Attack& attack, std::ostream* out) { *out << attack.name; }

/// All of them, sorted by name. Throws std::runtime_error naming a folder whose expect.json is
/// missing or has a field that README.md does not know.
std::vector<Attack> attacks();

/// What an attack may try to reach. Everything is open to every user of the machine: only the
/// grader's sandbox stands between. Removed at the end.
class Scene {
 public:
  /// Puts the submission of `attack` together in a new temporary folder and sets the baits up.
  explicit Scene(const Attack& attack);
  ~Scene();
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  [[nodiscard]] std::filesystem::path submission() const { return root_ / "submission"; }
  [[nodiscard]] std::filesystem::path results() const { return root_ / "results"; }
  /// For the grader's temporary files: empty before and after.
  [[nodiscard]] std::filesystem::path temporary() const { return root_ / "tmp"; }
  /// Stands in secret files and in the grader's environment, and nowhere else.
  [[nodiscard]] const std::string& token() const { return token_; }

  /// One sentence for each bait that was touched: a file changed or made, a connection, shared
  /// memory or a queue left behind.
  [[nodiscard]] std::vector<std::string> touched() const;

 private:
  [[nodiscard]] std::string filled(std::string text) const;
  void add_file(const nlohmann::json& file) const;
  void listen();

  std::filesystem::path root_;
  std::string token_;
  std::string name_;  ///< of what an attack makes outside; public
  std::vector<std::pair<std::string, std::string>> placeholders_;
  int listener_ = -1;
  int local_listener_ = -1;
  int port_ = 0;
};

/// What is wrong with `text` as something that people and machines read: "byte 0x1b at …", invalid
/// UTF-8, control, direction-changing or invisible characters. Empty when nothing is.
std::string unsafe_text(std::string_view text);

}  // namespace hostile
