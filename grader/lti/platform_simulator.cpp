#include "grader/lti/platform_simulator.hpp"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

#include "grader/base/moment.hpp"

namespace grader {
namespace {

using nlohmann::json;

constexpr const char* kScoreScope = "https://purl.imsglobal.org/spec/lti-ags/scope/score";
constexpr const char* kLineItemsScope =
    "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly";
constexpr const char* kScoreType = "application/vnd.ims.lis.v1.score+json";
constexpr const char* kLineItemsType = "application/vnd.ims.lis.v2.lineitemcontainer+json";
constexpr const char* kAssertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
constexpr const char* kCanvasExtension = "https://canvas.instructure.com/lti/submission";

ServedAnswer refuse(int status, const std::string& why) {
  return {status, {{"Content-Type", "application/json"}}, json{{"error", why}}.dump()};
}

std::string header_of(const ServedRequest& request, const std::string& name) {
  const auto found = request.headers.find(name);
  return found == request.headers.end() ? std::string() : found->second;
}

/// The fields of a form or of a query.
std::map<std::string, std::string> form_in(const std::string& text) {
  std::map<std::string, std::string> fields;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, '&');) {
    const std::size_t equals = part.find('=');
    std::string value;
    for (std::size_t at = equals + 1; equals != std::string::npos && at < part.size(); ++at) {
      if (part[at] == '%') {
        value += static_cast<char>(std::stoi(part.substr(at + 1, 2), nullptr, 16));
        at += 2;
      } else {
        value += part[at] == '+' ? ' ' : part[at];
      }
    }
    fields[part.substr(0, equals)] = value;
  }
  return fields;
}

std::string from_base64url(std::string_view text) {
  std::string bytes;
  unsigned bits = 0;
  unsigned held = 0;
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  for (const char character : text) {
    bits = (bits << 6U) | static_cast<unsigned>(kAlphabet.find(character));
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>((bits >> held) & 255U);
  }
  return bytes;
}

bool is_signed_by(const std::string& public_key, std::string_view text,
                  const std::string& signature) {
  BIO* bio = BIO_new_mem_buf(public_key.data(), static_cast<int>(public_key.size()));
  EVP_PKEY* key = PEM_read_bio_PUBKEY(bio, nullptr, nullptr, nullptr);
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  const bool is_right =
      key != nullptr && EVP_DigestVerifyInit(context, nullptr, EVP_sha256(), nullptr, key) == 1 &&
      EVP_DigestVerify(context, reinterpret_cast<const unsigned char*>(signature.data()),
                       signature.size(), reinterpret_cast<const unsigned char*>(text.data()),
                       text.size()) == 1;
  EVP_MD_CTX_free(context);
  EVP_PKEY_free(key);
  BIO_free(bio);
  return is_right;
}

/// Unix milliseconds of "2026-11-30T16:55:00.123Z"; nothing without a fraction of a second.
std::optional<std::int64_t> milliseconds_in(const std::string& timestamp) {
  const auto moment = parse_moment(timestamp);
  const std::size_t point = timestamp.find('.');
  if (!moment || point == std::string::npos) return std::nullopt;
  return moment->seconds * 1'000 + std::stoi(timestamp.substr(point + 1, 3));
}

}  // namespace

PlatformSimulator::PlatformSimulator(const DeliveryClock& clock)
    : clock_(clock), certificate_(folder_.path() / "platform.pem") {
  server_ = std::make_unique<TlsServer>(
      certificate_, [this](const ServedRequest& request) { return handle(request); });
}

std::string PlatformSimulator::query() const {
  return rules.dialect == Dialect::moodle ? "?type_id=3" : "";
}
std::string PlatformSimulator::course_path() const { return "/courses/7/line_items"; }
std::string PlatformSimulator::line_items_url() const { return url() + course_path() + query(); }
std::string PlatformSimulator::line_item_url(const std::string& number) const {
  return url() + course_path() + "/" + number + "/lineitem" + query();
}

void PlatformSimulator::revoke_tokens() {
  const std::lock_guard lock(mutex_);
  tokens_.clear();
}

void PlatformSimulator::enter_by_hand(const std::string& user, double score, std::int64_t at_ms) {
  const std::lock_guard lock(mutex_);
  results_[user].timestamp_ms = at_ms;
  results_[user].scores.push_back({"by hand", score, ""});
}

std::vector<PlatformSimulator::StoredScore> PlatformSimulator::stored(
    const std::string& user) const {
  const std::lock_guard lock(mutex_);
  const auto found = results_.find(user);
  return found == results_.end() ? std::vector<StoredScore>() : found->second.scores;
}

std::size_t PlatformSimulator::stored_scores() const {
  const std::lock_guard lock(mutex_);
  std::size_t count = 0;
  for (const auto& [user, result] : results_) count += result.scores.size();
  return count;
}
std::size_t PlatformSimulator::repeated_scores() const {
  const std::lock_guard lock(mutex_);
  return repeated_;
}
std::size_t PlatformSimulator::attempts_used() const {
  const std::lock_guard lock(mutex_);
  return attempts_;
}
std::size_t PlatformSimulator::requests(const std::string& kind) const {
  const std::lock_guard lock(mutex_);
  const auto found = requests_.find(kind);
  return found == requests_.end() ? 0 : found->second;
}
std::size_t PlatformSimulator::refusals(int status) const {
  const std::lock_guard lock(mutex_);
  const auto found = refusals_.find(status);
  return found == refusals_.end() ? 0 : found->second;
}

