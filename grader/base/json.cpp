#include "grader/base/json.hpp"

#include <set>
#include <utility>
#include <vector>

#include "grader/base/plain_text.hpp"

namespace grader {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kShownMember = 60;

/// Takes the events of nlohmann's parser, which keeps what is open in a list of its own.
class FlawFinder : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(std::int64_t /*value*/) override { return true; }
  bool number_unsigned(std::uint64_t /*value*/) override { return true; }
  bool number_float(double /*value*/, const std::string& /*as_written*/) override { return true; }
  bool string(std::string& /*value*/) override { return true; }
  bool binary(Json::binary_t& /*value*/) override { return true; }
  bool start_object(std::size_t /*size*/) override { return open(); }
  bool start_array(std::size_t /*size*/) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& name) override {
    if (members_.back().insert(name).second) return true;
    return refuse({JsonFlaw::Kind::member_twice, 0, name});
  }
  bool parse_error(std::size_t place, const std::string& /*token*/,
                   const Json::exception& what) override {
    constexpr int kOutOfRange = 406;  // of a number; the parser tells of nothing else so
    const bool is_number = what.id == kOutOfRange;
    // From \ud800 to \udfff, on its own. The parser's words are the only sign of it.
    const bool is_half = std::string_view(what.what()).find("surrogate") != std::string_view::npos;
    return refuse({is_number ? JsonFlaw::Kind::number_too_large
                   : is_half ? JsonFlaw::Kind::half_character
                             : JsonFlaw::Kind::syntax,
                   place, ""});
  }

  [[nodiscard]] std::optional<JsonFlaw> flaw() && { return std::move(flaw_); }

 private:
  bool refuse(JsonFlaw flaw) {
    flaw_ = std::move(flaw);
    return false;
  }
  bool open() {
    if (members_.size() == kDeepestJson) return refuse({JsonFlaw::Kind::too_deep, 0, ""});
    members_.emplace_back();
    return true;
  }
  bool close() {
    members_.pop_back();
    return true;
  }

  std::vector<std::set<std::string>> members_;  ///< of what is begun, the outermost first
  std::optional<JsonFlaw> flaw_;
};

}  // namespace

std::optional<JsonFlaw> flaw_in_json(std::string_view document) {
  FlawFinder finder;
  Json::sax_parse(document, &finder);
  return std::move(finder).flaw();
}

std::string words_for(const JsonFlaw& flaw) {
  switch (flaw.kind) {
    case JsonFlaw::Kind::too_deep:
      return "is nested deeper than " + std::to_string(kDeepestJson) + " levels";
    case JsonFlaw::Kind::member_twice:
      return "has \"" + plain_line(flaw.member, kShownMember) + "\" twice in one object";
    case JsonFlaw::Kind::number_too_large:
      return "has a number that is too large for one, at byte " + std::to_string(flaw.byte);
    case JsonFlaw::Kind::half_character:
      return "has half a character (\\ud800 to \\udfff on its own) at byte " +
             std::to_string(flaw.byte);
    case JsonFlaw::Kind::syntax: break;
  }
  return "is not JSON: it ends or goes wrong at byte " + std::to_string(flaw.byte);
}

}  // namespace grader
