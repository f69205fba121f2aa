// The bytes are an archive that a student hands in.
#include "grader/intake/archive.hpp"
#include "grader/intake/fuzz/promises.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace grader;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  is_archive("upload", bytes.substr(0, kArchiveHead));
  const Policy policy = fuzz::small_policy();
  ArchiveLimits limits;
  limits.file_bytes = policy.limits.file_bytes;
  limits.entries = 200;
  limits.kept = std::int64_t{1} << 16;
  limits.inflated = std::int64_t{1} << 22;
  limits.free_ratio = std::int64_t{1} << 16;

  // Here, and not in a child as when grading: a crash has to be the fuzzer's.
  Collector collector(policy);
  std::vector<Member> members;
  std::int64_t kept = 0;
  const auto refusal = read_archive(
      bytes, limits, [] {},
      [&](Member&& member) {
        kept += static_cast<std::int64_t>(member.name.size() + member.content.size());
        fuzz::require(static_cast<std::int64_t>(member.content.size()) <= limits.file_bytes);
        members.push_back(std::move(member));
        return true;
      });
  fuzz::require(kept <= limits.kept);
  fuzz::require(static_cast<std::int64_t>(members.size()) <= limits.entries);
  if (refusal) {
    collector.refuse("upload " + *refusal);
  } else {
    collect_members(std::move(members), collector);
  }
  fuzz::require_promises(collector.finish(HandedIn::archive), policy.limits);
  return 0;
}
