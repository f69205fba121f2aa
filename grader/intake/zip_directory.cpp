#include "grader/intake/zip_directory.hpp"

#include <cstdint>

namespace grader {
namespace {

// The records of a zip (PKWARE APPNOTE 4.3): a signature, then little-endian numbers at fixed
// places, then the name.
constexpr std::string_view kEndSignature = "PK\x05\x06";
constexpr std::string_view kEntrySignature = "PK\x01\x02";
constexpr std::string_view kLocalSignature = "PK\x03\x04";
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kEntrySize = 46;
constexpr std::size_t kLocalSize = 30;

constexpr const char* kBroken = "is a zip that is cut off or damaged";

// The little-endian number of `count` bytes at `place`, which lies in `bytes`.
std::uint64_t number(std::string_view bytes, std::size_t place, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t index = 0; index < count; ++index) {
    value |= std::uint64_t{static_cast<unsigned char>(bytes[place + index])} << (8 * index);
  }
  return value;
}

// The record at `place` with this signature, or an empty view where there is none.
std::string_view record(std::string_view bytes, std::uint64_t place, std::size_t size,
                        std::string_view signature) {
  if (place > bytes.size() || bytes.size() - place < size) return {};
  const std::string_view found = bytes.substr(static_cast<std::size_t>(place));
  return found.starts_with(signature) ? found : std::string_view{};
}

constexpr std::uint64_t kElsewhere = 0xFFFFFFFF;  // a size in an extension for large files

// A file's checksum and sizes.
struct Data {
  std::uint64_t checksum = 0;
  std::uint64_t compressed = 0;
  std::uint64_t whole = 0;
};

Data data_at(std::string_view bytes, std::size_t place) {
  return {number(bytes, place, 4), number(bytes, place + 4, 4), number(bytes, place + 8, 4)};
}

bool agree(std::uint64_t said, std::uint64_t other) {
  return said == other || said == kElsewhere || other == kElsewhere;
}

// Whether what a program writes behind the data that did not know its size before, agrees.
bool descriptor_agrees(std::string_view behind, const Data& said) {
  if (behind.starts_with("PK\x07\x08")) behind.remove_prefix(4);
  constexpr std::size_t longest = 20;  // always there, since the directory follows
  if (behind.size() < longest || number(behind, 0, 4) != said.checksum) return false;
  return (number(behind, 4, 4) == said.compressed && number(behind, 8, 4) == said.whole) ||
         (number(behind, 4, 8) == said.compressed && number(behind, 12, 8) == said.whole);
}

// Whether the record before the data, and the one behind it if there is one, say the same about it
// as the directory does: how it is compressed, its checksum and its sizes.
bool agree_about_data(std::string_view local, std::string_view entry) {
  if (number(local, 8, 2) != number(entry, 10, 2)) return false;
  const Data here = data_at(local, 14);
  const Data there = data_at(entry, 16);
  constexpr std::uint64_t follows = 8;
  if ((number(local, 6, 2) & follows) == 0) {
    return here.checksum == there.checksum && agree(here.compressed, there.compressed) &&
           agree(here.whole, there.whole);
  }
  // Of folders, which have no data, some programs write no descriptor.
  if (there.whole == 0 && there.compressed == 0) return here.whole == 0;
  if (there.whole == kElsewhere || there.compressed == kElsewhere) return true;
  const std::uint64_t behind =
      kLocalSize + number(local, 26, 2) + number(local, 28, 2) + there.compressed;
  return behind <= local.size() &&
         descriptor_agrees(local.substr(static_cast<std::size_t>(behind)), there);
}

}  // namespace

std::optional<std::string> zip_contradiction(std::string_view bytes) {
  const std::size_t end_place = bytes.rfind(kEndSignature);
  if (end_place == std::string_view::npos || bytes.size() - end_place < kEndSize) return kBroken;
  const std::string_view end = bytes.substr(end_place);
  if (number(end, 20, 2) != end.size() - kEndSize) return "is a zip with something behind its end";
  const std::uint64_t entries = number(end, 10, 2);
  const std::uint64_t directory_size = number(end, 12, 4);
  std::uint64_t place = number(end, 16, 4);
  if (number(end, 4, 4) != 0 || number(end, 8, 2) != entries) {
    return "is one part of a zip in several parts";
  }
  if (place > end_place || directory_size != end_place - place) {
    return "is a zip whose directory is not where it says";
  }
  for (std::uint64_t index = 0; index < entries; ++index) {
    const std::string_view entry =
        record(bytes.substr(0, end_place), place, kEntrySize, kEntrySignature);
    if (entry.empty()) return kBroken;
    const std::uint64_t name_size = number(entry, 28, 2);
    const std::uint64_t extra_size = number(entry, 30, 2);
    const std::uint64_t comment_size = number(entry, 32, 2);
    const std::string_view local = record(bytes, number(entry, 42, 4), kLocalSize, kLocalSignature);
    if (local.empty()) return kBroken;
    if (name_size > entry.size() - kEntrySize || name_size > local.size() - kLocalSize) {
      return kBroken;
    }
    const auto size = static_cast<std::size_t>(name_size);
    if (number(local, 26, 2) != name_size ||
        local.substr(kLocalSize, size) != entry.substr(kEntrySize, size)) {
      return "is a zip that calls one file by two names";
    }
    if (!agree_about_data(local, entry)) return "is a zip that says two things about one file";
    place += kEntrySize + name_size + extra_size + comment_size;
  }
  if (place != end_place) return "is a zip whose directory is longer than it says";
  return std::nullopt;
}

}  // namespace grader
