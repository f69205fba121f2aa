// A submission that is an archive, taken by the same rules as a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "grader/intake/archive_reader.hpp"
#include "grader/intake/collector.hpp"

namespace grader {

/// An archive larger than this is not read.
constexpr std::int64_t kLargestArchive = std::int64_t{64} << 20;
/// The bytes at the front of a file that is_archive wants to see.
constexpr std::size_t kArchiveHead = 512;

/// Whether a file with this name and these first bytes is an archive, of a kind that is opened here
/// or not.
bool is_archive(std::string_view name, std::string_view head);

/// Collects the sources and headers among `members`. Refuses the archive as a whole where a name
/// leads outside of it, or where two members claim one place.
void collect_members(std::vector<Member> members, Collector& collector);

/// Collects the sources and headers in the archive `bytes`, called `name`.
void take_archive(const std::filesystem::path& name, std::string_view bytes, const Policy& policy,
                  Collector& collector);

}  // namespace grader
