#include "grader/intake/archive.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "grader/intake/archive_process.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;
using std::string_view_literals::operator""sv;  // NOLINT(misc-unused-using-decls): it is

constexpr std::array kEndings = {".zip"sv, ".tar"sv, ".tgz"sv, ".gz"sv,  ".txz"sv, ".xz"sv,
                                 ".zst"sv, ".bz2"sv, ".7z"sv,  ".rar"sv, ".jar"sv};
constexpr std::array kBeginnings = {"PK\x03\x04"sv,
                                    "PK\x05\x06"sv,
                                    "PK\x07\x08"sv,
                                    "\x1f\x8b"sv,
                                    "BZh"sv,
                                    "\xfd"
                                    "7zXZ\0"sv,
                                    "7z\xbc\xaf\x27\x1c"sv,
                                    "Rar!\x1a"sv,
                                    "\x28\xb5\x2f\xfd"sv};

// The archive as a tree of folders, so that the rules see it as they see a folder on a disk.
struct Node {
  EntryKind kind = EntryKind::folder;
  bool is_too_large = false;
  std::string content;
  std::map<std::string, std::unique_ptr<Node>> children;
};

bool is_drive(std::string_view component) {
  return component.size() >= 2 && component[1] == ':' &&
         ((component[0] >= 'a' && component[0] <= 'z') ||
          (component[0] >= 'A' && component[0] <= 'Z'));
}

class Tree {
 public:
  explicit Tree(Collector& collector) : collector_(collector) {}

  void add(Member&& member) {
    const auto path = components(member.name);
    if (!path || path->empty() || is_skipped(*path, member.kind)) return;
    // Deeper ones are refused below; no need to build them.
    if (path->size() > std::size_t{kDeepestFolder} + 2) {
      return collector_.refuse("The folders are nested too deeply: hand in only your sources.");
    }
    Node* folder = &root_;
    for (std::size_t index = 0; index + 1 < path->size(); ++index) {
      auto& child = folder->children[std::string((*path)[index])];
      if (!child) child = std::make_unique<Node>();
      if (child->kind != EntryKind::folder) return refuse_twice(member.name);
      folder = child.get();
    }
    auto& place = folder->children[std::string(path->back())];
    if (place && (place->kind != EntryKind::folder || member.kind != EntryKind::folder)) {
      return refuse_twice(member.name);
    }
    if (place) return;
    place = std::make_unique<Node>();
    place->kind = member.kind;
    place->is_too_large = member.is_too_large;
    place->content = std::move(member.content);
  }

  void collect() { collect(root_, {}); }

 private:
  // The components of a member's name; nothing, and a refusal, when it leads out of the archive.
  std::optional<std::vector<std::string_view>> components(std::string_view name) {
    const auto refuse = [&](std::string_view what) {
      collector_.refuse("The archive holds " + shown(std::string(name)) + ", " + std::string(what) +
                        ": pack your folder again.");
      return std::nullopt;
    };
    if (name.starts_with('/')) return refuse("an absolute name");
    if (name.find('\\') != std::string_view::npos) return refuse("a name with a backslash");
    if (is_drive(name)) return refuse("a name with a drive letter");
    std::vector<std::string_view> result;
    while (!name.empty()) {
      const std::size_t slash = name.find('/');
      const std::string_view component = name.substr(0, slash);
      if (component == "..") return refuse("a name that leads out of the archive");
      if (!component.empty() && component != ".") result.push_back(component);
      name.remove_prefix(slash == std::string_view::npos ? name.size() : slash + 1);
    }
    return result;
  }

  static bool is_skipped(const std::vector<std::string_view>& path, EntryKind kind) {
    const auto is_hidden_or_built = [](std::string_view name) { return is_skipped_folder(name); };
    return path.back().starts_with('.') ||
           (kind == EntryKind::folder && is_skipped_folder(path.back())) ||
           std::any_of(path.begin(), path.end() - 1, is_hidden_or_built);
  }

  void refuse_twice(std::string_view name) {
    collector_.refuse("The archive holds " + shown(std::string(name)) +
                      " twice: pack your folder again.");
  }

  void collect(const Node& folder, const fs::path& path) {
    std::vector<std::string> names;
    for (const auto& [name, node] : folder.children) names.push_back(name);
    if (!collector_.enters(path, names)) return;
    for (const auto& [name, node] : folder.children) {
      if (collector_.is_refused()) return;
      const fs::path inner = path / name;
      if (!collector_.wants(inner, node->kind)) continue;
      if (node->kind == EntryKind::folder) {
        collect(*node, inner);
      } else if (node->is_too_large) {
        collector_.refuse_too_large(inner);
      } else if (collector_.begin_file(inner)) {
        collector_.append(node->content);
      }
    }
  }

  Collector& collector_;
  Node root_;
};

}  // namespace

bool is_archive(std::string_view name, std::string_view head) {
  const std::string lower = lower_case(name);
  constexpr std::size_t tar_mark = 257;
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) { return lower.ends_with(ending); }) ||
         std::any_of(kBeginnings.begin(), kBeginnings.end(),
                     [&](std::string_view beginning) { return head.starts_with(beginning); }) ||
         (head.size() > tar_mark && head.substr(tar_mark).starts_with("ustar"));
}

void collect_members(std::vector<Member> members, Collector& collector) {
  Tree tree(collector);
  for (Member& member : members) {
    if (collector.is_refused() || !collector.count_entry()) return;
    tree.add(std::move(member));
  }
  if (!collector.is_refused()) tree.collect();
}

void take_archive(const fs::path& name, std::string_view bytes, const Policy& policy,
                  Collector& collector) {
  if (bytes.starts_with("Rar!")) {
    return collector.refuse(shown(name) + " is a RAR archive: pack your folder as zip or tar.gz.");
  }
  ArchiveLimits limits;
  limits.file_bytes = policy.limits.file_bytes;
  ArchiveContent content = read_archive_apart(bytes, limits);
  if (content.refusal) return collector.refuse(shown(name) + " " + *content.refusal);
  collect_members(std::move(content.members), collector);
}

}  // namespace grader
