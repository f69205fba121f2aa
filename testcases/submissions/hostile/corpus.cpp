#include "testcases/submissions/hostile/corpus.hpp"

#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <stdexcept>

#include "testcases/submissions/bundled.hpp"

namespace hostile {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kUntouched = "int untouched = 1;\n";

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_file(const fs::path& path, std::string_view text) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) throw std::runtime_error("cannot write " + path.string());
}

Attack read_attack(const fs::path& folder) {
  const fs::path file = folder / "expect.json";
  json expected = json::parse(read_file(file), nullptr, false);
  if (!expected.is_object()) {
    throw std::runtime_error(file.string() + " is missing or not a JSON object");
  }
  const std::set<std::string> known = {"about", "base",  "status", "score", "slow",
                                       "files", "never", "fault",  "says",  "cases"};
  for (const auto& [field, value] : expected.items()) {
    if (known.contains(field)) continue;
    throw std::runtime_error(file.string() + ": unknown field \"" + field + "\"");
  }
  for (const char* required : {"about", "status", "score"}) {
    if (expected.contains(required)) continue;
    throw std::runtime_error(file.string() + ": no field \"" + required + "\"");
  }
  return {folder.filename().string(), folder, std::move(expected)};
}

std::string random_word(std::size_t length) {
  std::random_device device;
  std::string word;
  for (std::size_t i = 0; i < length; ++i) {
    word += "abcdefghijklmnopqrstuvwxyz"[device() % 26];
  }
  return word;
}

std::string bytes_of(const std::string& hexadecimal) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hexadecimal.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

void must(bool done, const std::string& what) {
  if (!done) throw std::runtime_error("cannot " + what + ": " + std::strerror(errno));
}

bool has_connection(int listener) {
  const int connection = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK);
  if (connection < 0) return false;
  ::close(connection);
  return true;
}

}  // namespace

std::vector<Attack> attacks() {
  std::vector<Attack> found;
  for (const auto& folder : fs::directory_iterator(HOSTILE_SUBMISSIONS)) {
    if (!folder.is_directory() || folder.path().filename() == "base") continue;
    found.push_back(read_attack(folder.path()));
  }
  std::ranges::sort(found, {}, &Attack::name);
  return found;
}

Scene::Scene(const Attack& attack) : token_("token" + random_word(24)), name_(random_word(12)) {
  std::string pattern = (fs::temp_directory_path() / "hostile-XXXXXX").string();
  must(::mkdtemp(pattern.data()) != nullptr, "make a scratch folder");
  root_ = pattern;
  const fs::path outside = root_ / "outside";
  for (const fs::path& folder : {root_, submission(), temporary(), outside}) {
    fs::create_directories(folder);
    fs::permissions(folder, fs::perms(0777));
  }
  const std::string secret = "HOSTILE_SECRET(\"" + token_ + "\")\n";
  write_file(outside / "secret", secret);
  write_file(root_ / "secret", secret);
  write_file(outside / "canary", kUntouched);
  fs::permissions(outside / "canary", fs::perms(0666));
  listen();

  const fs::path assignment = bundled::program().parent_path() / "assignments" / "attention";
  placeholders_ = {
      {"@SECRET@", (outside / "secret").string()}, {"@LOCAL_SECRET@", "../secret"},
      {"@CANARY@", (outside / "canary").string()}, {"@OUTSIDE@", outside.string()},
      {"@RESULTS@", results().string()},           {"@GRADER@", bundled::program().string()},
      {"@ASSIGNMENT@", assignment.string()},       {"@NAME@", name_},
      {"@KEY@", std::to_string(::getpid())},       {"@PID@", std::to_string(::getpid())},
      {"@PORT@", std::to_string(port_)},           {"@SOCKET@", name_}};

  if (attack.expected.contains("base")) {
    const std::string base = attack.expected["base"].get<std::string>() + ".cpp";
    fs::copy_file(attack.folder.parent_path() / "base" / base, submission() / "attention.cpp");
  }
  for (const auto& entry : fs::directory_iterator(attack.folder)) {
    const fs::path name = entry.path().filename();
    if (name != "expect.json") write_file(submission() / name, filled(read_file(entry.path())));
  }
  for (const json& file : attack.expected.value("files", json::array())) add_file(file);
}

Scene::~Scene() {
  for (const int listener : {listener_, local_listener_}) {
    if (listener >= 0) ::close(listener);
  }
  std::error_code ignored;  // a leftover in the temporary folder harms nobody
  fs::remove_all(root_, ignored);
}

