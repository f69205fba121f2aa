// Keys, signatures and their verification as one uses them, and the script of docs/integration.md
// that verifies without this program.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "grader/base/files.hpp"
#include "grader/cli/cli_fixture.hpp"

namespace grader {
namespace {

class SignedTest : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    ASSERT_EQ(run({"keygen", "keys"}).exit_code, 0);
    ASSERT_EQ(grade({wrong_, "--out", "graded"}).exit_code, 0);
    graded_ = read_file(folder_.path() / "graded/scorecard.json", kFileLimit);
  }

  [[nodiscard]] Ending sign(const std::string& what) const {
    return run({"sign", what, "--key", "keys/signing-key.pem"});
  }
  [[nodiscard]] Ending verify(const std::string& what) const {
    return run({"verify", what, "--key", "keys/public-key.pem"});
  }

  /// Edits the score by hand.
  void improve(const std::string& file) const {
    std::string text = read_file(folder_.path() / file, kFileLimit);
    const std::string from = "\"score\": 0";
    const std::size_t place = text.find(from);
    ASSERT_NE(place, std::string::npos);
    write(file, text.replace(place, from.size(), "\"score\": 10"));
  }

  std::string graded_;
};

TEST_F(SignedTest, SignedScorecardVerifiesAndAnEditedOneDoesNot) {
  const std::string file = "graded/scorecard.json";
  EXPECT_EQ(verify(file).exit_code, 4);
  EXPECT_EQ(verify(file).out, file + ": It is not signed.\n1 of 1 scorecard not as signed.\n");
  const Ending signed_now = sign(file);
  EXPECT_EQ(signed_now.exit_code, 0) << signed_now.err;
  EXPECT_EQ(signed_now.out, "1 scorecard signed.\n");
  EXPECT_EQ(verify(file).exit_code, 0);
  EXPECT_EQ(verify(file).out, "1 scorecard, as signed.\n");
  EXPECT_EQ(sign(file).out, "0 scorecards signed, 1 signed before.\n");
  EXPECT_EQ(read_file(folder_.path() / file, kFileLimit), graded_);

  improve(file);
  const Ending edited = verify(file);
  EXPECT_EQ(edited.exit_code, 4);
  EXPECT_NE(edited.out.find("edited after it was signed"), std::string::npos) << edited.out;
  // Signing again would hide the edit.
  const Ending refused = sign(file);
  EXPECT_EQ(refused.exit_code, 6);
  EXPECT_NE(refused.err.find("edited after it was signed"), std::string::npos) << refused.err;
  EXPECT_EQ(verify(file).exit_code, 4);
  const Words again = {"sign", file, "--key", "keys/signing-key.pem", "--again"};
  EXPECT_NE(run(again).exit_code, 0) << "no grading adds up to that score";
  auto told = nlohmann::ordered_json::parse(graded_);
  told["notices"].push_back("Looked at by hand.");
  write(file, told.dump());
  EXPECT_EQ(verify(file).exit_code, 4);
  EXPECT_EQ(run(again).exit_code, 0);
  EXPECT_EQ(verify(file).exit_code, 0);
}

TEST_F(SignedTest, GradingAgainTakesTheOldSignatureAway) {
  ASSERT_EQ(sign("graded").exit_code, 0);
  ASSERT_EQ(grade({right_, "--out", "graded"}).exit_code, 0);
  const Ending verified = verify("graded");
  EXPECT_EQ(verified.exit_code, 4);
  EXPECT_NE(verified.out.find("not signed"), std::string::npos) << verified.out;
}

TEST_F(SignedTest, ClassOfThousandsSaysWhichAndWhy) {
  constexpr int kStudents = 2'000;
  const auto file = [](int student) {
    return "results/students/student" + std::to_string(student) + "/attempt-1/run-1/scorecard.json";
  };
  ASSERT_EQ(sign("graded").exit_code, 0);
  const std::string signature = read_file(folder_.path() / "graded/scorecard.json.sig", kFileLimit);
  constexpr int kSignedNow = 20;
  for (int student = 0; student < kStudents; ++student) {
    write(file(student), graded_);
    if (student >= kSignedNow) write(file(student) + ".sig", signature);
  }
  const Ending all = sign("results");
  ASSERT_EQ(all.exit_code, 0) << all.err;
  EXPECT_EQ(all.out, "20 scorecards signed, 1980 signed before.\n");
  EXPECT_EQ(verify("results").exit_code, 0);

  improve(file(7));
  write(file(8), graded_.substr(0, graded_.size() / 2));
  fs::remove(folder_.path() / (file(9) + ".sig"));
  fs::remove(folder_.path() / file(10));
  ASSERT_EQ(run({"keygen", "others"}).exit_code, 0);
  ASSERT_EQ(run({"sign", file(9), "--key", "others/signing-key.pem"}).exit_code, 0);
  const Ending some = verify("results");
  EXPECT_EQ(some.exit_code, 4);
  EXPECT_EQ(std::ranges::count(some.out, '\n'), 5) << some.out;
  for (const std::string& line :
       {file(7) + ": It was edited after it was signed.\n", file(8) + ": The scorecard is not JSON",
        file(9) + ": It was signed with another key.\n",
        file(10) + ": Its signature is there, and it is gone.\n",
        std::string("4 of 2000 scorecards not as signed.\n")}) {
    EXPECT_NE(some.out.find(line), std::string::npos) << line << some.out;
  }
}

