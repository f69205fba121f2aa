// What the platform file says: where scores go, and as whom this tool comes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/lti/private_key.hpp"

namespace grader {

/// Which line item (column of the gradebook) is meant.
struct LineItemChoice {
  std::string url;        ///< of the line item itself; empty: it is looked up
  std::string container;  ///< URL of the course's line items
  // What it must have; empty: anything.
  std::string resource_id;
  std::string resource_link_id;
  std::string tag;
  std::string label;
};

struct Platform {
  enum class Kind : std::uint8_t { canvas, moodle, other };
  Kind kind = Kind::other;
  std::string token_url;
  std::string audience;  ///< of the assertion; token_url unless the platform wants another one
  std::string client_id;
  std::string deployment_id;  ///< or empty
  std::string key_id;
  std::filesystem::path private_key_file;  ///< empty: the key is in the environment
  std::filesystem::path ca_file;           ///< empty: the system's certificates alone
  LineItemChoice line_item;
  /// The ids (StudentResult::lms_ids) that the platform takes for its users; the first that a
  /// student has counts.
  std::vector<std::string> user_ids;
  bool has_comments = true;  ///< sends a sentence for the student with each score
};

/// Where the private key may be instead of a file: PEM.
inline constexpr const char* kPrivateKeyVariable = "ATTENTION_GRADER_LTI_KEY";

/// Reads a platform file, JSON as docs/integration.md describes it. Relative paths in it are
/// relative to it. Throws UsageFault.
Platform read_platform(const std::filesystem::path& file);

/// The private key of `platform`: of its file, else of the environment. Throws UsageFault.
PrivateKey private_key_of(const Platform& platform);

}  // namespace grader
