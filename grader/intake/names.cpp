#include "grader/intake/names.hpp"

#include <algorithm>
#include <array>

#include "grader/base/plain_text.hpp"

namespace grader {
namespace {

constexpr std::array<std::string_view, 4> kSources = {".cpp", ".cc", ".cxx", ".c++"};
constexpr std::array<std::string_view, 10> kHeaders = {".hpp", ".h",   ".hh",  ".hxx", ".h++",
                                                       ".inl", ".ipp", ".tpp", ".txx", ".inc"};
constexpr std::array<std::string_view, 16> kProducts = {
    ".o",   ".obj", ".a",   ".lib", ".so",  ".dylib", ".dll", ".exe",
    ".gch", ".pch", ".pcm", ".ifc", ".out", ".zip",   ".tar", ".gz"};
constexpr std::array<std::string_view, 9> kFolders = {"build", "_build", "out", "bin",     "obj",
                                                      "debug", "_deps",  "x64", "__macosx"};
constexpr std::array<std::string_view, 6> kFolderPrefixes = {
    "build-", "build_", "cmake-build", "cmakefiles", "release", "node_modules"};

template <std::size_t count>
bool contains(const std::array<std::string_view, count>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_identity_character(char character) {
  const char lower = lower_case({&character, 1})[0];
  return (lower >= 'a' && lower <= 'z') || (character >= '0' && character <= '9') ||
         character == '.' || character == '_' || character == '-';
}

}  // namespace

NameKind kind_of_file_name(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return NameKind::irrelevant;
  const std::string extension = lower_case(name.substr(dot));
  if (contains(kSources, extension)) return NameKind::source;
  if (contains(kHeaders, extension)) return NameKind::header;
  if (contains(kProducts, extension)) return NameKind::product;
  return NameKind::irrelevant;
}

bool is_skipped_folder(std::string_view name) {
  if (name.starts_with('.')) return true;
  const std::string lower = lower_case(name);
  return contains(kFolders, lower) ||
         std::any_of(kFolderPrefixes.begin(), kFolderPrefixes.end(),
                     [&](std::string_view prefix) { return lower.starts_with(prefix); });
}

bool is_plain_name(std::string_view name) {
  constexpr std::size_t longest = 200;
  return !name.empty() && name.size() <= longest && plain_line(name, longest) == name;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& character : result) {
    if (character >= 'A' && character <= 'Z')
      character = static_cast<char>(character + ('a' - 'A'));
  }
  return result;
}

std::string submission_id(const std::filesystem::path& path, bool is_directory) {
  // "folder/" names what "folder" does.
  std::filesystem::path whole = path.has_filename() ? path : path.parent_path();
  // "." and ".." say nothing: take the real name.
  if (const std::string last = whole.filename().string(); last == "." || last == "..") {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(whole, error);
    if (!error) whole = real;
  }
  std::string name = is_directory ? whole.filename().string() : whole.stem().string();
  for (char& character : name) {
    if (!is_identity_character(character)) character = '_';
  }
  name.erase(0, std::min(name.find_first_not_of(".-"), name.size()));
  constexpr std::size_t longest = 64;
  name = name.substr(0, longest);
  return name.empty() ? "submission" : name;
}

}  // namespace grader
