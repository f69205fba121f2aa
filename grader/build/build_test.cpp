#include "grader/build/build.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "grader/base/cache.hpp"
#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/build/prelude.hpp"
#include "grader/channel/in_process.hpp"
#include "grader/intake/intake.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr const char* kContract = R"(#pragma once
#include <Eigen/Dense>
namespace lesson {
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
Matrix product(const Matrix& left, const Matrix& right);
double first(const Matrix& matrix);
}
)";

constexpr const char* kDispatch = R"(#include "lesson/lesson.hpp"
#include "grader/channel/eigen.hpp"
GRADER_DISPATCH(&lesson::product, &lesson::first)
)";

constexpr const char* kWork = R"(#include "lesson/lesson.hpp"
namespace lesson {
Matrix product(const Matrix& left, const Matrix& right) { return left * right; }
double first(const Matrix& matrix) { return matrix(0, 0); }
}
)";

Contract contract() {
  const Type matrix{Kind::matrix, {}};
  return {{"product", {{"left", matrix}, {"right", matrix}}, matrix},
          {"first", {{"matrix", matrix}}, {Kind::number, {}}}};
}

class BuildTest : public testing::Test {
 protected:
  BuildTest() {
    // The tests of this binary share one prepared contract between their processes.
    setenv("XDG_CACHE_HOME", TEST_CACHE, 1);
    mkdir(TEST_CACHE, 0755);
    judge_.contract = contract();
    assignment_.directory = root_.path() / "assignment";
    assignment_.judge = &judge_;
    assignment_.policy.main_file = "work.cpp";
    assignment_.policy.contract_headers = {"lesson/lesson.hpp"};
    assignment_.policy.include_directories = {".", "lesson"};
    assignment_.policy.system_includes = {"/usr/include/eigen3"};
    assignment_.policy.dispatch = "dispatch.cpp";
    write(assignment_.directory / "contract/lesson/lesson.hpp", kContract);
    write(assignment_.directory / "dispatch.cpp", kDispatch);
    submit("work.cpp", kWork);
  }

  static void write(const fs::path& file, const std::string& content) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
  }
  void submit(const std::string& name, const std::string& content) {
    write(root_.path() / "given" / name, content);
  }

  BuildOutcome built_outcome() {
    Intake taken = take_in(root_.path() / "given", assignment_.policy, root_.path() / "clean");
    if (const auto* refused = std::get_if<Refused>(&taken)) {
      ADD_FAILURE() << refused->reason;
      return {};
    }
    return build(std::get<Submission>(taken), assignment_, root_.path() / "workspace");
  }
  void expect_built() {
    outcome_ = built_outcome();
    EXPECT_EQ(outcome_.report.status, BuildStatus::built) << outcome_.report.diagnostics;
    EXPECT_TRUE(fs::is_regular_file(outcome_.shared_object));
    EXPECT_EQ(outcome_.report.hint, "");
  }
  BuildReport failed_report(BuildStatus status = BuildStatus::failed) {
    outcome_ = built_outcome();
    EXPECT_EQ(outcome_.report.status, status) << outcome_.report.diagnostics;
    EXPECT_TRUE(outcome_.shared_object.empty());
    EXPECT_FALSE(fs::exists(root_.path() / "workspace/student.so"));
    return outcome_.report;
  }
  /// Calls a function of the shared object in this process.
  Outcome call(FunctionId function, const Arguments& arguments) {
    void* library = dlopen(outcome_.shared_object.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      ADD_FAILURE() << dlerror();
      return {};
    }
    void* symbol = dlsym(library, "attention_grader_dispatch");
    return InProcessImplementation(judge_.contract, reinterpret_cast<DispatchFunction>(symbol))
        .call(function, arguments);
  }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  TemporaryDirectory root_;
  Judge judge_;
  LoadedAssignment assignment_;
  BuildOutcome outcome_;
};

TEST_F(BuildTest, MakesASharedObjectThatAnswersCalls) {
  expect_built();
  EXPECT_EQ(outcome_.report.diagnostics, "");
  EXPECT_TRUE(has(outcome_.toolchain, "g++")) << outcome_.toolchain;
  EXPECT_TRUE(has(outcome_.toolchain, "Eigen 3.")) << outcome_.toolchain;
  const Outcome outcome = call(0, {Matrix(2, 3, 1.0), Matrix(3, 2, 2.0)});
  ASSERT_EQ(outcome.ending, Ending::returned);
  EXPECT_TRUE(identical(outcome.value, Matrix(2, 2, 6.0)));
}

