#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <random>
#include <utility>

#include "grader/cli/class_report.hpp"
#include "grader/cli/commands.hpp"
#include "grader/cli/exit_code.hpp"
#include "grader/cli/interruption.hpp"
#include "grader/lti/access_tokens.hpp"
#include "grader/lti/curl_http.hpp"
#include "grader/lti/deliverables.hpp"
#include "grader/lti/delivery.hpp"
#include "grader/lti/delivery_text.hpp"
#include "grader/lti/line_items.hpp"
#include "grader/sandbox/process.hpp"

namespace grader::cli {

namespace {

/// The machine's time; waiting ends when the program is to stop.
class RealClock : public DeliveryClock {
 public:
  explicit RealClock(int interruption) : interruption_(interruption) {}

  [[nodiscard]] std::int64_t now_ms() const override {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  }

  [[nodiscard]] bool wait_ms(std::int64_t duration) override {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point end = Clock::now() + std::chrono::milliseconds(duration);
    while (true) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
      pollfd watched{interruption_, POLLIN, 0};
      const int ready = poll(&watched, 1, static_cast<int>(std::max<std::int64_t>(left, 0)));
      if (ready > 0) return false;
      if (ready == 0) return true;
      if (errno != EINTR) throw_system_error("wait");
    }
  }

 private:
  int interruption_;
};

std::vector<std::string> scopes_for(const Platform& platform) {
  std::vector<std::string> scopes = {kScoreScope};
  if (platform.line_item.url.empty()) scopes.emplace_back(kLineItemScope);
  return scopes;
}

class Push {
 public:
  Push(const PushCommand& command, Console& console, int interruption)
      : command_(command),
        console_(console),
        platform_(read_platform(command.platform)),
        key_(private_key_of(platform_)),
        clock_(interruption),
        curl_({.ca_file = platform_.ca_file, .is_stopped = [this] { return !clock_.wait_ms(0); }}),
        http_(curl_, clock_, std::random_device{}(), patience()),
        tokens_(platform_, key_, scopes_for(platform_), http_, clock_),
        authorized_(tokens_, http_) {}

  int deliver(const BatchLayout& layout) {
    const Descriptor lock = lock_results(layout);
    Gradebook gradebook(layout.gradebook(), Gradebook::Access::write);
    const Deliverables scores = scores_in(layout, gradebook);
    const std::string line_item = find_line_item(platform_.line_item, authorized_);
    Delivery::Options options;
    options.progress = [this](std::size_t done, std::size_t all) {
      console_.progress(std::to_string(done) + " of " + std::to_string(all) + " scores");
    };
    Delivery delivery(platform_, line_item, gradebook, authorized_, clock_, options);
    const DeliveryReport report = delivery.deliver(scores.scores);
    console_.result(delivery_text(report, scores, line_item));
    if (report.is_interrupted) throw DeliveryInterrupted{};
    const bool is_complete =
        scores.left_out.empty() && report.not_delivered.empty() && report.untried.empty();
    return is_complete ? kDone : kPartly;
  }

  int say(const BatchLayout& layout) {
    const Gradebook gradebook(layout.gradebook(), Gradebook::Access::read);
    const Deliverables scores = scores_in(layout, gradebook);
    const std::string line_item = find_line_item(platform_.line_item, authorized_);
    authorized_.authorize();  // a line item that is named needs no look-up, and so no token yet
    console_.result(dry_run_text(scores, platform_, line_item, gradebook));
    return scores.left_out.empty() ? kDone : kPartly;
  }

 private:
  // Minutes without a word look like a program that hangs.
  [[nodiscard]] Patience patience() {
    Patience patience;
    patience.before_wait = [this](const HttpOutcome& outcome) {
      if (std::exchange(has_said_to_wait_, true)) return;
      console_.note("Trying again for a while, since the platform is in trouble: " +
                    words_for(outcome) + ".");
    };
    return patience;
  }

  [[nodiscard]] Deliverables scores_in(const BatchLayout& layout,
                                       const Gradebook& gradebook) const {
    return deliverables(results_of(layout, gradebook, command_.assignment), platform_,
                        command_.only);
  }

  const PushCommand& command_;
  Console& console_;
  bool has_said_to_wait_ = false;
  Platform platform_;
  PrivateKey key_;
  RealClock clock_;
  CurlHttp curl_;
  PatientHttp http_;
  AccessTokens tokens_;
  AuthorizedHttp authorized_;
};

}  // namespace

int run(const PushCommand& command, Console& console) {
  const BatchLayout layout(command.results);
  static_cast<void>(read_batch_file(layout));  // refuses another folder
  const NotedInterruption interruption;
  try {
    Push push(command, console, interruption.descriptor());
    return command.is_dry_run ? push.say(layout) : push.deliver(layout);
  } catch (const DeliveryInterrupted&) {
    console.end_progress();
  }
  NotedInterruption::end_program();
}

}  // namespace grader::cli
