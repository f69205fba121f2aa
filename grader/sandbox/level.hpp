// Which layers of isolation are used: what the machine offers, found by trying, and no more than
// was asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace grader {

/// From nothing to everything; later ones are stronger. Names as in scorecards are "none", "L0" …
enum class Level : std::uint8_t { none, l0, l1, l2, l3, l4 };

std::string name_of(Level level);
/// The level of that name, or nothing.
std::optional<Level> level_named(const std::string& name);

/// The layers in use. What a level is follows from them:
///   L4 namespaces and control group, L3 namespaces, L2 a user of its own and Landlock, L1
///   Landlock, L0 the filter of system calls and resource limits, none: not even that filter.
struct Layers {
  bool namespaces = false;
  bool cgroup = false;
  bool own_user = false;  ///< without namespaces: a user that owns nothing
  bool landlock = false;  ///< without namespaces: rights to files
  bool filter = false;    ///< of system calls
  [[nodiscard]] Level level() const;
};

/// Uses no more than `highest` offers, from now on in this process: for instructors who want to see
/// what a lesser machine would do, and for tests. Set it before the first box is made.
void limit_isolation(Level highest);
/// Back to what it was before.
void unlimit_isolation();
/// The limit in force: what was set, else the environment variable ATTENTION_GRADER_ISOLATION, else
/// L4. Throws UsageFault when the variable names no level.
Level isolation_limit();
/// Lets boxes be made although the level is `none`.
void accept_no_isolation();

/// The layers of boxes made now.
Layers layers();
/// The same, or an EnvironmentFault when that is `none` and was not accepted.
Layers require_layers();

/// Root can become another user for good (tried once).
bool user_can_be_changed();

}  // namespace grader
