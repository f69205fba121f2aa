#include "grader/assignment/load.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <future>
#include <set>
#include <system_error>
#include <vector>

#include "grader/base/digest.hpp"
#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFileSize = std::size_t{256} << 20;
constexpr std::size_t kExamplesSize = std::size_t{4} << 20;
constexpr const char* kRebuild = "Build the assignment again with this version of the grader.";

void require_file(const fs::path& file, const std::string& purpose) {
  std::error_code error;
  if (fs::is_regular_file(file, error)) return;
  throw UsageFault("The assignment has no " + file.string() + ", which is " + purpose + ".",
                   "Name a complete assignment folder with --assignment.");
}

template <class Function>
Function symbol(void* module, const char* name, const fs::path& file) {
  void* found = dlsym(module, name);
  if (found == nullptr) {
    throw UsageFault(file.string() + " does not export " + name + ".", kRebuild);
  }
  return reinterpret_cast<Function>(found);
}

/// To be called while no other thread opens files: whether descriptors are lacking shows only in
/// whether the next file can be opened.
void* load_module(const fs::path& file) {
  void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module != nullptr) return module;
  const std::string why = dlerror();
  // The loader's words do not tell a file that is no module from a machine that has no descriptors.
  read_in_pieces(file, kFileSize, [](std::string_view /*piece*/) {});
  throw UsageFault("Cannot load " + file.string() + ": " + why + ".", kRebuild);
}

const Judge* judge_of(void* module, const fs::path& file) {
  const auto version =
      symbol<JudgeVersionFunction>(module, "attention_grader_judge_version", file)();
  if (version != kJudgeVersion) {
    throw UsageFault(file.string() + " was built for version " + std::to_string(version) +
                         " of the grader's interface; this grader has version " +
                         std::to_string(kJudgeVersion) + ".",
                     kRebuild);
  }
  const Judge* judge = symbol<JudgeFunction>(module, "attention_grader_judge", file)();
  if (judge == nullptr) throw UsageFault(file.string() + " hands out no judge.", kRebuild);
  return judge;
}

/// What a check must have to be run at all.
std::string defect_of(const Check& check, const Contract& contract) {
  if (check.id.empty()) return "a check without id";
  if (!check.judge) return "check " + check.id + " without a judge";
  if (!check.generate && check.fixed_cases.empty()) return "check " + check.id + " without cases";
  if (!check.assertion.empty() &&
      std::ranges::find(contract, check.assertion, &Function::name) == contract.end()) {
    return "check " + check.id + " on " + check.assertion + ", which the contract does not have";
  }
  if (!check.searches.empty() && check.bypasses_memory) {
    return "check " + check.id + " with a search whose calls cannot be remembered";
  }
  for (const Search& search : check.searches) {
    if (!search.reach || !search.vary) return "check " + check.id + " with half a search";
  }
  return "";
}

void validate_judge(const Judge& judge, const fs::path& file) {
  const auto broken = [&](const std::string& defect) {
    throw UsageFault(file.string() + " has " + defect + ".", "Correct the judge module.");
  };
  std::set<std::string> ids;
  for (const Check& check : judge.checks) {
    const std::string defect = defect_of(check, judge.contract);
    if (!defect.empty()) broken(defect);
    if (!ids.insert(check.id).second) broken("check " + check.id + " twice");
  }
  for (const std::string& id : judge.end_to_end) {
    if (!ids.contains(id)) broken("an unknown end-to-end check " + id);
  }
  if (!judge.state_check.empty() && !ids.contains(judge.state_check)) {
    broken("an unknown state check " + judge.state_check);
  }
  if (!judge.make_reference) broken("no reference implementation");
}

/// Module and policy name the same checks.
void compare_checks(const Judge& judge, const Policy& policy, const fs::path& file) {
  for (const Check& check : judge.checks) {
    if (std::ranges::find(policy.checks, check.id, &CheckPolicy::id) != policy.checks.end()) {
      continue;
    }
    throw UsageFault(file.string() + ": field \"checks\" lacks check \"" + check.id +
                         "\", which the judge module runs.",
                     "Add it; give it 0 points if it is not to count.");
  }
  for (const CheckPolicy& check : policy.checks) {
    if (std::ranges::find(judge.checks, check.id, &Check::id) != judge.checks.end()) continue;
    throw UsageFault(file.string() + ": field \"checks\" has check \"" + check.id +
                         "\", which the judge module does not know.",
                     "Remove it or correct its id; `attention-grader list checks` shows all ids.");
  }
}

constexpr const char* kPolicyFile = "assignment.json";

// Neither the template nor the deadline decides a result. What was learned decides about further
// inputs, not about those of earlier scorecards.
std::string digest_of(const fs::path& directory) {
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator place(directory), end; place != end; ++place) {
    const fs::directory_entry& entry = *place;
    if (entry.path() == directory / kTemplateFolder) place.disable_recursion_pending();
    if (!entry.is_regular_file() || entry.path() == directory / kExamplesFile) continue;
    files.push_back(fs::relative(entry.path(), directory));
  }
  std::ranges::sort(files);
  Digest digest;
  for (const fs::path& file : files) {
    digest.add(file.generic_string())
        .add(file == kPolicyFile
                 ? without_deadline(read_file(directory / file, kFileSize), file.string())
                 : sha256_of_file(directory / file, kFileSize));
  }
  return digest.hex();
}

}  // namespace

LoadedAssignment load_assignment(const fs::path& directory) {
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    throw UsageFault("There is no assignment folder " + directory.string() + ".",
                     "Name a folder that holds assignment.json with --assignment.");
  }
  LoadedAssignment loaded;
  loaded.directory = fs::canonical(directory);
  const fs::path policy_file = loaded.directory / kPolicyFile;
  const fs::path judge_file = loaded.directory / "judge.so";
  require_file(policy_file, "its texts and points");
  require_file(judge_file, "its judge module");
  void* module = load_module(judge_file);
  // The judge is large, and hashing it takes as long as all else here together.
  std::future<std::string> digest = std::async(std::launch::async, digest_of, loaded.directory);
  loaded.policy = read_policy(policy_file);
  require_file(loaded.directory / loaded.policy.dispatch, "its dispatch source");
  for (const std::string& header : loaded.policy.contract_headers) {
    require_file(loaded.directory / "contract" / header, "a contract header");
  }
  loaded.judge = judge_of(module, judge_file);
  validate_judge(*loaded.judge, judge_file);
  compare_checks(*loaded.judge, loaded.policy, policy_file);
  loaded.digest = digest.get();
  const fs::path examples = loaded.directory / kExamplesFile;
  if (fs::exists(examples, error)) loaded.examples = read_file(examples, kExamplesSize);
  return loaded;
}

fs::path default_assignment() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) {
    throw EnvironmentFault(
        "Cannot find out where this program is installed: " + error.message() + ".",
        "Mount /proc, or name the assignment with --assignment.");
  }
  const fs::path here = program.parent_path();
  const fs::path in_build = here / "assignments" / "attention";
  const fs::path installed =
      here.parent_path() / "lib" / "attention-grader" / "assignments" / "attention";
  for (const fs::path& candidate : {in_build, installed}) {
    if (fs::is_directory(candidate, error)) return candidate;
  }
  throw EnvironmentFault("The attention assignment is neither in " + in_build.string() +
                             " nor in " + installed.string() + ".",
                         "Build or install it, or name a folder with --assignment.");
}

}  // namespace grader
