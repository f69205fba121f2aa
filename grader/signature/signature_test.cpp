#include "grader/signature/signature.hpp"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "grader/base/fault.hpp"
#include "grader/base/files.hpp"
#include "grader/scorecard/example_scorecards.hpp"
#include "grader/scorecard/json.hpp"
#include "grader/signature/keys.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLimit = std::size_t{1} << 26U;

class SignatureTest : public testing::Test {
 protected:
  // Many a test writes what it names itself. NOLINTNEXTLINE(modernize-use-nodiscard)
  fs::path write(const std::string& name, const std::string& content) const {
    fs::path file = folder_.path() / name;
    fs::create_directories(file.parent_path());
    write_atomically(file, content);
    return file;
  }

  /// The sentence that reading a key ends with.
  template <class Read>
  static std::string fault_of(const Read& read) {
    try {
      read();
    } catch (const UsageFault& fault) {
      return std::string(fault.what()) + " " + fault.hint();
    }
    return "";
  }

  [[nodiscard]] SignatureState state_of(const std::string& document) const {
    return verdict_on(document, signature_, *public_key_).state;
  }

  const TemporaryDirectory folder_;
  const KeyFiles keys_ = make_keys(folder_.path() / "keys");
  const KeyHandle signing_key_ = read_signing_key(keys_.signing);
  const KeyHandle public_key_ = read_public_key(keys_.open);
  const std::string document_ = scorecard_to_json(examples::masked_too_late());
  const std::string signature_ = signature_of(document_, "scorecard.json", *signing_key_);
};

TEST_F(SignatureTest, HoldsForEveryKindOfScorecard) {
  for (const Scorecard& scorecard :
       {examples::all_right(), examples::masked_too_late(), examples::faulty(),
        examples::not_built(), examples::refused(), examples::environment_error(),
        examples::hostile(), examples::with_figures()}) {
    const std::string document = scorecard_to_json(scorecard);
    const std::string signature = signature_of(document, "scorecard.json", *signing_key_);
    EXPECT_EQ(verdict_on(document, signature, *public_key_).state, SignatureState::holds);
  }
}

TEST_F(SignatureTest, ReformattedScorecardStillHolds) {
  const auto json = nlohmann::json::parse(document_);  // its members come sorted
  EXPECT_NE(json.dump(), document_);
  EXPECT_EQ(state_of(json.dump()), SignatureState::holds);
  EXPECT_EQ(state_of(json.dump(3, '\t', true)), SignatureState::holds);
}

TEST_F(SignatureTest, AnyEditedValueIsSeen) {
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"\"points\": 0", "\"points\": 5"},
                                                        {"\"failed\"", "\"passed\""},
                                                        {"\"-Infinity\"", "\"Infinity\""},
                                                        {"\"notices\": []", "\"notices\": [\"\"]"},
                                                        {"\"timing\"", "\"timing2\""}}) {
    std::string edited = document_;
    const std::size_t place = edited.find(from);
    ASSERT_NE(place, std::string::npos) << from;
    edited.replace(place, from.size(), to);
    const SignatureVerdict verdict = verdict_on(edited, signature_, *public_key_);
    EXPECT_EQ(verdict.state, SignatureState::edited) << from;
    EXPECT_EQ(verdict.reason, "It was edited after it was signed.");
  }
}

TEST_F(SignatureTest, SecondScoreInOneObjectIsNoWayAround) {
  std::string edited = document_;
  edited.insert(edited.find('{') + 1, "\"score\": 100,");
  EXPECT_EQ(state_of(edited), SignatureState::unreadable);
}

TEST_F(SignatureTest, TruncatedScorecardIsUnreadable) {
  for (const std::size_t size : {std::size_t{0}, document_.size() / 2, document_.size() - 2}) {
    EXPECT_EQ(state_of(document_.substr(0, size)), SignatureState::unreadable) << size;
  }
}

