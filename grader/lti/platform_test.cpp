#include "grader/lti/platform.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "grader/batch/roster.hpp"
#include "grader/lti/lti_fixture.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class PlatformTest : public testing::Test {
 protected:
  static json right() {
    return {{"platform", "canvas"},
            {"token_url", "https://canvas.example.edu/login/oauth2/token"},
            {"client_id", "10000000000042"},
            {"key_id", "2026"},
            {"private_key_file", "lti.key"},
            {"line_items", "https://canvas.example.edu/api/lti/courses/7/line_items"},
            {"label", "Causal attention"}};
  }
  [[nodiscard]] Platform read(const json& document) const {
    const fs::path file = folder_.path() / "platform.json";
    std::ofstream(file) << document.dump();
    return read_platform(file);
  }
  [[nodiscard]] std::string refusal(const json& document) const {
    return sentence_of<UsageFault>([&] { static_cast<void>(read(document)); });
  }
  [[nodiscard]] fs::path write_key(const std::string& text, mode_t mode) const {
    fs::path file = folder_.path() / "lti.key";
    std::ofstream(file) << text;
    EXPECT_EQ(chmod(file.c_str(), mode), 0);
    return file;
  }
  static std::string pem_of(EVP_PKEY* key, const EVP_CIPHER* cipher, const char* password) {
    BIO* bio = BIO_new(BIO_s_mem());
    PEM_write_bio_PrivateKey(bio, key, cipher, nullptr, 0, nullptr, const_cast<char*>(password));
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(bio, &bytes);
    std::string text(bytes, static_cast<std::size_t>(size));
    BIO_free(bio);
    EVP_PKEY_free(key);
    return text;
  }

  const TemporaryDirectory folder_;
};

TEST_F(PlatformTest, ReadsWhatIsThereAndFillsInWhatIsUsual) {
  const Platform platform = read(right());
  EXPECT_EQ(platform.kind, Platform::Kind::canvas);
  EXPECT_EQ(platform.audience, platform.token_url);
  EXPECT_EQ(platform.private_key_file, folder_.path() / "lti.key");
  EXPECT_EQ(platform.line_item.label, "Causal attention");
  EXPECT_EQ(platform.user_ids, (std::vector<std::string>{"lti_user", "canvas_user"}));
  EXPECT_TRUE(platform.has_comments);
  json other = right();
  other["platform"] = "other";
  other["audience"] = "https://api.example.com/auth/token";
  other["user_id"] = "moodle_idnumber";
  other["comments"] = false;
  EXPECT_EQ(read(other).audience, "https://api.example.com/auth/token");
  EXPECT_EQ(read(other).user_ids, (std::vector<std::string>{"moodle_idnumber"}));
  EXPECT_FALSE(read(other).has_comments);
}

TEST_F(PlatformTest, SaysWhatIsWrongWithTheFile) {
  const auto refusal_with = [&](const std::string& name, const json& value) {
    json document = right();
    document[name] = value;
    return refusal(document);
  };
  EXPECT_NE(refusal_with("platform", "canwas").find("is \"canwas\""), std::string::npos);
  EXPECT_NE(refusal_with("token_url", "http://canvas.example.edu/").find("is no https URL"),
            std::string::npos);
  EXPECT_NE(refusal_with("client_id", 42).find("is not a string"), std::string::npos);
  EXPECT_NE(refusal_with("client_id", "").find("is empty"), std::string::npos);
  EXPECT_NE(refusal_with("key_id", "a\nb").find("no plain text"), std::string::npos);
  EXPECT_NE(refusal_with("labell", "x").find("is unknown"), std::string::npos);
  EXPECT_NE(refusal_with("ca_file", "absent.pem").find("does not exist"), std::string::npos);
  EXPECT_NE(refusal_with("line_item", "https://canvas.example.edu/line_items/17")
                .find("\"line_items\" has no place beside \"line_item\""),
            std::string::npos);
  EXPECT_NE(refusal_with("user_id", "shoe_size").find("\"user_id\" is \"shoe_size\""),
            std::string::npos);
  EXPECT_NE(refusal_with("comments", "no").find("neither true nor false"), std::string::npos);
  json incomplete = right();
  incomplete.erase("label");
  EXPECT_NE(refusal(incomplete).find("does not say which"), std::string::npos);
  incomplete.erase("line_items");
  EXPECT_NE(refusal(incomplete).find("line_item"), std::string::npos);
}

