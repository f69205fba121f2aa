#include "grader/similarity/compare_trees.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/similarity/comparison.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = std::size_t{1} << 20;

std::string beginning_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text(kMostBytes, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream.is_open() || stream.bad()) {
    throw EnvironmentFault("Cannot read " + file.string() + " to compare it with the others.",
                           "Look at its permissions.");
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

std::vector<SourceText> sources_in(const fs::path& tree) {
  std::error_code error;
  if (tree.empty() || !fs::is_directory(tree, error)) return {};
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(tree)) {
    if (fs::is_regular_file(entry.symlink_status())) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<SourceText> sources;
  for (const fs::path& file : files) {
    sources.push_back({file.lexically_relative(tree).generic_string(), beginning_of(file)});
  }
  return sources;
}

}  // namespace

SimilarityReport compare_trees(const std::vector<fs::path>& trees, const fs::path& template_tree) {
  SubmissionComparison comparison(sources_in(template_tree));
  for (const fs::path& tree : trees) comparison.add(sources_in(tree));
  return comparison.report();
}

}  // namespace grader
