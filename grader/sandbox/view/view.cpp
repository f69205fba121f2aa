#include "grader/sandbox/view/view.hpp"

#include <array>
#include <cstddef>

namespace grader::view {
namespace {

constexpr std::string_view kDescriptors = "/proc/self/fd/";

/// Takes what is before the next `separator` off `text`, and the separator.
std::string_view take_until(std::string_view& text, char separator) noexcept {
  const std::size_t end = text.find(separator);
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return taken;
}

/// `path` is `top` or lies below it.
bool is_below(std::string_view path, std::string_view top) noexcept {
  return path.starts_with(top) && (path.size() == top.size() || path[top.size()] == '/');
}

/// A path without "." and "..", as far as it was walked. The root directory is the empty one.
class Walk {
 public:
  explicit Walk(std::string_view view) noexcept : view_(view) {}

  /// False when a step leads out of view.
  bool go(std::string_view path) noexcept {
    while (!path.empty()) {
      if (!step(take_until(path, '/'))) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] std::string_view place() const noexcept { return {text_.data(), size_}; }

  bool step(std::string_view name) noexcept {
    if (name.empty() || name == ".") return true;
    if (name == "..") return go_up();
    if (size_ + 1 + name.size() > text_.size()) return false;
    text_[size_++] = '/';
    size_ += name.copy(text_.data() + size_, name.size());
    return in_view();
  }

  bool go_up() noexcept {
    const std::size_t last = place().rfind('/');
    if (last == std::string_view::npos) return true;
    if (last + 1 == kDescriptors.size() && place().starts_with(kDescriptors)) return false;
    size_ = last;
    return true;
  }

  [[nodiscard]] bool in_view() const noexcept {
    std::string_view rest = view_;
    while (!rest.empty()) {
      const std::string_view top = take_until(rest, ':');
      if (is_below(place(), top) || is_below(top, place())) return true;
    }
    return false;
  }

  std::string_view view_;
  std::array<char, 4096> text_{};  // longer paths do not exist
  std::size_t size_ = 0;
};

}  // namespace

bool contains(std::string_view view, std::string_view path) noexcept {
  Walk walk(view);
  if (!path.empty() && path.front() == '/') return walk.go(path);
  std::string_view rest = view;
  return walk.go(take_until(rest, ':')) && walk.go(path);
}

}  // namespace grader::view
