// Points in time as people write them: ISO 8601 with its offset from Greenwich.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace grader {

struct Moment {
  std::int64_t seconds = 0;     ///< since 1970-01-01T00:00:00Z
  std::int64_t utc_offset = 0;  ///< seconds east of Greenwich, as it was written
};

/// "2026-11-30T23:59:00+01:00", with "Z" for no offset; a space for the T, seconds and fractions of
/// a second, and a space before the offset may be there or not. Nothing where it is no such moment,
/// has no offset, or names a day that does not exist.
std::optional<Moment> parse_moment(std::string_view text);

/// Seconds since 1970 of a wall clock that is `utc_offset` east of Greenwich; nothing where the
/// calendar has no such time. Years are 1970 to 9999.
std::optional<std::int64_t> seconds_of(int year, unsigned month, unsigned day, int hour, int minute,
                                       int second, std::int64_t utc_offset);

/// "2026-11-30 23:59 (UTC+01:00)", the clock that is `utc_offset` seconds east of Greenwich.
std::string moment_text(std::int64_t seconds, std::int64_t utc_offset);

}  // namespace grader
