#include "grader/lti/access_tokens.hpp"

#include <nlohmann/json.hpp>

#include "grader/lti/client_assertion.hpp"
#include "grader/lti/lti_fixture.hpp"
#include "grader/lti/url.hpp"

namespace grader {
namespace {

class AccessTokensTest : public LtiTest {
 protected:
  std::string refusal(const Platform& platform) {
    LtiClient client(platform, clock_, {kScoreScope});
    return sentence_of<UsageFault>([&] { client.tokens.token(); });
  }
  void answer_with(const std::string& body) {
    simulator_.rules.trouble = [body](const ServedRequest& /*request*/) {
      return PlatformSimulator::Trouble{false, {200, {}, body}};
    };
  }
};

TEST_F(AccessTokensTest, ATokenIsKeptUntilShortlyBeforeItExpires) {
  const Platform platform = this->platform();
  LtiClient client(platform, clock_, {kScoreScope});
  const std::string first = client.tokens.token();
  EXPECT_FALSE(first.empty());
  clock_.advance_ms(3'500'000);
  EXPECT_EQ(client.tokens.token(), first);
  clock_.advance_ms(60'000);
  EXPECT_NE(client.tokens.token(), first);
  EXPECT_EQ(simulator_.requests("token"), 2);
}

TEST_F(AccessTokensTest, ATokenOfAFewSecondsIsUsedForAFewSeconds) {
  simulator_.rules.token_seconds = 10;
  const Platform platform = this->platform();
  LtiClient client(platform, clock_, {kScoreScope});
  const std::string first = client.tokens.token();
  EXPECT_EQ(client.tokens.token(), first);
  clock_.advance_ms(6'000);
  EXPECT_NE(client.tokens.token(), first);
}

TEST_F(AccessTokensTest, ThePlatformRefusesAnotherAudience) {
  simulator_.rules.audience = "https://elsewhere.example/token";
  const std::string sentence = refusal(platform());
  EXPECT_NE(sentence.find("no access token from"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("another audience"), std::string::npos) << sentence;
  Platform told = platform();
  told.audience = simulator_.rules.audience;
  LtiClient client(told, clock_, {kScoreScope});
  EXPECT_FALSE(client.tokens.token().empty());
}

TEST_F(AccessTokensTest, ThePlatformRefusesAWrongKeyAndAnUnknownClient) {
  Platform unknown = platform();
  unknown.client_id = "1";
  EXPECT_NE(refusal(unknown).find("issuer is not known"), std::string::npos);
  Platform other_id = platform();
  other_id.key_id = "key-2";
  EXPECT_NE(refusal(other_id).find("key is not known"), std::string::npos);
  simulator_.rules.public_key = key_pair(true).public_pem;
  EXPECT_NE(refusal(platform()).find("signature is wrong"), std::string::npos);
}

TEST_F(AccessTokensTest, ThePlatformRefusesAClockThatIsWrong) {
  const Platform platform = this->platform();
  FakeClock wrong;
  wrong.advance_ms(600'000);
  LtiClient client(platform, wrong, {kScoreScope});
  EXPECT_NE(sentence_of<UsageFault>([&] { client.tokens.token(); }).find("not issued now"),
            std::string::npos);
  FakeClock nearly_right;
  nearly_right.advance_ms(20'000);
  LtiClient other(platform, nearly_right, {kScoreScope});
  EXPECT_FALSE(other.tokens.token().empty());
}

TEST_F(AccessTokensTest, AScopeThatIsNotGrantedIsNamed) {
  simulator_.rules.granted_scopes = {kLineItemScope};
  const Platform platform = this->platform();
  LtiClient client(platform, clock_, {kScoreScope, kLineItemScope});
  const std::string sentence = sentence_of<UsageFault>([&] { client.tokens.token(); });
  EXPECT_NE(sentence.find(kScoreScope), std::string::npos) << sentence;
  EXPECT_NE(refusal(platform).find("invalid_scope"), std::string::npos);
}

TEST_F(AccessTokensTest, AnAssertionIsNeverSentTwice) {
  // The platform refuses an id that it knows; so every try must have its own.
  int tries = 0;
  simulator_.rules.trouble =
      [&](const ServedRequest& /*request*/) -> std::optional<PlatformSimulator::Trouble> {
    if (++tries > 3) return std::nullopt;
    return PlatformSimulator::Trouble{true, {503, {}, ""}};
  };
  const Platform platform = this->platform();
  LtiClient client(platform, clock_, {kScoreScope});
  EXPECT_FALSE(client.tokens.token().empty());
  EXPECT_EQ(simulator_.requests("token"), 4);
  EXPECT_EQ(simulator_.refusals(400), 0);
}

TEST_F(AccessTokensTest, TheSimulatorRefusesAReplay) {
  const Platform platform = this->platform();
  LtiClient client(platform, clock_, {kScoreScope});
  HttpRequest request;
  request.method = HttpRequest::Method::post;
  request.url = platform.token_url;
  request.headers = {"Content-Type: application/x-www-form-urlencoded"};
  request.body = "grant_type=client_credentials&client_assertion_type=" +
                 form_encoded("urn:ietf:params:oauth:client-assertion-type:jwt-bearer") +
                 "&client_assertion=" + client_assertion(platform, client.key, clock_.now_ms()) +
                 "&scope=" + form_encoded(kScoreScope);
  EXPECT_EQ(std::get<HttpAnswer>(client.curl.send(request)).status, 200);
  const HttpOutcome second = client.curl.send(request);
  EXPECT_EQ(std::get<HttpAnswer>(second).status, 400);
  EXPECT_NE(std::get<HttpAnswer>(second).body.find("used before"), std::string::npos);
}

TEST_F(AccessTokensTest, NonsenseIsNoToken) {
  const Platform platform = this->platform();
  for (const char* body :
       {"", "<html>", "[]", "{}", R"({"access_token": 5})", R"({"access_token": ""})",
        R"({"access_token": "a\r\nX-Injected: 1"})", R"({"access_token": "a b"})"}) {
    answer_with(body);
    LtiClient client(platform, clock_, {kScoreScope});
    const std::string sentence = sentence_of<EnvironmentFault>([&] { client.tokens.token(); });
    EXPECT_NE(sentence.find("without an access token"), std::string::npos) << body;
  }
  for (const char* body :
       {R"({"access_token": "a"})", R"({"access_token": "a", "expires_in": "soon"})",
        R"({"access_token": "a", "expires_in": -1})",
        R"({"access_token": "a", "expires_in": 1e300})"}) {
    answer_with(body);
    LtiClient client(platform, clock_, {kScoreScope});
    EXPECT_EQ(client.tokens.token(), "a") << body;
  }
}

TEST_F(AccessTokensTest, APlatformThatIsAwayIsTheMachinesFault) {
  simulator_.rules.trouble = [](const ServedRequest& /*request*/) { return answered(503); };
  const Platform platform = this->platform();
  LtiClient client(platform, clock_, {kScoreScope});
  EXPECT_NE(sentence_of<EnvironmentFault>([&] { client.tokens.token(); }).find("503"),
            std::string::npos);
  clock_.stop_after(0);
  EXPECT_THROW(client.tokens.token(), DeliveryInterrupted);
}

TEST(ClientAssertionTest, ItsAlphabetIsTheOneOfUrls) {
  EXPECT_EQ(base64url(""), "");
  EXPECT_EQ(base64url("f"), "Zg");
  EXPECT_EQ(base64url("fo"), "Zm8");
  EXPECT_EQ(base64url("foo"), "Zm9v");
  EXPECT_EQ(base64url("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64url("\xff\xef\xbe"), "_---");
}

}  // namespace
}  // namespace grader