std::string Scene::filled(std::string text) const {
  for (const auto& [placeholder, value] : placeholders_) {
    for (std::size_t place = 0; (place = text.find(placeholder, place)) != std::string::npos;) {
      text.replace(place, placeholder.size(), value);
      place += value.size();
    }
  }
  return text;
}

// Files that are made here because version control or other systems would not keep them.
void Scene::add_file(const json& file) const {
  const auto value = [&](const char* field) { return filled(file.value(field, "")); };
  if (file.contains("link")) {
    fs::create_symlink(value("to"), submission() / value("link"));
  } else if (file.contains("hard_link")) {
    fs::create_hard_link(value("to"), submission() / value("hard_link"));
  } else if (file.contains("pipe")) {
    must(::mkfifo((submission() / value("pipe")).c_str(), 0666) == 0, "make a named pipe");
  } else if (file.contains("many")) {
    for (int i = 0; i < file.at("count").get<int>(); ++i) {
      write_file(submission() / (value("many") + std::to_string(i) + ".hpp"), "");
    }
  } else if (file.contains("bytes") && file.contains("ending")) {
    write_file(submission() / (bytes_of(value("bytes")) + value("ending")), "\n");
  } else if (file.contains("bytes")) {
    write_file(submission() / value("name"), bytes_of(value("bytes")));
  } else {
    std::string text;
    for (int i = 0; i < file.value("repeat", 1); ++i) text += value("text");
    write_file(submission() / value("file"), text);
  }
}

void Scene::listen() {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* general = reinterpret_cast<sockaddr*>(&address);
  must(::bind(listener_, general, size) == 0 && ::listen(listener_, 4) == 0 &&
           ::getsockname(listener_, general, &size) == 0,
       "listen on a port");
  port_ = ntohs(address.sin_port);

  local_listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  sockaddr_un local{};
  local.sun_family = AF_UNIX;
  name_.copy(local.sun_path + 1, name_.size());  // an abstract name: no file
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name_.size());
  must(::bind(local_listener_, reinterpret_cast<sockaddr*>(&local), length) == 0 &&
           ::listen(local_listener_, 4) == 0,
       "listen on a local socket");
}

std::vector<std::string> Scene::touched() const {
  std::vector<std::string> found;
  const auto note = [&](bool is_touched, const std::string& what) {
    if (is_touched) found.push_back(what);
  };
  const fs::path canary = root_ / "outside" / "canary";
  struct stat status {};
  note(::lstat(canary.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
           (status.st_mode & 07777U) != 0666U || status.st_uid != ::getuid(),
       "the canary was replaced, or its mode or owner changed");
  note(read_file(canary) != kUntouched, "the canary's content changed");
  const std::array<std::pair<fs::path, std::set<std::string>>, 3> folders = {{
      {root_, {"submission", "results", "results.log", "tmp", "outside", "secret"}},
      {root_ / "outside", {"secret", "canary"}},
      {temporary(), {}},
  }};
  for (const auto& [folder, allowed] : folders) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      note(!allowed.contains(name), "new in " + folder.filename().string() + "/: " + name);
    }
  }
  for (const char* folder : {"/tmp", "/dev/shm", "/var/tmp", "/dev/mqueue", "/"}) {
    std::error_code none;
    note(fs::exists(fs::path(folder) / ("hostile-" + name_), none),
         std::string("a file was made in ") + folder);
  }
  note(read_file("/proc/self/mounts").find(root_.string()) != std::string::npos,
       "a file system was left mounted");
  note(::shmget(static_cast<key_t>(::getpid()), 0, 0) >= 0, "shared memory was left behind");
  note(has_connection(listener_), "somebody connected to the port");
  note(has_connection(local_listener_), "somebody connected to the local socket");
  return found;
}

std::string unsafe_text(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    const bool valid = (lead < 0x80 || (lead >= 0xc2 && lead <= 0xf4)) && i + length <= text.size();
    std::uint32_t point = length == 1 ? lead : lead & (0xffU >> (length + 1));
    for (std::size_t k = 1; valid && k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xc0U) != 0x80U) return "invalid UTF-8 at byte " + std::to_string(i);
      point = point << 6U | (next & 0x3fU);
    }
    const bool is_control = (point < 0x20 && point != '\n') || (point >= 0x7f && point < 0xa0);
    const bool is_hidden = (point >= 0x200b && point <= 0x200f) ||
                           (point >= 0x202a && point <= 0x202e) ||
                           (point >= 0x2060 && point <= 0x2069) || point == 0xfeff;
    if (!valid || is_control || is_hidden) {
      return "code point " + std::to_string(point) + " at byte " + std::to_string(i);
    }
    i += length;
  }
  return {};
}

}  // namespace hostile
