// Loads an assignment folder: policy, judge module, contract and dispatch sources.
#pragma once

#include <filesystem>
#include <string>

#include "grader/assignment/assignment.hpp"
#include "grader/assignment/policy.hpp"

namespace grader {

/// Of an assignment's folder: what students start from.
inline constexpr const char* kTemplateFolder = "template";

struct LoadedAssignment {
  std::filesystem::path directory;
  Policy policy;
  const Judge* judge = nullptr;  ///< lives until the process ends; modules are never unloaded
  /// SHA-256 over every file of the folder but the template, the deadline and kExamplesFile, hex.
  std::string digest;
  std::string examples;  ///< the text of kExamplesFile, or empty where there is none
};

/// Inputs that failed before (grader/examples/examples.hpp), in the assignment's folder.
inline constexpr const char* kExamplesFile = "examples.json";

/// Loads the folder and checks that module and policy name the same checks. Throws UsageFault.
LoadedAssignment load_assignment(const std::filesystem::path& directory);

/// The folder of the assignment that is installed beside this program ("attention").
std::filesystem::path default_assignment();

}  // namespace grader
