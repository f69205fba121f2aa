// The signed statement by which a tool asks for an access token.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "grader/lti/platform.hpp"
#include "grader/lti/private_key.hpp"

namespace grader {

/// A JSON Web Token (RFC 7519, signed with RS256) that says: `platform`'s client, now, for this
/// audience, once. It has a new "jti" each time, since platforms refuse one that they know; never
/// send one twice. It begins a little before `now_ms` (Unix milliseconds), for clocks that are
/// behind, and ends some minutes after it.
std::string client_assertion(const Platform& platform, const PrivateKey& key, std::int64_t now_ms);

/// `bytes` in the alphabet of URLs, without padding (RFC 4648, section 5).
std::string base64url(std::string_view bytes);

}  // namespace grader