TEST_F(BuildTest, LargeProductsUseThePreparedKernels) {
  expect_built();
  const Outcome outcome = call(0, {Matrix(40, 50, 1.0), Matrix(50, 60, 2.0)});
  ASSERT_EQ(outcome.ending, Ending::returned);
  EXPECT_TRUE(identical(outcome.value, Matrix(40, 60, 100.0)));
}

TEST_F(BuildTest, ShapeSlipThrowsASentenceInsteadOfAborting) {
  expect_built();
  const Outcome outcome = call(0, {Matrix(2, 3, 1.0), Matrix(4, 2, 2.0)});
  EXPECT_EQ(outcome.ending, Ending::threw);
  EXPECT_TRUE(has(outcome.message, "columns of the left must equal rows of the right"))
      << outcome.message;
  const Outcome outside = call(1, {Matrix(0, 0)});
  EXPECT_EQ(outside.ending, Ending::threw);
  EXPECT_TRUE(has(outside.message, "outside of the matrix")) << outside.message;
}

TEST_F(BuildTest, BothWaysToIncludeTheContractWork) {
  submit("work.cpp", std::string("#include <vector>\n#include \"lesson.hpp\"\n") + kWork);
  expect_built();
}

TEST_F(BuildTest, OwnHeadersMayIncludeTheContractAgainAndOtherThingsFirst) {
  submit("helper.hpp",
         "#pragma once\n#include <cmath>\n#include \"lesson/lesson.hpp\"\n"
         "#include <lesson.hpp>\ninline double half(double x) { return x / 2; }\n");
  submit("work.cpp", std::string("#define EIGEN_NO_DEBUG\n#include <iostream>\n"
                                 "#include \"helper.hpp\"\n") +
                         kWork);
  expect_built();
}

TEST_F(BuildTest, OwnCopyOfTheContractNeverWins) {
  submit("lesson.hpp", "#error the copy was used");
  submit("include/lesson/lesson.hpp", "#error the copy was used");
  submit("work.cpp", std::string("#include \"include/lesson/lesson.hpp\"\n") + kWork);
  expect_built();
}

TEST_F(BuildTest, AllSourcesAreCompiledTogether) {
  submit("work.cpp", R"(#include "parts/first.hpp"
#include "lesson/lesson.hpp"
lesson::Matrix lesson::product(const Matrix& left, const Matrix& right) {
  return left * right;
})");
  submit("parts/first.hpp", "#pragma once\n#include \"lesson.hpp\"\n");
  submit("parts/first.cc",
         "#include \"parts/first.hpp\"\n"
         "double lesson::first(const Matrix& m) { return m(0, 0); }\n");
  expect_built();
}

TEST_F(BuildTest, OwnHeaderCannotReplaceALibrary) {
  submit("math.h", "#error the copy was used");
  submit("vector.h", "#error the copy was used");
  submit("work.cpp",
         std::string("#include <math.h>\n#include <cmath>\n#include <vector>\n") + kWork);
  expect_built();
}

TEST_F(BuildTest, ByteOrderMarkAndCarriageReturnsBuild) {
  std::string text = kWork;
  for (std::size_t place = 0; (place = text.find('\n', place)) != std::string::npos; place += 2) {
    text.replace(place, 1, "\r\n");
  }
  submit("work.cpp", "\xef\xbb\xbf" + text);
  expect_built();
}

TEST_F(BuildTest, OwnMainIsANotice) {
  submit("work.cpp", std::string(kWork) + "int main() { return 7; }\n");
  expect_built();
  ASSERT_EQ(outcome_.notices.size(), 1U);
  EXPECT_TRUE(has(outcome_.notices[0], "main()"));
  EXPECT_EQ(outcome_.report.diagnostics, "");
}

