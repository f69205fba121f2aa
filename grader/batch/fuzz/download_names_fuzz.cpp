// The bytes are the names in a downloaded folder, one a line; those that begin with a slash are
// folders. Every format takes them, whether it recognises them or not, but Gradescope's, which is
// made for folders with its metadata alone.
#include <algorithm>
#include <cstdlib>

#include "grader/base/plain_text.hpp"
#include "grader/batch/formats/format.hpp"
#include "grader/batch/identity.hpp"

namespace {

void require(bool promise) {
  if (!promise) std::abort();
}

void require_promises(const grader::Haul& haul) {
  using namespace grader;
  for (const HandIn& hand_in : haul.hand_ins) {
    require(!hand_in.parts.empty());
    constexpr std::size_t longest = 140;
    const std::string student = identity_text(hand_in.id);
    require(!student.empty() && student.size() <= longest);
    require(plain_line(student, longest) == student);
    for (const Part& part : hand_in.parts) require(part.name.find('/') == std::string::npos);
  }
  for (const auto& [name, reason] : haul.left_out) require(!name.empty() && reason.ends_with('.'));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace grader;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Entry folder{"download", EntryKind::folder, {}, {}};
  while (!bytes.empty()) {
    std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
    const EntryKind kind = line.starts_with('/') ? EntryKind::folder : EntryKind::file;
    if (kind == EntryKind::folder) line.remove_prefix(1);
    if (line.empty() || line.find('/') != std::string_view::npos) continue;
    folder.inside.push_back({std::string(line), kind, {}, {}});
  }
  std::ranges::sort(folder.inside, {}, &Entry::name);
  const auto is_same = [](const Entry& a, const Entry& b) { return a.name == b.name; };
  folder.inside.erase(std::unique(folder.inside.begin(), folder.inside.end(), is_same),
                      folder.inside.end());
  CollectOptions options;
  options.main_file = "attention.cpp";
  for (const Format& format : {canvas_format(), moodle_format(), blackboard_format(),
                               github_classroom_format(), plain_format()}) {
    format.recognises(folder);
    require_promises(format.take(folder, options));
  }
  return 0;
}