ServedAnswer PlatformSimulator::handle(const ServedRequest& request) {
  const std::lock_guard lock(mutex_);
  if (rules.trouble) {
    if (const auto trouble = rules.trouble(request)) {
      if (trouble->is_worked_on) static_cast<void>(answer(request));
      return trouble->answer;
    }
  }
  ServedAnswer given = answer(request);
  if (given.status >= 300) ++refusals_[given.status];
  return given;
}

ServedAnswer PlatformSimulator::answer(const ServedRequest& request) {
  if (request.path == "/token") return give_token(request);
  if (request.path == course_path()) return list_line_items(request);
  constexpr std::string_view kEnding = "/lineitem/scores";
  const bool is_score =
      request.path.starts_with(course_path() + "/") && request.path.ends_with(kEnding);
  if (!is_score) return refuse(404, "there is nothing here");
  const std::size_t begin = course_path().size() + 1;
  return take_score(request,
                    request.path.substr(begin, request.path.size() - kEnding.size() - begin));
}

std::string PlatformSimulator::fault_of_assertion(const std::string& assertion) {
  const std::size_t first = assertion.find('.');
  const std::size_t second = assertion.find('.', first + 1);
  if (second == std::string::npos) return "it is no JWT";
  const json header = json::parse(from_base64url(assertion.substr(0, first)), nullptr, false);
  const json claims =
      json::parse(from_base64url(assertion.substr(first + 1, second - first - 1)), nullptr, false);
  if (!header.is_object() || !claims.is_object()) return "it is no JWT";
  if (header.value("alg", "") != "RS256") return "it is not signed with RS256";
  if (header.value("kid", "") != rules.key_id) return "its key is not known";
  if (!is_signed_by(rules.public_key, assertion.substr(0, second),
                    from_base64url(assertion.substr(second + 1)))) {
    return "its signature is wrong";
  }
  const std::string audience = rules.audience.empty() ? token_url() : rules.audience;
  if (claims.value("iss", "") != rules.client_id) return "its issuer is not known";
  if (claims.value("sub", "") != rules.client_id) return "its subject is not known";
  if (claims.value("aud", "") != audience) return "it is meant for another audience";
  const std::int64_t now = clock_.now_ms() / 1'000;
  constexpr std::int64_t kOldest = 300;
  const std::int64_t issued = claims.value("iat", std::int64_t{0});
  if (issued > now || issued < now - kOldest) return "it is not issued now";
  if (claims.value("exp", std::int64_t{0}) <= now) return "it has expired";
  const std::string id = claims.value("jti", "");
  if (id.size() < 16) return "it has no id that could be its own";
  if (!used_ids_.insert(id).second) return "its id was used before";
  return {};
}

ServedAnswer PlatformSimulator::give_token(const ServedRequest& request) {
  ++requests_["token"];
  if (request.method != "POST" ||
      header_of(request, "content-type") != "application/x-www-form-urlencoded") {
    return refuse(400, "invalid_request");
  }
  auto form = form_in(request.body);
  if (form["grant_type"] != "client_credentials" ||
      form["client_assertion_type"] != kAssertionType) {
    return refuse(400, "unsupported_grant_type");
  }
  const std::string fault = fault_of_assertion(form["client_assertion"]);
  if (!fault.empty()) return refuse(400, "invalid_client: " + fault);
  Token token;
  std::string granted;
  std::istringstream wanted(form["scope"]);
  for (std::string scope; wanted >> scope;) {
    if (!rules.granted_scopes.contains(scope)) continue;
    token.scopes.insert(scope);
    granted += (granted.empty() ? "" : " ") + scope;
  }
  if (granted.empty()) return refuse(400, "invalid_scope");
  token.good_until_ms = clock_.now_ms() + rules.token_seconds * 1'000;
  const std::string name = "token-" + std::to_string(used_ids_.size());
  tokens_[name] = token;
  return {200,
          {{"Content-Type", "application/json"}},
          json{{"access_token", name},
               {"token_type", "Bearer"},
               {"expires_in", rules.token_seconds},
               {"scope", granted}}
              .dump()};
}

std::optional<ServedAnswer> PlatformSimulator::refusal(const ServedRequest& request,
                                                       const std::string& scope) const {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string authorization = header_of(request, "authorization");
  if (!authorization.starts_with(kBearer)) return refuse(401, "no access token");
  const auto token = tokens_.find(authorization.substr(kBearer.size()));
  if (token == tokens_.end() || token->second.good_until_ms <= clock_.now_ms()) {
    return refuse(401, "the access token is not valid");
  }
  if (!token->second.scopes.contains(scope)) return refuse(403, "the scope does not allow this");
  return std::nullopt;
}

