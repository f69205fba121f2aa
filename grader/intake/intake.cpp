#include "grader/intake/intake.hpp"

#include <algorithm>
#include <map>
#include <system_error>
#include <utility>

#include "grader/base/digest.hpp"
#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/intake/walk.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFreeSpace =
    "Free some space, or set TMPDIR to a directory you may write to.";

/// Thrown and caught in this file alone: the submission's content is unacceptable.
struct Refusal {
  std::string reason;
};

// Refuses what no compiler should be given, with the likely cause.
void require_source_text(const FoundFile& file) {
  const std::string_view content = file.content;
  if (content.starts_with("\xff\xfe") || content.starts_with("\xfe\xff")) {
    throw Refusal{shown(file.name) + " is saved as UTF-16: save it as UTF-8 and hand it in again."};
  }
  if (content.find('\0') != std::string_view::npos) {
    throw Refusal{shown(file.name) +
                  " is a binary file, not C++ source text: hand in the source you compile."};
  }
}

bool is_blank(std::string_view content) {
  if (content.starts_with("\xef\xbb\xbf")) content.remove_prefix(3);
  return content.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos;
}

// A copy of a contract header: its path is one of those under which the contract's is included, or
// ends in one of them.
const std::string* contract_header_of(const fs::path& name, const Policy& policy) {
  for (const std::string& header : policy.contract_headers) {
    if (name.filename() == fs::path(header).filename()) return &header;
  }
  return nullptr;
}

void require_different_names(const std::vector<FoundFile>& files) {
  std::map<std::string, const fs::path*> seen;
  for (const FoundFile& file : files) {
    const auto [place, is_new] = seen.emplace(folded(file.name.string()), &file.name);
    if (!is_new) {
      throw Refusal{
          shown(*place->second) + " and " + shown(file.name) +
          " differ only in upper and lower case or in how an accent is written: remove one "
          "of them."};
    }
  }
}

// The place of the main file among the files found, under its own name or in another case.
std::size_t find_main_file(const Walk& found, const Policy& policy) {
  const std::vector<FoundFile>& files = found.files;
  std::vector<std::size_t> candidates;
  const std::string wanted = lower_case(policy.main_file);
  for (std::size_t index = 0; index < files.size(); ++index) {
    if (lower_case(files[index].name.filename().string()) == wanted) candidates.push_back(index);
  }
  for (const std::size_t index : candidates) {
    if (!files[index].name.has_parent_path()) return index;
  }
  if (candidates.size() == 1) return candidates.front();
  if (candidates.size() > 1) {
    throw Refusal{"There are several files called " + policy.main_file + " (" +
                  shown(files[candidates[0]].name) + ", " + shown(files[candidates[1]].name) +
                  "): hand in a folder with one of them."};
  }
  const std::string what = found.handed_in == HandedIn::archive ? "The archive" : "The folder";
  const std::string reason = what + " has no " + policy.main_file;
  for (const FoundFile& file : files) {
    if (file.kind != NameKind::source) continue;
    throw Refusal{reason + ": rename " + shown(file.name) + " if that is your work."};
  }
  throw Refusal{reason + ": put your work into a file of this name."};
}

// Gives the main file the name that the assignment calls it by.
void rename_main_file(FoundFile& file, const Policy& policy, std::vector<std::string>& notices) {
  if (file.name.filename() == policy.main_file) return;
  const fs::path name = file.name.parent_path() / policy.main_file;
  notices.push_back(shown(file.name) + " is graded as " + shown(name) + ".");
  file.name = name;
}

// "folder/attention.cpp" and "attention.cpp" are the same submission: drops the folders that
// all files are in.
void drop_common_folder(std::vector<FoundFile>& files) {
  while (!files.empty()) {
    const fs::path first = *files.front().name.begin();
    const bool common = std::all_of(files.begin(), files.end(), [&](const FoundFile& file) {
      return file.name.has_parent_path() && *file.name.begin() == first;
    });
    if (!common) return;
    for (FoundFile& file : files) file.name = file.name.lexically_relative(first);
  }
}

// One line in place of a copied contract header, so that every way to include it leads to ours.
std::string forwarder(const std::string& header) {
  return "// The grader's own copy of the contract is used.\n#include <" + header + ">\n";
}