TEST_F(BuildTest, MissingFunctionIsNamed) {
  submit("work.cpp",
         "#include \"lesson.hpp\"\n"
         "double lesson::first(const Matrix& m) { return m(0, 0); }\n");
  const BuildReport report = failed_report();
  EXPECT_EQ(report.problem, "The submission does not link: lesson::product is missing.");
  EXPECT_TRUE(has(report.hint, "Define product.")) << report.hint << report.diagnostics;
  EXPECT_TRUE(has(report.diagnostics, "lesson::product(…)")) << report.diagnostics;
}

TEST_F(BuildTest, OtherParametersAreToldFromAMissingFunction) {
  submit("work.cpp",
         "#include \"lesson.hpp\"\nnamespace lesson {\n"
         "Matrix product(Matrix& left, Matrix& right) { return left * right; }\n"
         "double first(const Matrix& m) { return m(0, 0); }\n}\n");
  const BuildReport report = failed_report();
  EXPECT_TRUE(has(report.hint, "product occurs in your code, but is not defined as"))
      << report.hint;
}

TEST_F(BuildTest, DiagnosticsNameOnlyTheStudentsFiles) {
  submit("work.cpp", std::string(kWork) + "int broken() { return 1 }\n");
  const BuildReport report = failed_report();
  EXPECT_TRUE(has(report.diagnostics, "\nwork.cpp:6:24: error: expected ';'"))
      << report.diagnostics;
  EXPECT_FALSE(has(report.diagnostics, "/submission"));
  EXPECT_FALSE(has(report.diagnostics, root_.path().string()));
  EXPECT_TRUE(has(report.hint, "work.cpp line 6")) << report.hint;
}

TEST_F(BuildTest, FilesOutsideTheBoxLeakNothing) {
  write(root_.path() / "secret.txt", "\"the-secret-line\"");
  const std::string secret = (root_.path() / "secret.txt").string();
  for (const std::string& attempt :
       {"#include \"" + secret + "\"\n", std::string("#include \"/etc/passwd\"\n"),
        std::string("asm(\".incbin \\\"/etc/passwd\\\"\");\n"),
        std::string("asm(\".include \\\"/etc/shadow\\\"\");\n")}) {
    fs::remove_all(root_.path() / "clean");
    submit("work.cpp", kWork + attempt);
    const BuildReport report = failed_report();
    EXPECT_FALSE(has(report.diagnostics, "the-secret-line")) << report.diagnostics;
    EXPECT_FALSE(has(report.diagnostics, "root:")) << report.diagnostics;
  }
}

