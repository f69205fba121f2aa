// Files of this program that the compiler must see when a submission is built, carried inside it.
#pragma once

#include <string_view>
#include <vector>

namespace grader {

struct EmbeddedFile {
  std::string_view name;  ///< relative to the prelude's directory
  std::string_view content;
};

const std::vector<EmbeddedFile>& embedded_files();

}  // namespace grader
