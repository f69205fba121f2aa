#include "grader/lti/delivery.hpp"

#include <random>

#include "grader/lti/delivery_text.hpp"
#include "grader/lti/lti_fixture.hpp"

namespace grader {
namespace {

using Dialect = PlatformSimulator::Dialect;
using Trouble = PlatformSimulator::Trouble;
using MaybeTrouble = std::optional<Trouble>;
using Fate = ServedAnswer::Fate;

constexpr const char* kLostAnswer = "lost";

class DeliveryTest : public LtiTest {
 protected:
  DeliveryTest() : gradebook_(folder_.path() / "gradebook.sqlite", Gradebook::Access::write) {}

  void make_class(std::size_t size) {
    scores_.clear();
    for (std::size_t number = 0; number < size; ++number) {
      StudentScore score;
      score.student = "student-" + std::to_string(number);
      score.score.user_id = user(number);
      score.score.given = static_cast<double>(number % 101);
      score.score.maximum = 100;
      score.score.comment = "comment";
      simulator_.rules.users.insert(score.score.user_id);
      scores_.push_back(score);
    }
  }
  static std::string user(std::size_t number) { return "user-" + std::to_string(number); }

  DeliveryReport push(const Platform& platform, std::int64_t timeout_ms = 10'000) {
    LtiClient client(platform, clock_, {kScoreScope}, timeout_ms);
    Delivery delivery(platform, platform.line_item.url, gradebook_, client.authorized, clock_, {});
    return delivery.deliver(scores_);
  }
  DeliveryReport push() { return push(platform()); }

  /// Something befalls each request for a score that `happens` names, by its number from 0.
  void trouble_with_scores(std::function<MaybeTrouble(std::size_t number)> happens) {
    simulator_.rules.trouble = [this, happens = std::move(happens)](const ServedRequest& request) {
      return request.path.ends_with("/scores") ? happens(seen_++) : MaybeTrouble();
    };
  }
  /// The first answer does not arrive, though the platform has worked.
  void lose_first_answer(Fate fate) {
    trouble_with_scores([fate](std::size_t number) -> MaybeTrouble {
      if (number > 0) return std::nullopt;
      return Trouble{true, {200, {}, kLostAnswer, fate}};
    });
  }

  void expect_each_once() const {
    for (const StudentScore& score : scores_) {
      const auto stored = simulator_.stored(score.score.user_id);
      ASSERT_EQ(stored.size(), 1) << score.student;
      EXPECT_EQ(stored[0].given, score.score.given) << score.student;
    }
  }

  static void expect_delivered(const DeliveryReport& report, std::size_t count) {
    EXPECT_EQ(report.delivered, count);
    EXPECT_TRUE(report.not_delivered.empty()) << report.not_delivered[0].reason;
    EXPECT_TRUE(report.untried.empty());
    EXPECT_EQ(report.why_stopped, "");
  }
  static std::string only_reason(const DeliveryReport& report) {
    EXPECT_EQ(report.not_delivered.size(), 1);
    return report.not_delivered.empty() ? "" : report.not_delivered[0].reason;
  }