TEST_F(SignatureTest, OtherKeyIsToldFromAnEdit) {
  const KeyFiles others = make_keys(folder_.path() / "others");
  const std::string foreign =
      signature_of(document_, "scorecard.json", *read_signing_key(others.signing));
  EXPECT_EQ(verdict_on(document_, foreign, *public_key_).state, SignatureState::other_key);
  // Whoever writes our key's id over his own proves nothing with it.
  auto forged = nlohmann::json::parse(foreign);
  forged["key"] = key_id(*public_key_);
  EXPECT_EQ(verdict_on(document_, forged.dump(), *public_key_).state, SignatureState::edited);
}

TEST_F(SignatureTest, DamagedSignatureNeverHolds) {
  for (const char* member : {"schema_version", "algorithm", "key", "signature"}) {
    for (const nlohmann::json& value :
         {nlohmann::json(), nlohmann::json(2), nlohmann::json("x"), nlohmann::json::array({1})}) {
      auto damaged = nlohmann::json::parse(signature_);
      damaged[member] = value;
      const SignatureState state = verdict_on(document_, damaged.dump(), *public_key_).state;
      // What the key's id says is of no weight.
      const bool is_id = std::string(member) == "key" && value.is_string();
      EXPECT_EQ(state, is_id ? SignatureState::holds : SignatureState::damaged) << damaged;
    }
  }
  for (const std::string& text : {std::string(), std::string("[]"), signature_.substr(0, 100)}) {
    EXPECT_EQ(verdict_on(document_, text, *public_key_).state, SignatureState::damaged);
  }
  auto cut = nlohmann::json::parse(signature_);
  cut["signature"] = cut["signature"].get<std::string>().substr(2);
  EXPECT_EQ(verdict_on(document_, cut.dump(), *public_key_).state, SignatureState::damaged);
}

