// The tables of gradebook.sqlite and how older ones become today's.
#pragma once

#include <string_view>
#include <vector>

namespace grader {

/// The n-th entry turns version n into version n + 1 (PRAGMA user_version). Entries are only ever
/// added: gradebooks of all earlier versions exist somewhere.
const std::vector<std::string_view>& gradebook_migrations();

/// The version that this program writes.
int gradebook_version();

}  // namespace grader