TEST_F(PlatformTest, EveryIdOfARosterMayBeTheUsersName) {
  const Roster roster = roster_from_csv(
      "id,lti_user,canvas_user,canvas_anonymous,canvas_sis_user,canvas_login,moodle_participant,"
      "moodle_idnumber,moodle_username,gradescope_sid,user_name,github_user\n"
      "ada,1,2,3,4,5,6,7,8,9,10,11\n",
      "roster.csv");
  ASSERT_EQ(roster.students.size(), 1U);
  EXPECT_EQ(roster.students[0].lms_ids.size(), 11);
  for (const auto& [kind, id] : roster.students[0].lms_ids) {
    json document = right();
    document["user_id"] = kind;
    EXPECT_EQ(read(document).user_ids, std::vector<std::string>{kind});
  }
}

TEST_F(PlatformTest, ASecretInTheFileIsRefusedAndNotRepeated) {
  for (const char* name : {"private_key", "client_secret", "access_token"}) {
    json document = right();
    document[name] = "hunter2";
    const std::string sentence = refusal(document);
    EXPECT_NE(sentence.find("is a secret"), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find("hunter2"), std::string::npos) << sentence;
  }
}

TEST_F(PlatformTest, AKeyThatOthersMayReadIsRefused) {
  for (const mode_t mode : {0644U, 0640U, 0604U, 0620U, 0601U}) {
    const fs::path file = write_key(key_pair().private_pem, mode);
    const std::string sentence = sentence_of<UsageFault>([&] { read_private_key(file); });
    EXPECT_NE(sentence.find("by other users"), std::string::npos) << sentence;
  }
  for (const mode_t mode : {0600U, 0400U}) {
    EXPECT_FALSE(read_private_key(write_key(key_pair().private_pem, mode)).sign("x").empty());
  }
}

TEST_F(PlatformTest, AKeyThatIsNoneIsRefusedWithoutQuotingIt) {
  const auto refused = [&](const std::string& text) {
    const fs::path file = write_key(text, 0600);
    std::string sentence = sentence_of<UsageFault>([&] { read_private_key(file); });
    EXPECT_EQ(sentence.find("hunter2"), std::string::npos) << sentence;
    return sentence;
  };
  EXPECT_NE(refused("").find("no private key"), std::string::npos);
  EXPECT_NE(refused("-----BEGIN PRIVATE KEY-----\nhunter2\n").find("no private key"),
            std::string::npos);
  EXPECT_NE(refused(key_pair().public_pem).find("no private key"), std::string::npos);
  EXPECT_NE(refused(std::string(100'000, 'x')).find("too large"), std::string::npos);
  EXPECT_NE(refused(pem_of(EVP_RSA_gen(1024), nullptr, nullptr)).find("2048"), std::string::npos);
  EXPECT_NE(refused(pem_of(EVP_EC_gen("P-256"), nullptr, nullptr)).find("no RSA key"),
            std::string::npos);
  EXPECT_NE(refused(pem_of(EVP_RSA_gen(2048), EVP_aes_256_cbc(), "hunter2")).find("is encrypted"),
            std::string::npos);
  EXPECT_NE(sentence_of<UsageFault>([&] {
              read_private_key(folder_.path() / "absent");
            }).find("cannot be read"),
            std::string::npos);
  EXPECT_NE(
      sentence_of<UsageFault>([&] { read_private_key("/dev/null"); }).find("is no regular file"),
      std::string::npos);
}

TEST_F(PlatformTest, TheKeyMayBeInTheEnvironment) {
  json document = right();
  document.erase("private_key_file");
  const Platform platform = read(document);
  unsetenv(kPrivateKeyVariable);
  EXPECT_NE(sentence_of<UsageFault>([&] { private_key_of(platform); }).find("no private key"),
            std::string::npos);
  setenv(kPrivateKeyVariable, key_pair().private_pem.c_str(), 1);
  EXPECT_FALSE(private_key_of(platform).sign("x").empty());
  unsetenv(kPrivateKeyVariable);
}

}  // namespace
}  // namespace grader
