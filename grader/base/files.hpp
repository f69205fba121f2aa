// Files that are either whole or absent.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace grader {

/// Writes `content` to a temporary name beside `file`, syncs it, and renames it into place. A link
/// stays what it is: what it leads to is written. What is no file (a pipe, a terminal, /dev/stdout)
/// is written into or refused, and never replaced. Throws EnvironmentFault (disk full, no
/// permission) and then leaves no trace; what a killed process has left in that folder is removed
/// by the next one that writes there.
void write_atomically(const std::filesystem::path& file, std::string_view content);

/// Writes a file that is not there yet, following no link; not synced. Throws EnvironmentFault with
/// this hint when it is there or cannot be written, and then leaves nothing of it.
void write_new(const std::filesystem::path& file, std::string_view content,
               const std::string& hint);

/// The same with a file that nobody but its owner may read.
void write_new_secret(const std::filesystem::path& file, std::string_view content,
                      const std::string& hint);

/// The whole of `file`, or a UsageFault that says why it cannot be read. Refuses more than `limit`
/// bytes and anything but a regular file. Throws EnvironmentFault where the machine has no more
/// descriptors or memory.
std::string read_file(const std::filesystem::path& file, std::size_t limit);

/// The same, given to `take` piece by piece, so that a large file needs little memory.
void read_in_pieces(const std::filesystem::path& file, std::size_t limit,
                    const std::function<void(std::string_view)>& take);

/// As read_file, of a file with a secret: refuses one that others than its owner may read or write.
std::string read_secret(const std::filesystem::path& file, std::size_t limit);

/// Opens `tree`, a directory of ours, and all in it to be read by every user, whatever the umask.
/// Who may walk to it is for the directories above to say. Throws filesystem_error.
void open_for_reading(const std::filesystem::path& tree);

/// A private directory (0700) under the system's temporary directory, removed with its content. It
/// is locked for as long as it is in use.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;
};

/// Removes all that this process has, unfinished files too, for a process that is about to end
/// without unwinding: from now on it makes no directory and writes no file.
void remove_temporary_directories();
/// Removes those of processes of this user that were killed.
void remove_abandoned_directories();

}  // namespace grader
