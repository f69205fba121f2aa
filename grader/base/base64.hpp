// Bytes in the letters of base64.
#pragma once

#include <string>
#include <string_view>

namespace grader {

/// `bytes` in the standard alphabet of RFC 4648 with padding, on one line.
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace grader
