#include "grader/lti/url.hpp"

#include <algorithm>
#include <cctype>

namespace grader {
namespace {

constexpr std::string_view kScheme = "https://";

std::string_view authority_of(std::string_view url) {
  const std::string_view rest = url.substr(kScheme.size());
  return rest.substr(0, rest.find_first_of("/?"));
}

}  // namespace

bool is_https_url(std::string_view url) {
  if (!url.starts_with(kScheme)) return false;
  const std::string_view authority = authority_of(url);
  if (authority.empty() || authority.find('@') != std::string_view::npos) return false;
  return std::ranges::all_of(url, [](unsigned char character) {
    constexpr unsigned char kFirst = 0x21;
    constexpr unsigned char kLast = 0x7e;
    return character >= kFirst && character <= kLast && character != '#' && character != '\\';
  });
}

std::string host_of(std::string_view url) {
  std::string host(authority_of(url));
  std::ranges::transform(host, host.begin(), [](unsigned char character) {
    return static_cast<char>(std::tolower(character));
  });
  return host;
}

std::string with_path_ending(std::string_view url, std::string_view name) {
  const std::size_t query = url.find('?');
  std::string path(url.substr(0, query));
  if (!path.ends_with('/')) path += '/';
  path += name;
  if (query != std::string_view::npos) path += url.substr(query);
  return path;
}

std::string with_query(std::string_view url, std::string_view name, std::string_view value) {
  const char separator = url.find('?') == std::string_view::npos ? '?' : '&';
  return std::string(url) + separator + form_encoded(name) + "=" + form_encoded(value);
}

std::string form_encoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string encoded;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    const bool is_plain = (byte < 128 && std::isalnum(byte) != 0) ||
                          std::string_view("-._~").find(character) != std::string_view::npos;
    if (is_plain) {
      encoded += character;
    } else {
      encoded += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
    }
  }
  return encoded;
}

}  // namespace grader
