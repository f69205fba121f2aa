// A learning platform for tests: LTI 1.3 Assignment and Grade Services as the specification, Canvas
// and Moodle have them, strict where they are, over TLS on loopback.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/base/files.hpp"
#include "grader/lti/clock.hpp"
#include "grader/lti/tls_server.hpp"

namespace grader {

class PlatformSimulator {
 public:
  enum class Dialect : std::uint8_t { specification, canvas, moodle };

  struct SimulatedLineItem {
    std::string number;
    std::string label;
    std::string resource_id;
    std::string resource_link_id;
    std::string tag;
  };

  struct StoredScore {
    std::string timestamp;
    std::optional<double> given;
    std::string comment;
  };

  /// What befalls a request before or after it is worked on; nothing: it is worked on.
  struct Trouble {
    bool is_worked_on = false;  ///< and then the answer below is given all the same
    ServedAnswer answer;
  };

  /// What the platform knows; changed by a test while no request is under way.
  struct Rules {
    Dialect dialect = Dialect::specification;
    std::string client_id = "10000000000042";
    std::string key_id = "key-1";
    std::string public_key;  ///< PEM, of the tool
    std::string audience;    ///< empty: the token URL
    std::set<std::string> granted_scopes = {
        "https://purl.imsglobal.org/spec/lti-ags/scope/score",
        "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly"};
    std::int64_t token_seconds = 3'600;
    std::vector<SimulatedLineItem> line_items = {{"17", "Causal attention", "attention", "", ""}};
    std::size_t page_size = 50;
    std::set<std::string> users;
    std::function<std::optional<Trouble>(const ServedRequest&)> trouble;
  };

  explicit PlatformSimulator(const DeliveryClock& clock);

  Rules rules;

  [[nodiscard]] std::string url() const { return server_->url(); }
  [[nodiscard]] std::string token_url() const { return url() + "/token"; }
  [[nodiscard]] std::string line_items_url() const;
  [[nodiscard]] std::string line_item_url(const std::string& number = "17") const;
  [[nodiscard]] std::filesystem::path certificate() const { return certificate_; }

  /// Every access token ends.
  void revoke_tokens();
  /// A teacher enters a score by hand.
  void enter_by_hand(const std::string& user, double score, std::int64_t at_ms);

  // What has come to pass.
  /// Scores with different timestamps that were stored for a user, in their order.
  [[nodiscard]] std::vector<StoredScore> stored(const std::string& user) const;
  [[nodiscard]] std::size_t stored_scores() const;
  [[nodiscard]] std::size_t repeated_scores() const;  ///< with the timestamp that was there
  [[nodiscard]] std::size_t attempts_used() const;    ///< Canvas: new submissions
  [[nodiscard]] std::size_t requests(const std::string& kind) const;  ///< token, line_items, scores
  [[nodiscard]] std::size_t refusals(int status) const;

 private:
  struct Token {
    std::set<std::string> scopes;
    std::int64_t good_until_ms = 0;
  };
  struct Result {
    std::int64_t timestamp_ms = 0;
    std::vector<StoredScore> scores;
  };

  ServedAnswer handle(const ServedRequest& request);
  ServedAnswer answer(const ServedRequest& request);
  ServedAnswer give_token(const ServedRequest& request);
  ServedAnswer list_line_items(const ServedRequest& request) const;
  ServedAnswer take_score(const ServedRequest& request, const std::string& line_item);
  ServedAnswer store(const nlohmann::json& score);
  [[nodiscard]] std::string fault_of_assertion(const std::string& assertion);
  [[nodiscard]] std::optional<ServedAnswer> refusal(const ServedRequest& request,
                                                    const std::string& scope) const;
  [[nodiscard]] std::string course_path() const;
  [[nodiscard]] std::string query() const;

  const DeliveryClock& clock_;
  TemporaryDirectory folder_;
  std::filesystem::path certificate_;
  mutable std::mutex mutex_;
  std::map<std::string, Token> tokens_;
  std::set<std::string> used_ids_;
  std::map<std::string, Result> results_;
  std::map<std::string, std::size_t> requests_;
  std::map<int, std::size_t> refusals_;
  std::size_t repeated_ = 0;
  std::size_t attempts_ = 0;
  std::unique_ptr<TlsServer> server_;  ///< last: it calls all of this
};

}  // namespace grader
