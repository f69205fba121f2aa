#include "grader/lti/curl_http.hpp"

#include <atomic>
#include <chrono>

#include "grader/lti/lti_fixture.hpp"

namespace grader {
namespace {

class CurlHttpTest : public testing::Test {
 protected:
  void serve(TlsServer::Handler handler) {
    server_ = std::make_unique<TlsServer>(certificate_, std::move(handler));
  }
  HttpOutcome get(CurlHttp& http, const std::string& path = "/x") const {
    HttpRequest request;
    request.url = server_->url() + path;
    return http.send(request);
  }
  static HttpFailure::Kind kind_of(const HttpOutcome& outcome) {
    return std::get<HttpFailure>(outcome).kind;
  }

  const TemporaryDirectory folder_;
  const std::filesystem::path certificate_ = folder_.path() / "server.pem";
  std::unique_ptr<TlsServer> server_;
};

TEST_F(CurlHttpTest, SendsARequestAndBringsItsAnswer) {
  ServedRequest seen;
  serve([&](const ServedRequest& request) {
    seen = request;
    return ServedAnswer{201, {{"X-Some-Name", "value"}, {"Link", "<a>; rel=\"next\""}}, "answer"};
  });
  CurlHttp http({.ca_file = certificate_});
  HttpRequest request;
  request.method = HttpRequest::Method::post;
  request.url = server_->url() + "/path?type_id=3";
  request.headers = {"Content-Type: application/vnd.ims.lis.v1.score+json", "X-Mine: 1"};
  request.body = std::string("{\0}", 3);
  const HttpOutcome outcome = http.send(request);
  const auto& answer = std::get<HttpAnswer>(outcome);
  EXPECT_EQ(answer.status, 201);
  EXPECT_TRUE(answer.is_success());
  EXPECT_EQ(answer.body, "answer");
  EXPECT_EQ(answer.header("x-some-name"), "value");
  EXPECT_EQ(answer.header("absent"), std::nullopt);
  EXPECT_EQ(seen.method, "POST");
  EXPECT_EQ(seen.path, "/path");
  EXPECT_EQ(seen.query, "type_id=3");
  EXPECT_EQ(seen.headers["content-type"], "application/vnd.ims.lis.v1.score+json");
  EXPECT_EQ(seen.headers["x-mine"], "1");
  EXPECT_EQ(seen.body, request.body);
}

TEST_F(CurlHttpTest, AServerWithoutATrustedCertificateIsToldNothing) {
  bool is_asked = false;
  serve([&](const ServedRequest& /*request*/) {
    is_asked = true;
    return ServedAnswer{};
  });
  CurlHttp stranger(CurlHttp::Options{});
  EXPECT_EQ(kind_of(get(stranger)), HttpFailure::Kind::impossible);
  // The right certificate, and another name.
  CurlHttp http({.ca_file = certificate_});
  HttpRequest request;
  request.url = server_->url();
  request.url.replace(request.url.find("localhost"), 9, "127.0.0.1");
  EXPECT_EQ(kind_of(http.send(request)), HttpFailure::Kind::impossible);
  request.url.replace(0, 5, "http");
  EXPECT_EQ(kind_of(http.send(request)), HttpFailure::Kind::impossible);
  EXPECT_FALSE(is_asked);
}

TEST_F(CurlHttpTest, ARedirectionIsNotFollowed) {
  int asked = 0;
  serve([&](const ServedRequest& /*request*/) {
    ++asked;
    return ServedAnswer{302, {{"Location", "https://localhost:1/elsewhere"}}, ""};
  });
  CurlHttp http({.ca_file = certificate_});
  EXPECT_EQ(std::get<HttpAnswer>(get(http)).status, 302);
  EXPECT_EQ(asked, 1);
}

TEST_F(CurlHttpTest, AnAnswerWithoutEndIsCut) {
  serve([&](const ServedRequest& request) {
    if (request.path == "/body") return ServedAnswer{200, {}, std::string(100'000, 'x')};
    return ServedAnswer{200, {{"X-Long", std::string(90'000, 'x')}}, ""};
  });
  CurlHttp http({.ca_file = certificate_, .most_bytes = 50'000});
  for (const char* path : {"/body", "/header"}) {
    const HttpOutcome outcome = get(http, path);
    EXPECT_EQ(kind_of(outcome), HttpFailure::Kind::unanswered) << path;
  }
  EXPECT_EQ(std::get<HttpFailure>(get(http, "/body")).reason, "its answer is too large");
}

TEST_F(CurlHttpTest, WhatIsLostOnTheWayIsUnanswered) {
  ServedAnswer::Fate fate = ServedAnswer::Fate::cut_off;
  serve([&](const ServedRequest& /*request*/) { return ServedAnswer{200, {}, "answer", fate}; });
  for (const auto next :
       {ServedAnswer::Fate::cut_off, ServedAnswer::Fate::lost, ServedAnswer::Fate::stalls}) {
    fate = next;
    CurlHttp http({.ca_file = certificate_, .timeout_ms = 300});
    EXPECT_EQ(kind_of(get(http)), HttpFailure::Kind::unanswered);
  }
}

TEST_F(CurlHttpTest, APostThatIsLostIsNotRepeatedInSecret) {
  int posts = 0;
  serve([&](const ServedRequest& request) {
    if (request.method == "GET") return ServedAnswer{};
    ++posts;
    return ServedAnswer{200, {}, "answer", ServedAnswer::Fate::lost};
  });
  CurlHttp http({.ca_file = certificate_});
  get(http);  // leaves a connection that could be used again
  HttpRequest request;
  request.method = HttpRequest::Method::post;
  request.url = server_->url();
  EXPECT_EQ(kind_of(http.send(request)), HttpFailure::Kind::unanswered);
  EXPECT_EQ(posts, 1);
}

TEST_F(CurlHttpTest, WhereNobodyListensNothingIsSent) {
  serve([](const ServedRequest& /*request*/) { return ServedAnswer{}; });
  CurlHttp http({.ca_file = certificate_, .timeout_ms = 2'000});
  HttpRequest request;
  request.url = server_->url();
  server_.reset();
  EXPECT_EQ(kind_of(http.send(request)), HttpFailure::Kind::unreachable);
  request.url = "https://no-such-host.invalid/";
  EXPECT_EQ(kind_of(http.send(request)), HttpFailure::Kind::unknown);
}

TEST_F(CurlHttpTest, WhoeverIsToStopDoesNotWaitForAnAnswer) {
  std::atomic<bool> is_sent = false;
  serve([&](const ServedRequest& /*request*/) {
    is_sent = true;
    return ServedAnswer{200, {}, "answer", ServedAnswer::Fate::stalls};
  });
  CurlHttp http(
      {.ca_file = certificate_, .is_stopped = [&] { return is_sent.load(); }, .grace_ms = 100});
  const auto begin = std::chrono::steady_clock::now();
  const HttpOutcome outcome = get(http);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_EQ(kind_of(outcome), HttpFailure::Kind::unanswered);
  EXPECT_EQ(std::get<HttpFailure>(outcome).reason, "it was not waited for");
}

TEST_F(CurlHttpTest, WhoeverIsToStopTakesAnAnswerThatComesSoon) {
  serve([](const ServedRequest& /*request*/) { return ServedAnswer{200, {}, "answer"}; });
  CurlHttp http({.ca_file = certificate_, .is_stopped = [] { return true; }, .grace_ms = 20'000});
  EXPECT_EQ(std::get<HttpAnswer>(get(http)).body, "answer");
}

TEST_F(CurlHttpTest, AConnectionIsUsedAgain) {
  serve([](const ServedRequest& request) { return ServedAnswer{200, {}, request.path}; });
  CurlHttp http({.ca_file = certificate_});
  for (int number = 0; number < 20; ++number) {
    const std::string path = "/" + std::to_string(number);
    EXPECT_EQ(std::get<HttpAnswer>(get(http, path)).body, path);
  }
}

}  // namespace
}  // namespace grader
