// How points are rounded where people and platforms read them.
#pragma once

namespace grader {

/// To hundredths, halves away from zero: 65.625 is 65.63. All texts and all platforms get this
/// number, so that a student reads the same everywhere.
[[nodiscard]] double rounded_points(double points);

}  // namespace grader
