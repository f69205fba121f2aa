#include "grader/sandbox/box_places.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include "grader/base/fault.hpp"
#include "grader/sandbox/launcher.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t place = text.find(what); place != std::string::npos;
       place = text.find(what, place + by.size())) {
    text.replace(place, what.size(), by);
  }
}

/// A path may begin at `place`: no other one has begun before it in the same word.
bool begins_path(const std::string& text, std::size_t place) {
  if (place == 0) {
    return true;
  }
  const std::size_t word = text.find_last_of("=:,", place - 1);
  const std::size_t begin = word == std::string::npos ? 0 : word + 1;
  return begin == place || (text[begin] == '-' && text.find('/', begin) == place);
}

void require_open(const fs::path& path, const fs::file_status& status) {
  auto needed = fs::perms::others_read;
  if (fs::is_directory(status)) needed |= fs::perms::others_exec;
  if ((status.permissions() & needed) != needed) {
    throw EnvironmentFault(
        path.string() + " is closed to other users, and the compiler runs as one",
        "Run `chmod -R o+rX` on the folder that it lies in, and grade again.");
  }
}

bool ends_name(const std::string& text, std::size_t place) {
  return place == text.size() || text[place] == '/' || text[place] == ':' || text[place] == ',';
}

}  // namespace

BoxPlaces::BoxPlaces(const std::vector<Mount>& mounts) {
  int number = kFirstLauncherDescriptor;
  for (const Mount& mount : mounts) {
    Place place;
    place.mount = mount;
    place.descriptor.reset(::open(mount.source.c_str(), O_PATH | O_CLOEXEC));
    if (!place.descriptor) {
      throw_system_error("open " + mount.source.string() + " for the sandbox");
    }
    place.number = number++;
    place.path = "/proc/self/fd/" + std::to_string(place.number);
    places_.push_back(std::move(place));
  }
}

std::string BoxPlaces::to_here(const std::string& text) const {
  std::string result = text;
  for (const Place& place : places_) {
    const std::string target = place.mount.target.lexically_normal().string();
    for (std::size_t found = result.find(target); found != std::string::npos;) {
      std::size_t next = found + 1;
      if (begins_path(result, found) && ends_name(result, found + target.size())) {
        result.replace(found, target.size(), place.path);
        next = found + place.path.size();
      }
      found = result.find(target, next);
    }
  }
  return result;
}

std::string BoxPlaces::from_here(std::string text) const {
  for (const Place& place : places_) {
    const std::string target = place.mount.target.string();
    replace_all(text, place.path + "/", target + "/");
    replace_all(text, place.mount.source.string() + "/", target + "/");
  }
  return text;
}

std::vector<PassedDescriptor> BoxPlaces::descriptors() const {
  std::vector<PassedDescriptor> passed;
  for (const Place& place : places_) {
    passed.push_back({place.descriptor.get(), place.number});
  }
  return passed;
}

void BoxPlaces::allow(LandlockRules& rules) const {
  for (const Place& place : places_) {
    rules.allow(place.descriptor.get(),
                place.mount.writable ? FileRights::read_write : FileRights::read);
  }
}

Descriptor BoxPlaces::directory(const std::filesystem::path& path) const {
  const auto open_below = [](int base, const std::filesystem::path& name) {
    Descriptor found(::openat(base, name.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!found) {
      throw_system_error("enter the directory " + name.string() + " of the sandbox");
    }
    return found;
  };
  for (const Place& place : places_) {
    const auto relative =
        path.lexically_normal().lexically_relative(place.mount.target.lexically_normal());
    if (!relative.empty() && *relative.begin() != "..") {
      return open_below(place.descriptor.get(), relative);
    }
  }
  return open_below(AT_FDCWD, path);
}

std::vector<int> BoxPlaces::writable() const {
  std::vector<int> descriptors;
  for (const Place& place : places_) {
    if (place.mount.writable) {
      descriptors.push_back(place.descriptor.get());
    }
  }
  return descriptors;
}

void BoxPlaces::require_readable_by_all() const {
  for (const Place& place : places_) {
    if (place.mount.writable) continue;
    const fs::path& top = place.mount.source;
    require_open(top, fs::status(top));
    if (!fs::is_directory(top)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(top)) {
      if (!entry.is_symlink()) require_open(entry.path(), entry.status());
    }
  }
}

}  // namespace grader
