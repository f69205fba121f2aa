// attention_home_recorder ASSIGNMENT_JSON DIRECTORY [CASES]: writes numbers.bin and texts.txt.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/assignment/policy.hpp"
#include "grader/base/files.hpp"
#include "home/texts.hpp"
#include "packaging/record.hpp"

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 2 || arguments.size() > 3) {
    std::fputs("usage: attention_home_recorder ASSIGNMENT_JSON DIRECTORY [CASES]\n", stderr);
    return 1;
  }
  try {
    grader::Policy policy = grader::read_policy(arguments[0]);
    if (arguments.size() == 3) policy.cases = std::stoll(arguments[2]);
    const std::filesystem::path directory = arguments[1];
    std::filesystem::create_directories(directory);
    const attention_home::Numbers numbers = attention_home::record(policy);
    numbers.save(directory / "numbers.bin");
    grader::write_atomically(directory / "texts.txt",
                             attention_home::write_texts(policy, policy.cases));
    std::fprintf(stderr, "%zu answers, %.1f MB\n", numbers.size(),
                 static_cast<double>(numbers.bytes()) / 1e6);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
