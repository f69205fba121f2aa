#include "grader/intake/names.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>

#include "grader/base/plain_text.hpp"

namespace grader {
namespace {

constexpr std::array<std::string_view, 4> kSources = {".cpp", ".cc", ".cxx", ".c++"};
constexpr std::array<std::string_view, 10> kHeaders = {".hpp", ".h",   ".hh",  ".hxx", ".h++",
                                                       ".inl", ".ipp", ".tpp", ".txx", ".inc"};
constexpr std::array<std::string_view, 24> kProducts = {
    ".o",   ".obj", ".a",   ".lib", ".so",  ".dylib", ".dll", ".exe",
    ".gch", ".pch", ".pcm", ".ifc", ".out", ".zip",   ".tar", ".gz",
    ".tgz", ".bz2", ".xz",  ".txz", ".zst", ".7z",    ".rar", ".jar"};
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

/// `name` composed, and changed as `option` says; nothing when it is not UTF-8. No file system sees
/// more in such bytes than we do.
std::optional<std::string> mapped(std::string_view name, utf8proc_option_t option) {
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | option);
  utf8proc_uint8_t* result = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(name.data()),
                   static_cast<utf8proc_ssize_t>(name.size()), &result, options);
  if (size < 0) return std::nullopt;
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(result, &std::free);
  return std::string(reinterpret_cast<const char*>(result), static_cast<std::size_t>(size));
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

bool lies_in_skipped_folder(std::string_view path) {
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view component = path.substr(0, slash);
    const bool is_folder = slash != std::string_view::npos;
    const bool is_here = component == "." || component == "..";
    if (!is_here && (component.starts_with('.') || (is_folder && is_skipped_folder(component)))) {
      return true;
    }
    path.remove_prefix(is_folder ? slash + 1 : path.size());
  }
  return false;
}

bool is_plain_name(std::string_view name) {
  constexpr std::size_t longest = 200;
  return !name.empty() && name.size() <= longest && plain_line(name, longest) == name;
}

bool looks_like_option(std::string_view name) {
  return name.starts_with('-') || name.starts_with('@');
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& character : result) {
    if (character >= 'A' && character <= 'Z')
      character = static_cast<char>(character + ('a' - 'A'));
  }
  return result;
}

std::string folded(std::string_view name) {
  return mapped(name, UTF8PROC_CASEFOLD).value_or(lower_case(name));
}

std::string composed(std::string_view name) {
  return mapped(name, utf8proc_option_t{}).value_or(std::string(name));
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
  // "ada.tar.gz" is the work of ada.
  if (!is_directory && lower_case(name).ends_with(".tar")) name.erase(name.size() - 4);
  for (char& character : name) {
    if (!is_identity_character(character)) character = '_';
  }
  name.erase(0, std::min(name.find_first_not_of(".-"), name.size()));
  constexpr std::size_t longest = 64;
  name = name.substr(0, longest);
  return name.empty() ? "submission" : name;
}

}  // namespace grader