ServedAnswer PlatformSimulator::list_line_items(const ServedRequest& request) const {
  if (const auto refused = refusal(request, kLineItemsScope)) return *refused;
  if (request.method != "GET" || header_of(request, "accept") != kLineItemsType) {
    return refuse(406, "only line items can be had here");
  }
  auto wanted = form_in(request.query);
  if (rules.dialect == Dialect::moodle && wanted["type_id"] != "3") {
    return refuse(401, "no such tool");
  }
  std::vector<json> items;
  for (const SimulatedLineItem& item : rules.line_items) {
    const auto fits = [&](const char* name, const std::string& value) {
      return !wanted.contains(name) || wanted[name] == value;
    };
    if (!fits("resource_id", item.resource_id) || !fits("tag", item.tag) ||
        !fits("resource_link_id", item.resource_link_id)) {
      continue;
    }
    items.push_back({{"id", line_item_url(item.number)},
                     {"label", item.label},
                     {"scoreMaximum", 100},
                     {"resourceId", item.resource_id},
                     {"resourceLinkId", item.resource_link_id},
                     {"tag", item.tag}});
  }
  const std::size_t page = wanted["page"].empty() ? 0 : std::stoul(wanted["page"]);
  const std::size_t end = std::min(items.size(), (page + 1) * rules.page_size);
  ServedAnswer answer{200, {{"Content-Type", kLineItemsType}}, ""};
  answer.body =
      json(std::vector<json>(
               items.begin() + static_cast<std::ptrdiff_t>(std::min(end, page * rules.page_size)),
               items.begin() + static_cast<std::ptrdiff_t>(end)))
          .dump();
  if (end < items.size()) {
    const std::string next = url() + course_path() + "?page=" + std::to_string(page + 1);
    answer.headers["Link"] =
        rules.dialect == Dialect::moodle
            ? "<" + next + "&amp;type_id=3>; rel=“next”, <" + next + ">; rel=“last”"
            : "<" + url() + course_path() + ">; rel=\"first\", <" + next + ">; rel=\"next\"";
  }
  return answer;
}

ServedAnswer PlatformSimulator::take_score(const ServedRequest& request,
                                           const std::string& line_item) {
  ++requests_["scores"];
  if (const auto refused = refusal(request, kScoreScope)) return *refused;
  if (request.method != "POST" || header_of(request, "content-type") != kScoreType) {
    return refuse(415, "this is no score");
  }
  if ("?" + request.query != query() && !(request.query.empty() && query().empty())) {
    return refuse(401, "no such tool");
  }
  const bool is_known = std::ranges::any_of(
      rules.line_items, [&](const SimulatedLineItem& item) { return item.number == line_item; });
  if (!is_known) return refuse(404, "there is no such line item");
  const json score = json::parse(request.body, nullptr, false);
  if (!score.is_object()) return refuse(400, "this is no JSON object");
  return store(score);
}

ServedAnswer PlatformSimulator::store(const json& score) {
  for (const char* name : {"userId", "activityProgress", "gradingProgress", "timestamp"}) {
    if (!score.contains(name) || !score[name].is_string()) return refuse(400, "incomplete");
  }
  if (score["activityProgress"] != "Completed" || score["gradingProgress"] != "FullyGraded") {
    return refuse(400, "it is not graded");
  }
  const std::string user = score["userId"];
  if (!rules.users.contains(user)) {
    // Moodle stumbles over its own message there.
    return rules.dialect == Dialect::moodle ? refuse(500, "error")
                                            : refuse(422, "User not found in course");
  }
  if (score.contains("scoreGiven") && !score.contains("scoreMaximum")) {
    return refuse(rules.dialect == Dialect::canvas ? 422 : 412, "scoreMaximum is missing");
  }
  const auto timestamp = milliseconds_in(score["timestamp"]);
  if (!timestamp) return refuse(400, "no timestamp");
  Result& result = results_[user];
  switch (rules.dialect) {
    case Dialect::specification:
      if (result.timestamp_ms > *timestamp) return refuse(409, "there is a later score");
      break;
    case Dialect::canvas:
      if (result.timestamp_ms > *timestamp) return refuse(400, "before last updated timestamp");
      break;
    case Dialect::moodle:
      if (result.timestamp_ms / 1'000 >= *timestamp / 1'000 && result.timestamp_ms > 0) {
        if (result.timestamp_ms == *timestamp) ++repeated_;
        return refuse(409, "Refusing score with an earlier timestamp");
      }
      break;
  }
  const bool is_repeated = result.timestamp_ms == *timestamp;
  if (is_repeated) {
    ++repeated_;
    result.scores.pop_back();
  }
  result.timestamp_ms = *timestamp;
  StoredScore stored{score["timestamp"], std::nullopt, score.value("comment", "")};
  if (score.contains("scoreGiven")) stored.given = score["scoreGiven"].get<double>();
  result.scores.push_back(stored);
  if (rules.dialect == Dialect::canvas &&
      score.value(kCanvasExtension, json::object()).value("new_submission", true)) {
    ++attempts_;
  }
  return {200, {{"Content-Type", kScoreType}}, json{{"resultUrl", url() + "/results/1"}}.dump()};
}

}  // namespace grader
