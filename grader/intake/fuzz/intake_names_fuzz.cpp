// The bytes are names, one a line, of the members of an archive; each line begins with a letter for
// the kind of member.
#include <algorithm>

#include "grader/intake/archive.hpp"
#include "grader/intake/fuzz/promises.hpp"

namespace {

grader::EntryKind kind_of(char letter) {
  switch (letter) {
    case 'd': return grader::EntryKind::folder;
    case 'l': return grader::EntryKind::link;
    case 'p': return grader::EntryKind::other;
    default: return grader::EntryKind::file;
  }
}

void check_name(const std::string& name) {
  using namespace grader;
  fuzz::require(lower_case(name).size() == name.size());
  fuzz::require(folded(name) == folded(lower_case(name)));
  lies_in_skipped_folder(name);
  for (const bool is_directory : {true, false}) {
    const std::string id = submission_id("/x/" + name, is_directory);
    constexpr std::string_view allowed =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    constexpr std::size_t longest = 64;
    fuzz::require(!id.empty() && id.size() <= longest && id[0] != '.' && id[0] != '-');
    fuzz::require(id.find_first_not_of(allowed) == std::string::npos);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace grader;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::vector<Member> members;
  while (!bytes.empty()) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
    if (line.empty()) continue;
    Member member;
    member.kind = kind_of(line[0]);
    member.name = line.substr(1);
    member.is_too_large = line[0] == 'L';
    check_name(member.name);
    // As many bytes as the letter says, so that limits on sizes are met.
    if (line[0] == 'f') member.content = std::string(member.name.size() * 10, 'x');
    members.push_back(std::move(member));
  }
  const Policy policy = fuzz::small_policy();
  Collector collector(policy);
  collect_members(std::move(members), collector);
  fuzz::require_promises(collector.finish(HandedIn::archive), policy.limits);
  return 0;
}
