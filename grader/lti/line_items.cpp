#include "grader/lti/line_items.hpp"

#include <nlohmann/json.hpp>
#include <vector>

#include "grader/base/fault.hpp"
#include "grader/base/json.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/base/suggestion.hpp"
#include "grader/lti/url.hpp"

namespace grader {
namespace {

using nlohmann::json;

constexpr int kMostPages = 100;
constexpr std::size_t kLabelShown = 80;
constexpr std::size_t kLabelsShown = 10;
constexpr const char* kWhat = "The line items of the course cannot be read";

std::string text_of(const json& item, const char* name) {
  const auto found = item.find(name);
  if (found == item.end()) return {};
  if (found->is_string()) return found->get<std::string>();
  // Some platforms write their numbers of links as numbers.
  return found->is_number_integer() ? found->dump() : std::string();
}

bool fits(const json& item, const LineItemChoice& choice) {
  const auto agrees = [&](const char* name, const std::string& wanted) {
    return wanted.empty() || text_of(item, name) == wanted;
  };
  return agrees("resourceId", choice.resource_id) &&
         agrees("resourceLinkId", choice.resource_link_id) && agrees("tag", choice.tag) &&
         agrees("label", choice.label);
}

/// The first page, with what the platform can choose by already chosen.
std::string first_page(const LineItemChoice& choice) {
  std::string url = choice.container;
  const auto choose_by = [&](const char* name, const std::string& value) {
    if (!value.empty()) url = with_query(url, name, value);
  };
  choose_by("resource_id", choice.resource_id);
  choose_by("resource_link_id", choice.resource_link_id);
  choose_by("tag", choice.tag);
  return url;
}

[[noreturn]] void refuse_answer(const std::string& why) {
  throw EnvironmentFault(std::string(kWhat) + ": " + why + ".",
                         "Check line_items in the platform file, or name the line item itself as "
                         "line_item.");
}

HttpAnswer page_at(const std::string& url, AuthorizedHttp& http) {
  HttpRequest request;
  request.url = url;
  request.headers = {"Accept: application/vnd.ims.lis.v2.lineitemcontainer+json"};
  const PatientOutcome outcome = http.send(request);
  if (outcome.is_interrupted) throw DeliveryInterrupted{};
  require_no_general_refusal(outcome, kWhat);
  const auto* answer = std::get_if<HttpAnswer>(&outcome.last);
  if (answer == nullptr || !answer->is_success()) refuse_answer(words_for(outcome.last));
  return *answer;
}

/// All line items, in the order of the pages.
std::vector<json> read_line_items(const LineItemChoice& choice, AuthorizedHttp& http) {
  std::vector<json> items;
  std::string url = first_page(choice);
  for (int page = 0; page < kMostPages; ++page) {
    const HttpAnswer answer = page_at(url, http);
    const json list = parsed_json(answer.body);
    if (!list.is_array()) refuse_answer("the answer is no list in JSON");
    for (const json& item : list) {
      if (item.is_object()) items.push_back(item);
    }
    const auto next = next_page(answer.header("link").value_or(""));
    if (!next) return items;
    // The token goes along, so it stays at the host that was named.
    if (!is_https_url(*next) || host_of(*next) != host_of(choice.container)) {
      refuse_answer("the next page is at another host");
    }
    url = *next;
  }
  refuse_answer("there are more than " + std::to_string(kMostPages) + " pages");
}

std::string described(const LineItemChoice& choice) {
  std::string text;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty())
      text += (text.empty() ? "" : ", ") + std::string(name) + " \"" + value + "\"";
  };
  add("resource_id", choice.resource_id);
  add("resource_link_id", choice.resource_link_id);
  add("tag", choice.tag);
  add("label", choice.label);
  return text;
}

[[noreturn]] void refuse_none(const LineItemChoice& choice, const std::vector<json>& items) {
  std::vector<std::string> labels;
  std::string shown;
  for (const json& item : items) {
    labels.push_back(plain_line(text_of(item, "label"), kLabelShown));
    if (labels.size() <= kLabelsShown) shown += (shown.empty() ? "" : ", ") + labels.back();
  }
  const std::string hint =
      items.empty() ? "Has the course an assignment that belongs to this tool?"
                    : suggestion(choice.label, labels) + "The platform has: " + shown + ".";
  throw UsageFault("No line item of the course has " + described(choice) + ".", hint);
}

}  // namespace

std::string find_line_item(const LineItemChoice& choice, AuthorizedHttp& http) {
  if (!choice.url.empty()) return choice.url;
  const std::vector<json> items = read_line_items(choice, http);
  std::vector<std::string> found;
  for (const json& item : items) {
    if (fits(item, choice)) found.push_back(text_of(item, "id"));
  }
  if (found.empty()) refuse_none(choice, items);
  if (found.size() > 1) {
    throw UsageFault(
        std::to_string(found.size()) + " line items of the course have " + described(choice) + ".",
        "Describe it more closely, or name one as line_item: " + plain_line(found[0], 300) + ", " +
            plain_line(found[1], 300) + ", …");
  }
  if (!is_https_url(found[0])) refuse_answer("the line item has no https URL");
  if (host_of(found[0]) != host_of(choice.container)) {
    throw UsageFault(
        "The line item is at another host: " + found[0] + ".",
        "If the access token may go there, name it as line_item in the platform file.");
  }
  return found[0];
}

std::optional<std::string> next_page(std::string_view link_header) {
  while (!link_header.empty()) {
    const std::size_t open = link_header.find('<');
    if (open == std::string_view::npos) return std::nullopt;
    const std::size_t close = link_header.find('>', open);
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view url = link_header.substr(open + 1, close - open - 1);
    link_header.remove_prefix(close + 1);
    const std::string_view parameters = link_header.substr(0, link_header.find('<'));
    const bool is_next = parameters.find("rel=next") != std::string_view::npos ||
                         parameters.find("rel=\"next\"") != std::string_view::npos ||
                         parameters.find("rel=“next”") != std::string_view::npos;
    if (!is_next) continue;
    std::string plain(url);
    constexpr std::string_view kEscaped = "&amp;";
    for (std::size_t at = plain.find(kEscaped); at != std::string::npos;
         at = plain.find(kEscaped, at + 1)) {
      plain.replace(at, kEscaped.size(), "&");
    }
    return plain;
  }
  return std::nullopt;
}

}  // namespace grader
