#include "grader/build/file_escapes.hpp"

#include <array>
#include <filesystem>
#include <utility>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/build/toolchain.hpp"
#include "grader/sandbox/box.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

struct Way {
  const char* name;
  const char* source;  ///< @ stands for the file
};

constexpr std::array kWays = {
    Way{"include a file outside", "#include \"@\"\n"},
    Way{"ask whether a file outside exists", "#if __has_include(\"@\")\n#error found\n#endif\n"},
    Way{"the same by a macro",
        "#define ASK __has_include\n#define FILE \"@\"\n#if ASK(FILE)\n#error found\n#endif\n"},
    Way{"ask when a file outside was changed", "#pragma GCC dependency \"@\"\n"},
    Way{"go through a directory outside",
        "#if __has_include(\"@/../../../../../../../../../usr/include/stdio.h\")\n#error "
        "found\n#endif\n"},
    Way{"put a file outside into the object", "asm(\".incbin \\\"@\\\"\");\n"},
    Way{"assemble a file outside", "asm(\".include \\\"@\\\"\");\n"},
};

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t place = text.find(what); place != std::string::npos;
       place = text.find(what, place + by.size())) {
    text.replace(place, what.size(), by);
  }
  return text;
}

/// What the compiler says of `way` when it is asked for `file`.
std::pair<int, std::string> answer(const Way& way, const std::string& file) {
  const TemporaryDirectory source;
  write_atomically(source.path() / "probe.cpp", replaced(way.source, "@", file));
  open_for_reading(source.path());
  BoxCommand command;
  command.arguments = {"/usr/bin/g++", "-std=c++20", "-pipe",    "-c", "-fdiagnostics-plain-output",
                       "./probe.cpp",  "-o",         "/dev/null"};
  command.mounts = {{source.path(), kSubmissionInBox, false}};
  command.environment = compiler_environment();
  command.directory = kSubmissionInBox;
  const BoxResult result = run_in_box(command);
  return {result.exit_code, replaced(result.output, file, "@")};
}

}  // namespace

std::vector<FileEscape> try_file_escapes() {
  // Open to every user: only the box stands between.
  const TemporaryDirectory outside;
  fs::create_directory(outside.path() / "there");
  write_atomically(outside.path() / "there/file", "int secret;\n");
  open_for_reading(outside.path());
  const auto [exit_code, output] = answer({"compile", "int nothing;\n"}, "/nothing");
  if (exit_code != 0) {
    throw EnvironmentFault("The compiler does not work in its box: " + output,
                           "Install it again: apt-get install --reinstall g++.");
  }
  std::vector<FileEscape> escapes;
  for (const Way& way : kWays) {
    const bool asks_for_directory = std::string(way.source).find("@/") != std::string::npos;
    const auto file = [&](const char* directory) {
      const fs::path place = outside.path() / directory;
      return (asks_for_directory ? place : place / "file").string();
    };
    escapes.push_back({way.name, answer(way, file("there")) != answer(way, file("other"))});
  }
  return escapes;
}

}  // namespace grader