  const TemporaryDirectory folder_;
  Gradebook gradebook_;
  std::vector<StudentScore> scores_;
  std::size_t seen_ = 0;
};

TEST_F(DeliveryTest, EveryDialectTakesEachScoreOnceAndARerunSendsNothing) {
  for (const Dialect dialect : {Dialect::specification, Dialect::canvas, Dialect::moodle}) {
    simulator_.rules.dialect = dialect;
    make_class(5);
    for (StudentScore& score : scores_) {
      score.student += std::to_string(static_cast<int>(dialect));
      score.score.user_id += std::to_string(static_cast<int>(dialect));
      simulator_.rules.users.insert(score.score.user_id);
    }
    expect_delivered(push(), 5);
    expect_each_once();
    const std::size_t before = simulator_.requests("scores");
    const DeliveryReport again = push();
    EXPECT_EQ(again.already, 5);
    EXPECT_EQ(again.delivered, 0);
    EXPECT_EQ(simulator_.requests("scores"), before);
    EXPECT_EQ(simulator_.stored(scores_[0].score.user_id)[0].comment, "comment");
  }
}

TEST_F(DeliveryTest, AChangedScoreIsSentAloneAndLater) {
  make_class(3);
  push();
  scores_[1].score.given = 99.5;
  expect_delivered(push(), 1);
  const auto stored = simulator_.stored(user(1));
  ASSERT_EQ(stored.size(), 2);
  EXPECT_EQ(stored[1].given, 99.5);
  EXPECT_GT(stored[1].timestamp, stored[0].timestamp);
  EXPECT_EQ(simulator_.stored_scores(), 4);
}

TEST_F(DeliveryTest, MoodleGetsAChangedScoreInALaterSecond) {
  simulator_.rules.dialect = Dialect::moodle;
  make_class(1);
  push();
  scores_[0].score.given = 50;
  expect_delivered(push(), 1);
  EXPECT_EQ(simulator_.refusals(409), 0);
  EXPECT_EQ(clock_.waited().back(), 877);  // from .123 to the next second
  EXPECT_EQ(simulator_.stored(user(0)).back().given, 50);
}

TEST_F(DeliveryTest, WhereSomebodyWasFasterInTheSameSecondOursComesLater) {
  simulator_.rules.dialect = Dialect::moodle;
  make_class(1);
  simulator_.enter_by_hand(user(0), 12, clock_.now_ms() + 10);
  expect_delivered(push(), 1);
  EXPECT_EQ(simulator_.refusals(409), 1);
  EXPECT_EQ(simulator_.stored(user(0)).back().given, scores_[0].score.given);
}

TEST_F(DeliveryTest, AScoreThatThePlatformHasLaterIsNotForcedUponIt) {
  make_class(2);
  for (const Dialect dialect : {Dialect::canvas, Dialect::moodle, Dialect::specification}) {
    simulator_.rules.dialect = dialect;
    simulator_.enter_by_hand(user(0), 12, clock_.now_ms() + 90'000);
    const std::string reason = only_reason(push());
    EXPECT_NE(reason.find(dialect == Dialect::canvas ? "400" : "409"), std::string::npos) << reason;
    EXPECT_EQ(simulator_.stored(user(0)).back().given, 12);
  }
  clock_.advance_ms(200'000);
  EXPECT_EQ(push().delivered, 1);
  EXPECT_EQ(simulator_.stored(user(0)).back().given, scores_[0].score.given);
}

TEST_F(DeliveryTest, AnAnswerThatIsLostHalfWayLosesNothing) {
  for (const Dialect dialect : {Dialect::specification, Dialect::canvas, Dialect::moodle}) {
    for (const Fate fate : {Fate::cut_off, Fate::lost, Fate::stalls}) {
      simulator_.rules.dialect = dialect;
      make_class(1);
      scores_[0].student +=
          std::to_string(static_cast<int>(dialect)) + std::to_string(static_cast<int>(fate));
      scores_[0].score.user_id = scores_[0].student;
      simulator_.rules.users.insert(scores_[0].student);
      seen_ = 0;
      lose_first_answer(fate);
      const std::size_t repeated = simulator_.repeated_scores();
      expect_delivered(push(platform(), 400), 1);
      expect_each_once();
      EXPECT_EQ(simulator_.repeated_scores(), repeated + 1);
    }
  }
}

TEST_F(DeliveryTest, WhatWasInDoubtAtTheEndIsSettledByTheNextRun) {
  for (const Dialect dialect : {Dialect::specification, Dialect::canvas, Dialect::moodle}) {
    simulator_.rules.dialect = dialect;
    make_class(1);
    scores_[0].student += std::to_string(static_cast<int>(dialect));
    scores_[0].score.user_id = scores_[0].student;
    simulator_.rules.users.insert(scores_[0].student);
    trouble_with_scores([](std::size_t /*number*/) -> MaybeTrouble {
      return Trouble{true, {504, {}, "gateway"}};
    });
    const std::string reason = only_reason(push());
    EXPECT_NE(reason.find("was sent, but it answers 504"), std::string::npos) << reason;
    simulator_.rules.trouble = nullptr;
    clock_.advance_ms(3'600'000);
    const auto known = gradebook_.delivery(scores_[0].student, platform().line_item.url);
    ASSERT_TRUE(known);
    EXPECT_EQ(pending(scores_[0], platform(), &*known), Pending::again);
    expect_delivered(push(), 1);
    expect_each_once();
  }
}

TEST_F(DeliveryTest, AScoreThatChangedWhileItWasInDoubtReplacesIt) {
  make_class(1);
  trouble_with_scores([](std::size_t /*number*/) -> MaybeTrouble {
    return Trouble{true, {200, {}, kLostAnswer, Fate::lost}};
  });
  push();
  simulator_.rules.trouble = nullptr;
  scores_[0].score.given = 77;
  expect_delivered(push(), 1);
  EXPECT_EQ(simulator_.stored(user(0)).back().given, 77);
  EXPECT_EQ(simulator_.stored(user(0)).size(), 2);
}

TEST_F(DeliveryTest, WithAThirdOfAllCallsFailingEachOf200IsDeliveredOnce) {
  for (const auto& [dialect, size] : {std::pair<Dialect, std::size_t>{Dialect::moodle, 200},
                                      {Dialect::specification, 50},
                                      {Dialect::canvas, 50}}) {
    simulator_.rules.dialect = dialect;
    make_class(size);
    for (StudentScore& score : scores_) {
      score.student += std::to_string(static_cast<int>(dialect));
      score.score.user_id = score.student;
      simulator_.rules.users.insert(score.student);
    }
    std::mt19937 random(42);
    simulator_.rules.trouble = [&random](const ServedRequest& /*request*/) -> MaybeTrouble {
      if (random() % 3 != 0) return std::nullopt;
      switch (random() % 7) {
        case 0: return answered(503);
        case 1: return answered(429, {{"Retry-After", "2"}});
        case 2: return answered(403, {{"X-Rate-Limit-Remaining", "0.0"}});
        case 3: return Trouble{true, {502, {}, "gateway"}};
        case 4: return Trouble{true, {200, {}, kLostAnswer, Fate::cut_off}};
        case 5: return Trouble{true, {200, {}, kLostAnswer, Fate::lost}};
        default: return Trouble{false, {200, {}, kLostAnswer, Fate::lost}};
      }
    };
    Platform platform = this->platform();
    if (dialect == Dialect::canvas) platform.kind = Platform::Kind::canvas;
    DeliveryReport report = push(platform);
    for (int run = 0; run < 5 && report.already + report.delivered < size; ++run) {
      report = push(platform);
    }
    simulator_.rules.trouble = nullptr;
    EXPECT_EQ(push(platform).already, size);
    expect_each_once();
    EXPECT_EQ(simulator_.attempts_used(), 0);
  }
  EXPECT_EQ(simulator_.stored_scores(), 300);
  EXPECT_GT(simulator_.repeated_scores(), 30);
}

TEST_F(DeliveryTest, AnExpiredTokenIsReplacedOnce) {
  make_class(4);
  trouble_with_scores([](std::size_t number) -> MaybeTrouble {
    return number == 2 ? answered(401) : MaybeTrouble();
  });
  expect_delivered(push(), 4);
  expect_each_once();
  EXPECT_EQ(simulator_.requests("token"), 2);
}

TEST_F(DeliveryTest, WhatIsTheSameForAllStopsTheRun) {
  make_class(5);
  simulator_.rules.line_items.clear();
  EXPECT_NE(sentence_of<UsageFault>([&] { push(); }).find("there is no such line item"),
            std::string::npos);
  EXPECT_EQ(simulator_.requests("scores"), 1);
  trouble_with_scores([](std::size_t /*number*/) { return answered(401); });
  EXPECT_NE(sentence_of<UsageFault>([&] { push(); }).find("401"), std::string::npos);
  trouble_with_scores([](std::size_t /*number*/) { return answered(403); });
  EXPECT_NE(sentence_of<UsageFault>([&] { push(); }).find("403"), std::string::npos);
  trouble_with_scores([](std::size_t /*number*/) {
    return answered(307, {{"Location", "https://evil.example"}});
  });
  EXPECT_NE(sentence_of<UsageFault>([&] { push(); }).find("307"), std::string::npos);
}

TEST_F(DeliveryTest, WhenTheLineItemVanishesHalfWayWhatWasDeliveredIsKnown) {
  make_class(5);
  trouble_with_scores([this](std::size_t number) -> MaybeTrouble {
    if (number == 2) simulator_.rules.line_items.clear();
    return std::nullopt;
  });
  const DeliveryReport report = push();
  EXPECT_EQ(report.delivered, 2);
  EXPECT_EQ(report.untried, (std::vector<std::string>{"student-2", "student-3", "student-4"}));
  EXPECT_NE(report.why_stopped.find("there is no such line item"), std::string::npos)
      << report.why_stopped;
  simulator_.rules.trouble = nullptr;
  simulator_.rules.line_items = PlatformSimulator::Rules().line_items;
  const DeliveryReport rest = push();
  EXPECT_EQ(rest.already, 2);
  EXPECT_EQ(rest.delivered, 3);
  expect_each_once();
}

TEST_F(DeliveryTest, WhoIsUnknownToThePlatformIsNamedAndTheRestIsDelivered) {
  for (const Dialect dialect : {Dialect::canvas, Dialect::moodle}) {
    simulator_.rules.dialect = dialect;
    make_class(4);
    for (StudentScore& score : scores_) {
      score.student += std::to_string(static_cast<int>(dialect));
    }
    simulator_.rules.users.erase(user(1));
    clock_.advance_ms(10'000);
    const DeliveryReport report = push();
    EXPECT_EQ(report.delivered, 3);
    const std::string reason = only_reason(report);
    EXPECT_NE(reason.find(dialect == Dialect::canvas ? "User not found" : "500"), std::string::npos)
        << reason;
  }
}

TEST_F(DeliveryTest, APlatformThatFallsSilentIsNotAskedForEverybody) {
  make_class(50);
  trouble_with_scores([](std::size_t number) -> MaybeTrouble {
    return number < 10 ? MaybeTrouble() : answered(503);
  });
  const DeliveryReport report = push();
  EXPECT_EQ(report.delivered, 10);
  EXPECT_EQ(report.not_delivered.size(), 3);
  EXPECT_EQ(report.untried.size(), 37);
  EXPECT_EQ(report.why_stopped, "The platform does not answer.");
  EXPECT_EQ(seen_, 10 + 3 * 8);
  simulator_.rules.trouble = nullptr;
  EXPECT_EQ(push().delivered, 40);
  expect_each_once();
}

TEST_F(DeliveryTest, AnInterruptionLosesNothing) {
  make_class(10);
  clock_.stop_after(4);
  const DeliveryReport report = push();
  EXPECT_TRUE(report.is_interrupted);
  EXPECT_EQ(report.delivered, 4);
  EXPECT_EQ(report.untried.size(), 6);
  clock_.stop_after(1'000);
  EXPECT_EQ(push().delivered, 6);
  expect_each_once();
  // While it waits for a busy platform, too.
  scores_[0].score.given = 1;
  trouble_with_scores([](std::size_t /*number*/) { return answered(429); });
  clock_.stop_after(4);
  EXPECT_TRUE(push().is_interrupted);
  simulator_.rules.trouble = nullptr;
  clock_.stop_after(1'000);
  EXPECT_EQ(push().delivered, 1);
  EXPECT_EQ(simulator_.stored(user(0)).back().given, 1);
}

TEST_F(DeliveryTest, WhatWasSentWhenItIsInterruptedIsNotCalledUntried) {
  make_class(3);
  trouble_with_scores([](std::size_t /*number*/) {
    return Trouble{true, {200, {}, kLostAnswer, Fate::lost}};
  });
  clock_.stop_after(1);
  const DeliveryReport report = push();
  EXPECT_TRUE(report.is_interrupted);
  ASSERT_EQ(report.not_delivered.size(), 1U);
  EXPECT_EQ(report.not_delivered[0].student, "student-0");
  EXPECT_TRUE(report.not_delivered[0].reason.starts_with("was sent, but its answer did not arrive"))
      << report.not_delivered[0].reason;
  EXPECT_EQ(report.untried, (std::vector<std::string>{"student-1", "student-2"}));
  simulator_.rules.trouble = nullptr;
  clock_.stop_after(1'000);
  EXPECT_EQ(push().delivered, 3);
  expect_each_once();
}

TEST_F(DeliveryTest, ACanvasAttemptIsNotUsedUp) {
  simulator_.rules.dialect = Dialect::canvas;
  make_class(2);
  Platform canvas = platform();
  expect_delivered(push(canvas), 2);
  EXPECT_EQ(simulator_.attempts_used(), 2);  // what Canvas does where it is not told
  canvas.kind = Platform::Kind::canvas;
  scores_[0].score.given = 5;
  expect_delivered(push(canvas), 1);
  EXPECT_EQ(simulator_.attempts_used(), 2);
}

TEST_F(DeliveryTest, CommentsMayStayAtHome) {
  make_class(1);
  Platform quiet = platform();
  quiet.has_comments = false;
  expect_delivered(push(quiet), 1);
  EXPECT_EQ(simulator_.stored(user(0))[0].comment, "");
  scores_[0].score.comment = "another one";
  EXPECT_EQ(push(quiet).already, 1);
}

TEST_F(DeliveryTest, AClockBeforeTheLastDeliveryIsNoticed) {
  make_class(1);
  push();
  clock_.advance_ms(-3'600'000);
  scores_[0].score.given = 1;
  EXPECT_NE(sentence_of<EnvironmentFault>([&] { push(); }).find("clock"), std::string::npos);
  EXPECT_EQ(simulator_.stored_scores(), 1);
}

TEST_F(DeliveryTest, ADryRunSaysWhatIsNewAndTouchesNothing) {
  make_class(3);
  push();
  make_class(4);
  scores_[1].score.given = 50;
  Deliverables all;
  all.scores = scores_;
  all.left_out = {"eve has no lti_user in the roster"};
  all.nothing_to_deliver = {"dan is excused"};
  const std::string text = dry_run_text(all, platform(), platform().line_item.url, gradebook_);
  EXPECT_TRUE(text.starts_with("2 scores to deliver, 2 delivered before, at")) << text;
  EXPECT_NE(text.find("Nothing was sent."), std::string::npos) << text;
  EXPECT_NE(text.find("student-1: 50 of 100 for user user-1, changed since it was delivered."),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("student-3: 3 of 100 for user user-3, not delivered yet."), std::string::npos)
      << text;
  EXPECT_NE(text.find("eve has no lti_user in the roster."), std::string::npos) << text;
  EXPECT_EQ(simulator_.stored_scores(), 3);
}

TEST_F(DeliveryTest, TheReportNamesWhoWasNotDeliveredAndWhy) {
  DeliveryReport report;
  report.delivered = 3;
  report.already = 1;
  report.not_delivered = {{"bob", "is refused by the platform: it answers 422: no\x1b[31m"}};
  report.untried = {"cy"};
  report.why_stopped = "The platform does not answer.";
  Deliverables all;
  all.left_out = {"eve has no lti_user in the roster"};
  EXPECT_EQ(delivery_text(report, all, "https://e.example/17"),
            "3 scores delivered, 1 delivered before, at https://e.example/17.\n"
            "\n"
            "Not delivered:\n"
            "    eve has no lti_user in the roster.\n"
            "    bob is refused by the platform: it answers 422: no\\x1b[31m.\n"
            "\n"
            "Stopped early. The platform does not answer.\n"
            "\n"
            "Not tried:\n"
            "    cy.\n");
}

}  // namespace
}  // namespace grader
