#include "grader/lti/concealment.hpp"

#include "grader/lti/lti_fixture.hpp"

namespace grader {
namespace {

const std::vector<std::string> kSecrets = {"kHx83/Qz+77abcDEF==",
                                           "eyJhbGciOiJSUzI1NiJ9.claims.sig"};

TEST(ConcealmentTest, TakesOutEveryPartOfASecret) {
  EXPECT_EQ(concealed("401 no kHx83/Qz+77abcDEF==, sorry", kSecrets), "401 no [secret], sorry");
  // Cut off, escaped as JSON does it, and both secrets beside each other.
  EXPECT_EQ(concealed("no eyJhbGciOiJSUzI1Ni…", kSecrets), "no [secret]…");
  EXPECT_EQ(concealed(R"("kHx83\/Qz+77abcDEF==")", kSecrets), R"("kHx83\[secret]")");
  EXPECT_EQ(concealed("kHx83/Qz+77abcDEF==eyJhbGciOiJSUzI1NiJ9.claims.sig", kSecrets), "[secret]");
}

TEST(ConcealmentTest, LeavesEverythingElse) {
  for (const std::string text : {"", "it answers 422: Nutzer 17 fehlt", "kHx83", "a\0b"}) {
    EXPECT_EQ(concealed(text, kSecrets), text);
    EXPECT_EQ(concealed(text, {""}), text);
  }
  EXPECT_EQ(concealed("a short one: ab12", {"ab12"}), "a short one: [secret]");
  EXPECT_EQ(concealed("a short one: ab1", {"ab12"}), "a short one: ab1");
}

TEST(ConcealmentTest, AnAnswerThatMayHoldANewSecretStaysAsItIs) {
  HttpOutcome success(HttpAnswer{200, {}, R"({"access_token": "eyJhbGciOiJSUzI1NiJ9.x.y"})"});
  conceal(kSecrets, success);
  EXPECT_NE(std::get<HttpAnswer>(success).body.find("eyJhbGci"), std::string::npos);
  HttpOutcome failure(HttpFailure{HttpFailure::Kind::unanswered, "sent kHx83/Qz+77abcDEF=="});
  conceal(kSecrets, failure);
  EXPECT_EQ(std::get<HttpFailure>(failure).reason, "sent [secret]");
}

class QuotingPlatformTest : public LtiTest {};

TEST_F(QuotingPlatformTest, WhatItQuotesOfATokenOrAnAssertionIsNotShown) {
  simulator_.rules.trouble = [](const ServedRequest& request) {
    std::string quoted = request.body;
    for (const auto& [name, value] : request.headers) quoted += " " + name + ": " + value;
    return PlatformSimulator::Trouble{false, {422, {}, "refused: " + quoted}};
  };
  const Platform described = platform();
  LtiClient client(described, clock_, {kScoreScope});
  const std::string refusal = sentence_of<UsageFault>([&] { client.tokens.token(); });
  EXPECT_NE(refusal.find("client_assertion=[secret]&scope"), std::string::npos) << refusal;
  simulator_.rules.trouble = nullptr;
  simulator_.rules.trouble =
      [](const ServedRequest& request) -> std::optional<PlatformSimulator::Trouble> {
    if (request.path.ends_with("/token")) return std::nullopt;
    return PlatformSimulator::Trouble{false,
                                      {401, {}, "no " + request.headers.at("authorization")}};
  };
  HttpRequest request;
  request.url = simulator_.line_item_url();
  EXPECT_EQ(words_for(client.authorized.send(request).last), "it answers 401: no Bearer [secret]");
}

}  // namespace
}  // namespace grader
