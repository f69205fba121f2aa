#include "grader/lti/platform.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include "grader/assignment/fields.hpp"
#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/base/suggestion.hpp"
#include "grader/lti/url.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestFile = std::size_t{1} << 20;
constexpr std::size_t kLongestText = 2'000;

const std::map<std::string, Platform::Kind> kKinds{{"canvas", Platform::Kind::canvas},
                                                   {"moodle", Platform::Kind::moodle},
                                                   {"other", Platform::Kind::other}};

/// The ids of rosters and downloads (StudentResult::lms_ids) that a platform may call its users by.
const std::vector<std::string> kUserIds{"lti_user",        "canvas_user",        "canvas_anonymous",
                                        "canvas_sis_user", "canvas_login",       "moodle_idnumber",
                                        "moodle_username", "moodle_participant", "blackboard_user",
                                        "gradescope_sid",  "gradescope_email",   "github_user"};

class Reader {
 public:
  Reader(const fs::path& file, const nlohmann::json& document)
      : file_(file), fields_(file.string(), "", document) {}

  Platform read() {
    Platform platform;
    platform.kind = kind();
    platform.token_url = url("token_url");
    platform.audience = fields_.has("audience") ? text("audience") : platform.token_url;
    platform.client_id = text("client_id");
    platform.key_id = text("key_id");
    platform.deployment_id = text_or_nothing("deployment_id");
    refuse_secrets();
    platform.private_key_file = path("private_key_file");
    platform.ca_file = path("ca_file");
    if (std::error_code error; !platform.ca_file.empty() && !fs::exists(platform.ca_file, error)) {
      fields_.reject_field("ca_file", "names a file that does not exist",
                           "Name the certificate in PEM, relative to the platform file.");
    }
    platform.line_item = line_item();
    platform.user_ids = user_ids(platform.kind);
    platform.has_comments = !fields_.has("comments") || fields_.flag("comments");
    fields_.finish();
    return platform;
  }

 private:
  Platform::Kind kind() {
    const std::string name = fields_.text("platform");
    const auto found = kKinds.find(name);
    if (found != kKinds.end()) return found->second;
    fields_.reject_field("platform", "is \"" + name + "\"",
                         suggestion(name, {"canvas", "moodle", "other"}) +
                             "Write \"canvas\", \"moodle\" or \"other\".");
  }

  std::string text(const std::string& name) {
    std::string value = fields_.text(name);
    const bool is_plain =
        !value.empty() && value.size() <= kLongestText &&
        std::ranges::none_of(value, [](unsigned char character) { return character < ' '; });
    if (!is_plain)
      fields_.reject_field(name, "is empty or no plain text", "Write what the platform shows.");
    return value;
  }
  std::string text_or_nothing(const std::string& name) {
    return fields_.has(name) ? text(name) : std::string();
  }
  std::string url(const std::string& name) {
    std::string value = text(name);
    if (!is_https_url(value)) {
      fields_.reject_field(name, "is no https URL",
                           "Copy it from the platform; scores and tokens travel over TLS alone.");
    }
    return value;
  }
  fs::path path(const std::string& name) {
    const std::string value = text_or_nothing(name);
    return value.empty() ? fs::path() : file_.parent_path() / value;
  }

  // Whoever writes a secret here is told why that is no place for it.
  void refuse_secrets() {
    for (const char* name : {"private_key", "client_secret", "access_token", "password"}) {
      if (!fields_.has(name)) continue;
      fields_.reject_field(name, "is a secret, and this file is no place for one",
                           "Put the private key into a file of its own that only you can read, and "
                           "name that as private_key_file.");
    }
  }

  LineItemChoice line_item() {
    LineItemChoice choice;
    if (fields_.has("line_item")) {
      for (const char* name : {"line_items", "resource_id", "resource_link_id", "tag", "label"}) {
        if (!fields_.has(name)) continue;
        fields_.reject_field(name, "has no place beside \"line_item\", which names the one meant",
                             "Keep line_item alone, or take it out and describe it by line_items "
                             "with a resource_id, resource_link_id, tag or label.");
      }
      choice.url = url("line_item");
      return choice;
    }
    if (!fields_.has("line_items")) {
      fields_.reject_field("line_item", "is missing",
                           "Add the URL of the line item, or line_items with a resource_id, "
                           "resource_link_id, tag or label to find it by.");
    }
    choice.container = url("line_items");
    choice.resource_id = text_or_nothing("resource_id");
    choice.resource_link_id = text_or_nothing("resource_link_id");
    choice.tag = text_or_nothing("tag");
    choice.label = text_or_nothing("label");
    const bool says_which = !choice.resource_id.empty() || !choice.resource_link_id.empty() ||
                            !choice.tag.empty() || !choice.label.empty();
    if (!says_which) {
      fields_.reject_field("line_items", "alone does not say which line item is meant",
                           "Add a resource_id, resource_link_id, tag or label.");
    }
    return choice;
  }

  std::vector<std::string> user_ids(Platform::Kind kind) {
    if (fields_.has("user_id")) {
      std::string id = text("user_id");
      if (std::ranges::find(kUserIds, id) != kUserIds.end()) return {std::move(id)};
      std::string known;
      for (const std::string& name : kUserIds) known += (known.empty() ? "" : ", ") + name;
      fields_.reject_field("user_id", "is \"" + plain_line(id, kLongestText) + "\"",
                           suggestion(id, kUserIds) + "The ids of students are " + known + ".");
    }
    // Canvas takes its own number of a user as well as the one of a launch.
    if (kind == Platform::Kind::canvas) return {"lti_user", "canvas_user"};
    return {"lti_user"};
  }

  const fs::path& file_;
  Fields fields_;
};

}  // namespace

Platform read_platform(const fs::path& file) {
  const nlohmann::json document = parse_strictly(file.string(), read_file(file, kLargestFile));
  return Reader(file, document).read();
}

PrivateKey private_key_of(const Platform& platform) {
  if (!platform.private_key_file.empty()) return read_private_key(platform.private_key_file);
  const char* pem = std::getenv(kPrivateKeyVariable);
  if (pem != nullptr && *pem != '\0') {
    return PrivateKey(pem, std::string("The private key in ") + kPrivateKeyVariable);
  }
  throw UsageFault("There is no private key.",
                   std::string("Name its file as private_key_file in the platform file, or put the "
                               "key itself into the environment as ") +
                       kPrivateKeyVariable + ".");
}

}  // namespace grader
