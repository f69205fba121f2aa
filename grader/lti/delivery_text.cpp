#include "grader/lti/delivery_text.hpp"

#include <optional>
#include <vector>

#include "grader/base/plain_text.hpp"
#include "grader/report/layout.hpp"
#include "grader/report/number_text.hpp"

namespace grader {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t kTextLimit = 600;

std::string sentence(const std::string& text) {
  const std::string shown = plain_line(text, kTextLimit);
  return shown.ends_with('.') ? shown : shown + ".";
}

Lines sentences(const Lines& texts) {
  Lines shown;
  for (const std::string& text : texts) shown.push_back(sentence(text));
  return shown;
}

std::string words_for(Pending what) {
  switch (what) {
    case Pending::nothing: return "delivered already";
    case Pending::first: return "not delivered yet";
    case Pending::changed: return "changed since it was delivered";
    case Pending::again: return "sent before, and nobody knows whether it arrived";
  }
  return {};
}

}  // namespace

std::string delivery_text(const DeliveryReport& report, const Deliverables& class_scores,
                          const std::string& line_item) {
  Lines lines =
      wrapped(counted(report.delivered, "score") + " delivered, " + std::to_string(report.already) +
                  " delivered before, at " + plain_line(line_item, kTextLimit) + ".",
              0);
  Lines failed = class_scores.left_out;
  for (const NotDelivered& one : report.not_delivered) {
    failed.push_back(one.student + " " + one.reason);
  }
  append_list("Not delivered:", sentences(failed), lines);
  if (!report.why_stopped.empty()) {
    lines.emplace_back();
    append(lines, wrapped("Stopped early. " + sentence(report.why_stopped), 0));
    append_list("Not tried:", sentences(report.untried), lines);
  }
  append_list("Nothing to deliver:", sentences(class_scores.nothing_to_deliver), lines);
  return joined(lines);
}

std::string dry_run_text(const Deliverables& class_scores, const Platform& platform,
                         const std::string& line_item, const Gradebook& gradebook) {
  Lines sent;
  std::size_t already = 0;
  for (const StudentScore& score : class_scores.scores) {
    const std::optional<DeliveryRecord> known = gradebook.delivery(score.student, line_item);
    const Pending what = pending(score, platform, known ? &*known : nullptr);
    if (what == Pending::nothing) {
      ++already;
      continue;
    }
    sent.push_back(score.student + ": " + number_text(score.score.given.value_or(0)) + " of " +
                   number_text(score.score.maximum) + " for user " + score.score.user_id + ", " +
                   words_for(what));
  }
  Lines lines = wrapped(counted(sent.size(), "score") + " to deliver, " + std::to_string(already) +
                            " delivered before, at " + plain_line(line_item, kTextLimit) +
                            ". Nothing was sent.",
                        0);
  append_list("Would be sent:", sentences(sent), lines);
  append_list("Cannot be sent:", sentences(class_scores.left_out), lines);
  append_list("Nothing to deliver:", sentences(class_scores.nothing_to_deliver), lines);
  return joined(lines);
}

}  // namespace grader
