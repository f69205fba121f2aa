// The little that has to be known of URLs: where a token may be sent, and where "/scores" belongs.
#pragma once

#include <string>
#include <string_view>

namespace grader {

/// An https URL with a host, without user, fragment, blanks and control characters.
bool is_https_url(std::string_view url);

/// Host and port of such a URL, in lower case: "canvas.example.edu:8443".
std::string host_of(std::string_view url);

/// "/NAME" behind the path and before the query: Moodle's line items have one.
std::string with_path_ending(std::string_view url, std::string_view name);

/// One more field in the query, percent-encoded.
std::string with_query(std::string_view url, std::string_view name, std::string_view value);

/// `text` as a field of a form: everything but [A-Za-z0-9._~-] percent-encoded.
std::string form_encoded(std::string_view text);

}  // namespace grader
