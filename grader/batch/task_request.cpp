#include "grader/batch/task_request.hpp"

#include <nlohmann/json.hpp>

#include "grader/assignment/fields.hpp"
#include "grader/base/digest.hpp"
#include "grader/base/fault.hpp"
#include "grader/scorecard/names.hpp"

namespace grader {
namespace {

// Paths are bytes and JSON is text, so they travel as hexadecimal digits.
std::string encoded(const std::filesystem::path& path) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char character : path.native()) {
    const auto byte = static_cast<unsigned char>(character);
    text += {kDigits[byte >> 4U], kDigits[byte & 15U]};
  }
  return text;
}

std::string decoded(const std::string& text) {
  std::string bytes;
  constexpr int kHexadecimal = 16;
  for (std::size_t place = 0; place + 1 < text.size(); place += 2) {
    bytes += static_cast<char>(std::stoi(text.substr(place, 2), nullptr, kHexadecimal));
  }
  return bytes;
}

}  // namespace

std::string request_to_json(const TaskRequest& request) {
  nlohmann::ordered_json json;
  json["submission"] = encoded(request.submission);
  json["out"] = encoded(request.out);
  json["id"] = request.id;
  json["assignment"] = encoded(request.assignment);
  json["shown_assignment"] = encoded(request.shown_assignment);
  if (request.options.seed) json["seed"] = *request.options.seed;
  if (request.options.cases) json["cases"] = *request.options.cases;
  if (request.options.hint_level) json["hint_level"] = name_of(*request.options.hint_level);
  if (!request.check.empty()) {
    json["check"] = request.check;
    json["earlier"] = encoded(request.earlier);
  }
  json["isolation"] = request.isolation;
  json["accepts_none"] = request.accepts_none ? 1 : 0;
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

TaskRequest request_from_json(const std::string& text, const std::string& name) {
  const nlohmann::json document = parse_strictly(name, text);
  Fields fields(name, "", document);
  TaskRequest request;
  request.submission = decoded(fields.text("submission"));
  request.out = decoded(fields.text("out"));
  request.id = fields.text("id");
  request.assignment = decoded(fields.text("assignment"));
  request.shown_assignment = decoded(fields.text("shown_assignment"));
  if (fields.has("seed")) request.options.seed = fields.natural("seed");
  if (fields.has("cases")) request.options.cases = fields.integer("cases", 1);
  if (fields.has("hint_level")) {
    request.options.hint_level = named<HintLevel>(fields.text("hint_level"));
  }
  if (fields.has("check")) {
    request.check = fields.text("check");
    request.earlier = decoded(fields.text("earlier"));
  }
  request.isolation = fields.text("isolation");
  request.accepts_none = fields.integer("accepts_none", 0) != 0;
  fields.finish();
  return request;
}

}  // namespace grader
