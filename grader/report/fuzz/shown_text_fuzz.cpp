// The bytes fill every string of a scorecard that a submission has a hand in; then it is written
// and shown.
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

#include "grader/base/plain_text.hpp"
#include "grader/report/text.hpp"
#include "grader/scorecard/json.hpp"

namespace {

using namespace grader;

void require(bool promise) {
  if (!promise) std::abort();
}

/// Hands out the bytes piece by piece; each piece says its own length.
class Pieces {
 public:
  explicit Pieces(std::string_view bytes) : bytes_(bytes) {}

  std::string next() {
    if (bytes_.empty()) return "";
    const std::size_t wanted = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    std::string piece(bytes_.substr(0, wanted));
    bytes_.remove_prefix(piece.size());
    return piece;
  }
  std::string rest() { return std::string(bytes_); }

 private:
  std::string_view bytes_;
};

Counterexample counterexample_of(Pieces& pieces) {
  Counterexample found;
  found.test_case.name = pieces.next();
  found.test_case.label = pieces.next();
  found.test_case.inputs = {{pieces.next(), Matrix(1, 2), {pieces.next(), pieces.next()}, false}};
  found.explanation = pieces.next();
  found.judgement.message = pieces.next();
  const std::string name = pieces.next();
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  found.judgement.returned = {{name, RowVector{{not_a_number, 1}}}};
  found.judgement.expected = {{name, RowVector{{-0.0, 1}}}};
  found.judgement.first_difference = Difference{pieces.next(), 0, 0};
  return found;
}

Scorecard scorecard_of(Pieces& pieces) {
  Scorecard scorecard;
  scorecard.status = ScorecardStatus::graded;
  scorecard.submission_id = pieces.next();
  scorecard.files = {{pieces.next(), 1, "00"}};
  scorecard.notices = {pieces.next(), pieces.next()};
  scorecard.build = {BuildStatus::built, pieces.next(), pieces.next(), pieces.next()};
  ScoredCheck check;
  check.result.id = "a.check";
  check.result.status = CheckStatus::failed;
  check.result.message = pieces.next();
  check.result.fault = Fault{pieces.next(), pieces.next(), pieces.next(), pieces.next(), 1, ""};
  check.result.minimal = counterexample_of(pieces);
  check.result.original = counterexample_of(pieces);
  check.result.calls = {{pieces.next(), {RowVector{{1}}}}};
  check.result.accepted_wrongly = {pieces.next()};
  check.max_points = 1;
  scorecard.checks = {check};
  scorecard.max_score = 1;
  scorecard.printed = pieces.rest();
  return scorecard;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Pieces pieces({reinterpret_cast<const char*>(data), size});
  const Scorecard scorecard = scorecard_of(pieces);

  const std::string document = scorecard_to_json(scorecard);
  require(plain_text(document, document.size()) == document);
  const Scorecard read = scorecard_from_json(document, "scorecard.json");
  require(scorecard_to_json(read) == document);

  // Reports show what was written, never the values in memory.
  const std::string report = text_report(read, {});
  require(plain_text(report, report.size()) == report);
  return 0;
}
