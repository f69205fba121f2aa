// Paths of a box that has no file system of its own. What would be mounted is an open descriptor
// instead, and its path in the box is /proc/self/fd/N: nobody needs the right to walk to where it
// lies, and names are the same on every machine.
#pragma once

#include <string>
#include <vector>

#include "grader/sandbox/box.hpp"
#include "grader/sandbox/landlock.hpp"
#include "grader/sandbox/process.hpp"

namespace grader {

class BoxPlaces {
 public:
  /// Opens the source of every mount. Throws EnvironmentFault when one is missing.
  explicit BoxPlaces(const std::vector<Mount>& mounts);

  /// `text` with every path below a mount's target turned into what it is here. A path begins an
  /// argument, or follows "=", ":" or "," or the letters of an option.
  [[nodiscard]] std::string to_here(const std::string& text) const;
  /// What a program printed, with the targets' names for what it saw.
  [[nodiscard]] std::string from_here(std::string text) const;

  [[nodiscard]] std::vector<PassedDescriptor> descriptors() const;
  void allow(LandlockRules& rules) const;
  /// An open descriptor of the directory `path` of the box: a mount's target, or one below it, or a
  /// directory of the machine.
  [[nodiscard]] Descriptor directory(const std::filesystem::path& path) const;
  /// Descriptors of what may be written.
  [[nodiscard]] std::vector<int> writable() const;
  /// Throws EnvironmentFault unless every user may read all that is mounted to be read.
  void require_readable_by_all() const;

 private:
  struct Place {
    Mount mount;
    Descriptor descriptor;
    int number = -1;   ///< of the descriptor in the box
    std::string path;  ///< in the box
  };
  std::vector<Place> places_;
};

}  // namespace grader