TEST_F(BuildTest, FloodOfErrorsIsCut) {
  std::string text = kWork;
  for (int line = 0; line < 20'000; ++line) {
    text += "int a" + std::to_string(line) + " = " + std::string(20, 'x') + ";\n";
  }
  submit("work.cpp", text);
  const BuildReport report = failed_report();
  EXPECT_LT(report.diagnostics.size(), 80'000U);
  EXPECT_TRUE(has(report.diagnostics, "-fmax-errors")) << report.diagnostics;
}

TEST_F(BuildTest, ControlCharactersInDiagnosticsAreNeutralised) {
  submit("work.cpp", std::string(kWork) + "#error \x1b[31mred \xe2\x80\xae reversed\n");
  const BuildReport report = failed_report();
  EXPECT_FALSE(has(report.diagnostics, "\x1b"));
  EXPECT_FALSE(has(report.diagnostics, "\xe2\x80\xae"));
}

TEST_F(BuildTest, HugeConstantExceedsALimit) {
  assignment_.policy.limits.build_output = 4 << 20;
  submit("work.cpp", std::string(kWork) + "char constant[1u << 30] = {1};\n");
  EXPECT_TRUE(has(failed_report(BuildStatus::limit_exceeded).hint, "more time, memory or space"));
}

TEST_F(BuildTest, EndlessCompilationExceedsALimit) {
  assignment_.policy.limits.build_cpu_ms = 1000;
  submit("work.cpp", std::string(kWork) +
                         "#if __INCLUDE_LEVEL__ < 190\n#include \"work.cpp\"\n"
                         "#include \"work.cpp\"\n#endif\n");
  failed_report(BuildStatus::limit_exceeded);
}

TEST_F(BuildTest, PreparedContractIsKeptAndFollowsTheContract) {
  expect_built();
  const Toolchain toolchain = find_toolchain(assignment_);
  const fs::path kept = provide_prelude(assignment_, toolchain).directory;
  EXPECT_EQ(provide_prelude(assignment_, toolchain).directory, kept);
  EXPECT_TRUE(fs::exists(kept / "prelude.hpp.gch"));
  assignment_.policy.compile_flags = {"-DOTHER"};
  write(assignment_.directory / "contract/lesson/lesson.hpp",
        "#pragma once\nnamespace lesson { int value(); }\n");
  write(assignment_.directory / "dispatch.cpp",
        "#include <lesson.hpp>\nint use = lesson::value();\n");
  assignment_.policy.system_includes.clear();  // a contract without Eigen
  const fs::path other = provide_prelude(assignment_, toolchain).directory;
  EXPECT_NE(other, kept);
  fs::remove_all(other);
}

TEST_F(BuildTest, WorksWithoutAPlaceToKeepTheContract) {
  setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
  write(assignment_.directory / "contract/lesson/lesson.hpp",
        "#pragma once\nnamespace lesson { int value(); }\n");
  write(assignment_.directory / "dispatch.cpp",
        "#include <lesson.hpp>\nint use = lesson::value();\n");
  submit("work.cpp", "#include \"lesson.hpp\"\nint lesson::value() { return 1; }\n");
  expect_built();
  ASSERT_EQ(outcome_.notices.size(), 1U);
  EXPECT_TRUE(has(outcome_.notices[0], "could not be kept"));
}

TEST_F(BuildTest, FullCacheFallsBackToATemporaryPlace) {
  const fs::path cache = root_.path() / "full";
  fs::create_directories(cache);
  if (mount("none", cache.c_str(), "tmpfs", 0, "size=1m") != 0) GTEST_SKIP() << "not root";
  setenv("XDG_CACHE_HOME", cache.c_str(), 1);
  write(assignment_.directory / "contract/lesson/lesson.hpp",
        "#pragma once\nnamespace lesson { int value(); }\n");
  write(assignment_.directory / "dispatch.cpp",
        "#include <lesson.hpp>\nint use = lesson::value();\n");
  submit("work.cpp", "#include \"lesson.hpp\"\nint lesson::value() { return 1; }\n");
  expect_built();
  EXPECT_EQ(umount(cache.c_str()), 0);
  ASSERT_EQ(outcome_.notices.size(), 1U);
  EXPECT_TRUE(has(outcome_.notices[0], "No space left")) << outcome_.notices[0];
}

TEST_F(BuildTest, PlaceThatOthersMayWriteToIsNotTrusted) {
  const fs::path cache = root_.path() / "cache";
  fs::create_directories(cache / "attention-grader");
  setenv("XDG_CACHE_HOME", cache.c_str(), 1);
  EXPECT_EQ(cache_directory(), cache / "attention-grader");
  fs::permissions(cache / "attention-grader", fs::perms::all);
  EXPECT_EQ(cache_directory(), fs::path());
}

TEST_F(BuildTest, BrokenDispatchIsTheAssignmentsFault) {
  write(assignment_.directory / "dispatch.cpp", "#error broken dispatch\n");
  assignment_.policy.system_includes.clear();
  write(assignment_.directory / "contract/lesson/lesson.hpp", "#pragma once\n");
  EXPECT_THROW(built_outcome(), UsageFault);
}

TEST_F(BuildTest, MissingCompilerIsTheMachinesFault) {
  try {
    find_toolchain(assignment_, {root_.path().string()});
    FAIL() << "found a compiler";
  } catch (const EnvironmentFault& fault) {
    EXPECT_TRUE(has(fault.hint(), "apt-get install g++")) << fault.hint();
  }
}

TEST_F(BuildTest, MissingReturnIsANotice) {
  submit("work.cpp",
         "#include \"lesson.hpp\"\nnamespace lesson {\n"
         "Matrix product(const Matrix& left, const Matrix&) { return left; }\n"
         "double first(const Matrix&) { }\n}\n");
  expect_built();
  ASSERT_EQ(outcome_.notices.size(), 1U);
  EXPECT_TRUE(has(outcome_.notices[0], "without a return")) << outcome_.notices[0];
}

TEST_F(BuildTest, MissingLibraryIsTheMachinesFault) {
  assignment_.policy.system_includes = {"/usr/include/no_such_library"};
  EXPECT_THROW(built_outcome(), EnvironmentFault);
}

}  // namespace
}  // namespace grader