void write_tree(const std::vector<FoundFile>& files, const Policy& policy, const fs::path& tree) {
  std::error_code error;
  fs::create_directories(tree, error);
  if (!error && !fs::is_empty(tree, error)) error = std::make_error_code(std::errc::file_exists);
  if (error) {
    throw EnvironmentFault("Cannot prepare " + tree.string() + ": " + error.message() + ".",
                           "Remove it, or choose another place.");
  }
  try {
    for (const FoundFile& file : files) {
      fs::create_directories((tree / file.name).parent_path());
      const std::string* header = contract_header_of(file.name, policy);
      write_new(tree / file.name, header != nullptr ? forwarder(*header) : file.content,
                kFreeSpace);
    }
    open_for_reading(tree);  // the box may read it under another user id
  } catch (const fs::filesystem_error& failure) {
    fs::remove_all(tree, error);
    throw EnvironmentFault("Cannot write " + tree.string() + ": " + failure.code().message() + ".",
                           kFreeSpace);
  } catch (const EnvironmentFault&) {
    fs::remove_all(tree, error);
    throw;
  }
}

// The single file that was handed in, under the assignment's name for it.
void accept_file(Walk& found, const Policy& policy) {
  FoundFile& file = found.files.front();
  if (file.kind == NameKind::header || contract_header_of(file.name, policy) != nullptr) {
    throw Refusal{shown(file.name) + " is a header: hand in " + policy.main_file + " or a folder."};
  }
  if (file.kind != NameKind::source) {
    throw Refusal{shown(file.name) + " is not a C++ source: hand in " + policy.main_file +
                  " or a folder that holds it."};
  }
  rename_main_file(file, policy, found.notices);
}

// What a file says, whatever editor or system wrote its ends of lines.
std::string without_line_ends(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::string words(text);
  std::erase_if(words, [](char character) { return character == '\r' || character == '\n'; });
  return words;
}

bool says_the_same(const FoundFile& copy, const fs::path& header) {
  std::error_code error;
  constexpr std::size_t kHeaderLimit = 1 << 20;
  return fs::is_regular_file(header, error) &&
         without_line_ends(copy.content) == without_line_ends(read_file(header, kHeaderLimit));
}

void accept_folder(Walk& found, const Policy& policy, const fs::path& contract) {
  require_different_names(found.files);
  rename_main_file(found.files[find_main_file(found, policy)], policy, found.notices);
  drop_common_folder(found.files);
  for (const FoundFile& file : found.files) {
    const std::string* header = contract_header_of(file.name, policy);
    if (header == nullptr) continue;
    if (!contract.empty() && says_the_same(file, contract / *header)) continue;
    found.notices.push_back(shown(file.name) +
                            " differs from the assignment's header: your work was compiled with "
                            "the grader's own copy of the contract.");
  }
}

Submission describe(const Walk& found, const Policy& policy) {
  Submission submission;
  submission.notices = found.notices;
  Digest digest;
  for (const FoundFile& file : found.files) {
    if (contract_header_of(file.name, policy) != nullptr) continue;
    digest.add(file.name.string()).add(file.content);
    submission.files.push_back({shown(file.name), static_cast<std::int64_t>(file.content.size()),
                                sha256_of_bytes(file.content)});
    if (file.kind == NameKind::source) submission.sources.push_back(file.name);
  }
  submission.digest = digest.hex();
  return submission;
}

}  // namespace

Intake take_in(const fs::path& path, const Policy& policy, const fs::path& clean_directory,
               const fs::path& contract) {
  Walk found = walk(path, policy);
  const std::string id = submission_id(path, found.handed_in == HandedIn::folder);
  try {
    if (found.refusal) throw Refusal{*found.refusal};
    for (const FoundFile& file : found.files) require_source_text(file);
    if (found.handed_in == HandedIn::file) {
      accept_file(found, policy);
    } else {
      accept_folder(found, policy, contract);
    }
    const auto main_file = std::find_if(
        found.files.begin(), found.files.end(),
        [&](const FoundFile& file) { return file.name.filename() == policy.main_file; });
    if (main_file == found.files.end() || is_blank(main_file->content)) {
      throw Refusal{policy.main_file + " is empty: put your work into it and hand it in again."};
    }
  } catch (const Refusal& refusal) {
    return Refused{id, refusal.reason, found.notices};
  }
  std::sort(found.files.begin(), found.files.end(), [](const FoundFile& a, const FoundFile& b) {
    return a.name.native() < b.name.native();
  });
  write_tree(found.files, policy, clean_directory);
  Submission submission = describe(found, policy);
  submission.id = id;
  submission.directory = clean_directory;
  return submission;
}

}  // namespace grader