TEST_F(SignatureTest, LaterSchemaIsVerifiedAndNotSigned) {
  std::string later = document_;
  const std::string version = "\"schema_version\": 1";
  later.replace(later.find(version), version.size(), "\"schema_version\": 7");
  // A later grader signed it; what it says is not this version's business.
  const std::string signature = signature_of(later, "scorecard.json", *signing_key_);
  EXPECT_EQ(verdict_on(later, signature, *public_key_).state, SignatureState::holds);
  const fs::path file = write("later/scorecard.json", later);
  EXPECT_NE(fault_of([&] { sign_file(file, *signing_key_); }).find("schema version 7"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(signature_file(file)));
}

TEST_F(SignatureTest, SigningLeavesTheScorecardAlone) {
  const fs::path file = write("graded/scorecard.json", document_);
  EXPECT_EQ(verdict_on(file, *public_key_).state, SignatureState::is_unsigned);
  sign_file(file, *signing_key_);
  EXPECT_EQ(read_file(file, kLimit), document_);
  EXPECT_EQ(read_file(signature_file(file), kLimit), signature_);  // Ed25519 draws nothing
  EXPECT_EQ(verdict_on(file, *public_key_).state, SignatureState::holds);
  fs::remove(file);
  EXPECT_EQ(verdict_on(file, *public_key_).state, SignatureState::scorecard_is_gone);
}

TEST_F(SignatureTest, FindsScorecardsButNotWhatStudentsHandedIn) {
  const fs::path one = write("batch/students/ada/attempt-1/run-1/scorecard.json", document_);
  write("batch/students/ada/attempt-1/run-1/submission/scorecard.json", "{}");
  write("batch/.work/1/scorecard.json", document_);
  const fs::path gone = write("batch/students/bo/attempt-1/run-1/scorecard.json.sig", signature_);
  fs::create_directory_symlink(folder_.path(), folder_.path() / "batch/students/everything");
  EXPECT_EQ(scorecards_of(folder_.path() / "batch"),
            (std::vector{one, gone.parent_path() / "scorecard.json"}));
  EXPECT_EQ(scorecards_of(one), std::vector{one});
  fs::create_directory(folder_.path() / "empty");
  EXPECT_NE(fault_of([&] { scorecards_of(folder_.path() / "empty"); }), "");
  EXPECT_NE(fault_of([&] { scorecards_of(folder_.path() / "nowhere"); }), "");
}

TEST_F(SignatureTest, SecretKeyIsReadableToItsOwnerAlone) {
  struct stat status {};
  ASSERT_EQ(stat(keys_.signing.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
  fs::permissions(keys_.signing, fs::perms::group_read, fs::perm_options::add);
  EXPECT_NE(fault_of([&] { read_signing_key(keys_.signing); }).find("chmod 600"),
            std::string::npos);
}

TEST_F(SignatureTest, KeysAreNeverOverwritten) {
  const std::string before = read_file(keys_.signing, kLimit);
  EXPECT_NE(fault_of([&] { make_keys(folder_.path() / "keys"); }).find("exists already"),
            std::string::npos);
  const auto fault = [&] { return fault_of([&] { make_keys(folder_.path() / "keys"); }); };
  fs::remove(keys_.signing);
  EXPECT_NE(fault().find("public-key.pem is there without"), std::string::npos) << fault();
  EXPECT_FALSE(fs::exists(keys_.signing));
  write_new_secret(keys_.signing, before, "");
  fs::remove(keys_.open);
  EXPECT_NE(fault().find("signing-key.pem is there without"), std::string::npos) << fault();
  EXPECT_NE(fault().find("`openssl pkey -in "), std::string::npos) << fault();
  EXPECT_EQ(read_file(keys_.signing, kLimit), before);
}

TEST_F(SignatureTest, OnAFullDiskNeitherKeyIsLeft) {
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const fs::path folder = folder_.path() / "full";
  for (const rlim_t room : {0U, 50U}) {
    const rlimit little{room, limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &little);
    EXPECT_THROW(make_keys(folder), EnvironmentFault);
    setrlimit(RLIMIT_FSIZE, &limit);
    EXPECT_TRUE(fs::is_empty(folder)) << room;
  }
  std::signal(SIGXFSZ, handler);
  EXPECT_NO_THROW(make_keys(folder));
}

TEST_F(SignatureTest, WhatIsNoKeyIsRefusedWithAHint) {
  const auto read_signing = [&](const fs::path& file) {
    fs::permissions(file, fs::perms(0600));
    return fault_of([&] { read_signing_key(file); });
  };
  const auto read_public = [&](const fs::path& file) {
    return fault_of([&] { read_public_key(file); });
  };
  EXPECT_NE(read_signing(keys_.open).find("It is the public one"), std::string::npos);
  EXPECT_NE(read_public(keys_.signing).find("It is the secret one"), std::string::npos);
  const fs::path nonsense = write("nonsense.pem", "not a key\n");
  EXPECT_NE(read_signing(nonsense), "");
  EXPECT_NE(read_public(nonsense), "");
  EXPECT_NE(read_public(folder_.path() / "nowhere.pem"), "");

  const KeyHandle curve(EVP_PKEY_Q_keygen(nullptr, nullptr, "X25519"), EVP_PKEY_free);
  const fs::path other = folder_.path() / "x25519.pem";
  FILE* const stream = std::fopen(other.c_str(), "w");
  ASSERT_NE(stream, nullptr);
  EXPECT_EQ(PEM_write_PUBKEY(stream, curve.get()), 1);
  std::fclose(stream);
  EXPECT_NE(read_public(other).find("not an Ed25519 public key"), std::string::npos);

  const std::string encrypted = (folder_.path() / "encrypted.pem").string();
  ASSERT_EQ(std::system(("openssl pkey -aes256 -passout pass:secret -in " + keys_.signing.string() +
                         " -out " + encrypted)
                            .c_str()),
            0);
  EXPECT_NE(read_signing(encrypted).find("passphrase"), std::string::npos);
}

TEST_F(SignatureTest, KeyIdIsWhatOpensslSays) {
  const fs::path printed = folder_.path() / "id";
  ASSERT_EQ(std::system(("openssl pkey -pubin -in " + keys_.open.string() +
                         " -outform DER | sha256sum > " + printed.string())
                            .c_str()),
            0);
  EXPECT_TRUE(read_file(printed, kLimit).starts_with(key_id(*public_key_)));
  EXPECT_EQ(key_id(*public_key_), key_id(*signing_key_));
}

}  // namespace
}  // namespace grader