TEST_F(SignedTest, BadQuestionsAreUsageErrors) {
  expect_sentence(verify("nowhere"), 1, "nowhere");
  expect_sentence(verify("keys"), 1, "no scorecard.json");
  expect_sentence(run({"keygen", "keys"}), 1, "exists already");
  expect_sentence(run({"sign", "graded", "--key", "keys/public-key.pem"}), 1, "");
  expect_sentence(run({"verify", "graded", "--key", "keys/signing-key.pem"}), 1, "secret");
  expect_sentence(run({"verify", "graded"}), 1, "--key");
}

/// The script that docs/integration.md shows, written to a file.
class ShownScriptTest : public SignedTest {
 protected:
  void SetUp() override {
    SignedTest::SetUp();
    const std::string guide = read_file(INTEGRATION_GUIDE, kFileLimit);
    const std::string fence = "```python\n";
    const std::size_t section = guide.find("## Signed scorecards");
    const std::size_t begin = guide.find(fence, section);
    ASSERT_TRUE(section != std::string::npos && begin != std::string::npos);
    const std::size_t end = guide.find("```\n", begin + fence.size());
    write("verify.py", guide.substr(begin + fence.size(), end - begin - fence.size()));
  }

  [[nodiscard]] Ending verify_with_script(const std::string& file) const {
    return run({"verify.py", "keys/public-key.pem", file}, {}, "/usr/bin/python3");
  }
};

TEST_F(ShownScriptTest, AgreesWithTheProgram) {
  const std::string file = "graded/scorecard.json";
  EXPECT_EQ(verify_with_script(file).exit_code, 4);
  ASSERT_EQ(sign(file).exit_code, 0);
  const Ending held = verify_with_script(file);
  EXPECT_EQ(held.exit_code, 0) << held.err << held.out;
  // The same document written by another program.
  write(file, nlohmann::json::parse(graded_).dump(1));
  EXPECT_EQ(verify_with_script(file).exit_code, 0);
  EXPECT_EQ(verify(file).exit_code, 0);
  improve(file);
  EXPECT_EQ(verify_with_script(file).exit_code, 4);
  write(file, graded_.substr(0, graded_.size() / 2));
  EXPECT_EQ(verify_with_script(file).exit_code, 4);
  std::string doubled = graded_;
  write(file, doubled.insert(1, "\"score\": 10,"));
  EXPECT_EQ(verify_with_script(file).exit_code, 4);
  EXPECT_EQ(verify(file).exit_code, 4);
}

TEST_F(ShownScriptTest, WritesNumbersAndNamesAsTheProgramDoes) {
  // Everything that canonical texts can differ in, in places where a scorecard has numbers and
  // names.
  auto json = nlohmann::ordered_json::parse(graded_);
  json["timing"] = nlohmann::ordered_json::parse(
      R"({"\ufb33": 1e21, "\ud83d\ude00": 123456789012345680000.0, "z": -0.0, "a": 1e-7,
          "b": 0.000001, "c": 5e-324, "d": 1.7976931348623157e308, "e": 333333333.33333329,
          "f": 100, "g": 100.0, "h": 0.1, "\u0001\"\\\u007f": -2.5e-5, "i": 9007199254740993})");
  json["grader"]["seed"] = 18446744073709551615U;
  write("graded/scorecard.json", json.dump());
  const Ending now = sign("graded");
  ASSERT_EQ(now.exit_code, 0) << now.err;
  const Ending held = verify_with_script("graded/scorecard.json");
  EXPECT_EQ(held.exit_code, 0) << held.err << held.out;
}

}  // namespace
}  // namespace grader
