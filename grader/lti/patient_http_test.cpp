#include "grader/lti/patient_http.hpp"

#include <algorithm>
#include <deque>

#include "grader/lti/lti_fixture.hpp"

namespace grader {
namespace {

HttpAnswer answer(int status, std::map<std::string, std::string> headers = {}) {
  return {status, std::move(headers), "body"};
}

/// Answers what was prepared, and the last of it for ever.
class ScriptedHttp : public Http {
 public:
  explicit ScriptedHttp(std::deque<HttpOutcome> script) : script_(std::move(script)) {}
  HttpOutcome send(const HttpRequest& /*request*/) override {
    ++sent;
    HttpOutcome next = script_.front();
    if (script_.size() > 1) script_.pop_front();
    return next;
  }
  int sent = 0;

 private:
  std::deque<HttpOutcome> script_;
};

class PatientHttpTest : public testing::Test {
 protected:
  PatientOutcome send(std::deque<HttpOutcome> script) {
    ScriptedHttp http(std::move(script));
    PatientHttp patient(http, clock_, 1);
    PatientOutcome outcome = patient.send([] { return HttpRequest(); });
    sent_ = http.sent;
    return outcome;
  }
  static int status_of(const PatientOutcome& outcome) {
    return std::get<HttpAnswer>(outcome.last).status;
  }

  FakeClock clock_;
  int sent_ = 0;
};

TEST_F(PatientHttpTest, TriesAgainWhatMayPass) {
  EXPECT_EQ(status_of(send({answer(503), answer(429), answer(502), answer(200)})), 200);
  EXPECT_EQ(sent_, 4);
  EXPECT_EQ(status_of(send({HttpFailure{HttpFailure::Kind::unreachable, "away"},
                            HttpFailure{HttpFailure::Kind::unanswered, "gone"}, answer(201)})),
            201);
}

TEST_F(PatientHttpTest, BelievesWhatWillNotPass) {
  for (const int status : {200, 201, 301, 302, 400, 401, 403, 404, 409, 412, 422, 501}) {
    EXPECT_EQ(status_of(send({answer(status), answer(299)})), status);
  }
  send({HttpFailure{HttpFailure::Kind::impossible, "forged"}, answer(200)});
  EXPECT_EQ(sent_, 1);
}

TEST_F(PatientHttpTest, CanvasSaysForbiddenForTooManyRequests) {
  for (const char* left : {"0", "0.0", "-12.5"}) {
    EXPECT_EQ(status_of(send({answer(403, {{"x-rate-limit-remaining", left}}), answer(200)})), 200)
        << left;
  }
  for (const char* left : {"599.9", "", "x"}) {
    EXPECT_EQ(status_of(send({answer(403, {{"x-rate-limit-remaining", left}}), answer(200)})), 403)
        << left;
  }
}

TEST_F(PatientHttpTest, WaitsDoubleAndAreBounded) {
  send({answer(503)});
  EXPECT_EQ(sent_, 8);
  const std::vector<std::int64_t> longest = {1'000, 2'000, 4'000, 8'000, 16'000, 32'000, 60'000};
  ASSERT_EQ(clock_.waited().size(), longest.size());
  for (std::size_t index = 0; index < longest.size(); ++index) {
    EXPECT_LE(clock_.waited()[index], longest[index]);
    EXPECT_GE(clock_.waited()[index], longest[index] / 2);
  }
}

TEST_F(PatientHttpTest, AnErrorOfTheServerItselfIsBelievedTheThirdTime) {
  EXPECT_EQ(status_of(send({answer(500), answer(500), answer(500), answer(200)})), 500);
  EXPECT_EQ(status_of(send({answer(500), answer(503), answer(500), answer(200)})), 200);
}

TEST_F(PatientHttpTest, ANameThatNobodyKnowsIsBelievedTheThirdTime) {
  send({HttpFailure{HttpFailure::Kind::unknown, "no such host"}});
  EXPECT_EQ(sent_, 3);
  EXPECT_EQ(status_of(send({HttpFailure{HttpFailure::Kind::unknown, "no such host"}, answer(200)})),
            200);
}

TEST_F(PatientHttpTest, SaysWhatItWaitsFor) {
  ScriptedHttp http({answer(503), answer(429), answer(200)});
  std::vector<int> told;
  Patience patience;
  patience.before_wait = [&](const HttpOutcome& outcome) {
    told.push_back(std::get<HttpAnswer>(outcome).status);
  };
  PatientHttp(http, clock_, 1, patience).send([] { return HttpRequest(); });
  EXPECT_EQ(told, (std::vector<int>{503, 429}));
}

TEST_F(PatientHttpTest, WaitsAsLongAsItIsAskedTo) {
  send({answer(429, {{"retry-after", "77"}}), answer(200)});
  EXPECT_EQ(clock_.waited().back(), 77'000);
  // 1796000000 is 2026-11-30T00:53:20Z.
  send({answer(503, {{"retry-after", "Mon, 30 Nov 2026 00:56:20 GMT"}}), answer(200)});
  EXPECT_GE(clock_.waited().back(), 180'000 - 77'000 - 1'000);
  EXPECT_LE(clock_.waited().back(), 180'000 - 77'000);
  for (const char* nonsense : {"-5", "soon", "", "Mon, 99 Foo 2026 00:56:20 GMT"}) {
    send({answer(503, {{"retry-after", nonsense}}), answer(200)});
    EXPECT_LE(clock_.waited().back(), 1'000) << nonsense;
  }
}

TEST_F(PatientHttpTest, DoesNotWaitForHours) {
  for (const char* long_time : {"3600", "99999999999999999999"}) {
    EXPECT_EQ(status_of(send({answer(429, {{"retry-after", long_time}}), answer(200)})), 429);
    EXPECT_EQ(sent_, 1);
  }
}

TEST_F(PatientHttpTest, KnowsWhenATryMayHaveBeenCarriedOut) {
  EXPECT_FALSE(send({answer(429), answer(200)}).may_be_done_already);
  EXPECT_FALSE(
      send({HttpFailure{HttpFailure::Kind::unreachable, ""}, answer(200)}).may_be_done_already);
  EXPECT_TRUE(send({answer(504), answer(200)}).may_be_done_already);
  EXPECT_TRUE(
      send({HttpFailure{HttpFailure::Kind::unanswered, ""}, answer(200)}).may_be_done_already);
}

TEST_F(PatientHttpTest, StopsWaitingWhenItIsToldTo) {
  clock_.stop_after(2);
  const PatientOutcome outcome = send({answer(503)});
  EXPECT_TRUE(outcome.is_interrupted);
  EXPECT_EQ(sent_, 3);
}

TEST_F(PatientHttpTest, AnAnswerIsShownOnOneLineAndCut) {
  HttpAnswer long_answer = answer(422);
  long_answer.body = "line\nfeed \x1b[31m" + std::string(1'000, 'x');
  const std::string words = words_for(HttpOutcome(long_answer));
  EXPECT_TRUE(words.starts_with("it answers 422: line feed \\x1b[31mxxx")) << words;
  EXPECT_LT(words.size(), 300);
}

}  // namespace
}  // namespace grader
