// Strict reading of JSON objects: every field is named, typed and used, or the reader says which is
// not and what to do. Keeps the JSON library out of the other headers.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace grader {

/// Throws the UsageFault "FILE: PROBLEM." with the hint `remedy`.
[[noreturn]] void reject(const std::string& file, const std::string& problem,
                         const std::string& remedy);

/// The JSON document in `text`. Throws UsageFault for a syntax error (with its line) or for an
/// object that has a field twice.
nlohmann::json parse_strictly(const std::string& file, const std::string& text);

/// One JSON object whose fields are taken out one after the other.
class Fields {
 public:
  /// `where`: the object's place in the document, "checks[3]", or empty for the whole document.
  Fields(std::string file, std::string where, const nlohmann::json& object);

  std::string text(const std::string& name);
  double number(const std::string& name);
  /// An integer that is at least `least`.
  std::int64_t integer(const std::string& name, std::int64_t least);
  std::uint64_t natural(const std::string& name);
  bool flag(const std::string& name);
  std::vector<std::string> texts(const std::string& name);
  /// A list of objects.
  std::vector<Fields> objects(const std::string& name);
  Fields object(const std::string& name);
  [[nodiscard]] bool has(const std::string& name) const;

  /// Rejects the document because of field `name`.
  [[noreturn]] void reject_field(const std::string& name, const std::string& problem,
                                 const std::string& remedy) const;

  /// Rejects the fields that nobody took.
  void finish() const;

 private:
  const nlohmann::json& take(const std::string& name);
  [[nodiscard]] std::string path_of(const std::string& name) const;

  std::string file_;
  std::string where_;
  const nlohmann::json* object_;
  std::set<std::string> taken_;
};

}  // namespace grader
