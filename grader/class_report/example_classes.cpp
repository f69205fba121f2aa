#include "grader/class_report/example_classes.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <string>

namespace grader::examples {
namespace {

struct ExampleCheck {
  const char* id;
  const char* title;
  const char* objective;
  double points;
  double difficulty;  // 0 to 1
};

constexpr std::array<ExampleCheck, 23> kChecks = {{
    {"shapes.ledger", "The shape ledger names all six shapes", "shapes", 6, 0.1},
    {"shapes.results", "Results have the shapes of the ledger", "shapes", 6, 0.15},
    {"scaling.logits", "Visible logits are q·k over the root of d_k", "scaling", 6, 0.3},
    {"scaling.entropy", "Scaling keeps the entropy of the weights", "scaling", 4, 0.3},
    {"scaling.variance", "Logits keep their variance as d_k grows", "scaling", 4, 0.35},
    {"entropy.value", "entropy() is the entropy in nats", "scaling", 4, 0.3},
    {"mask.future_logits", "Future logits are −∞ before the softmax", "mask", 6, 0.45},
    {"mask.future_weights", "Future positions get no weight", "mask", 6, 0.25},
    {"mask.past_invariance", "Later tokens leave earlier outputs as they are", "mask", 6, 0.3},
    {"softmax.row_sums", "Each row of weights sums to one", "stable softmax", 4, 0.3},
    {"softmax.values", "softmax() is the softmax", "stable softmax", 5, 0.25},
    {"softmax.shift_invariance", "A shift of all logits changes nothing", "stable softmax", 4, 0.3},
    {"softmax.stability", "Huge logits stay finite", "stable softmax", 5, 0.6},
    {"values.weighted_sum", "The output is the weighted sum of the values", "values", 5, 0.2},
    {"values.convex", "Outputs lie between the visible values", "values", 3, 0.2},
    {"values.projections", "self_attention projects, then attends", "values", 3, 0.25},
    {"rows.consistent", "attention_row is a row of attention", "values", 3, 0.2},
    {"agreement.reference", "All options agree with the reference", "the whole", 6, 0.5},
    {"purity.repeatable", "The same call gives the same answer", "the whole", 4, 0.1},
    {"assertions.rows_sum_to_one", "rows_sum_to_one() judges rightly", "assertions", 3, 0.5},
    {"assertions.future_weights_are_zero", "future_weights_are_zero() judges rightly", "assertions",
     3, 0.4},
    {"assertions.past_outputs_unchanged", "past_outputs_unchanged() judges rightly", "assertions",
     2, 0.45},
    {"assertions.scaling_raises_entropy", "scaling_raises_entropy() judges rightly", "assertions",
     2, 0.55},
}};

constexpr std::array<const char*, 24> kFirstNames = {
    "Ada",   "Émilie", "Chen", "Noor",  "Søren", "Zoë",    "Ngọc",  "Björn",
    "Łucja", "Omar",   "Ines", "Kwame", "Mei",   "Pavel",  "Renée", "Sofía",
    "Tariq", "Uma",    "Vera", "Wen",   "Yuki",  "O'Neil", "Дарья", "Élise"};
constexpr std::array<const char*, 20> kFamilyNames = {
    "Lovelace", "Nguyễn",       "Garcia", "Müller", "Okafor", "Smith-Jones", "Ivanova",
    "Tanaka",   "Silva",        "Kaya",   "Novák",  "Rossi",  "Haddad",      "Jensen",
    "Kim",      "van der Berg", "Ali",    "Costa",  "Popov",  "王"};

const std::vector<ClassMisconception>& misconceptions() {
  static const std::vector<ClassMisconception> known = {
      {"M02", "Masks after the softmax",
       "The weights of future positions are cleared after the softmax, so what is left no longer "
       "sums to one. Set the logits to −∞ before it."},
      {"S01", "Does not scale",
       "The logits are not divided by √d_k, so their spread grows with d_k and the softmax "
       "saturates."},
      {"X04", "Exponentials without the maximum",
       "Large logits overflow: subtract each row's maximum before you exponentiate."},
      {"P03", "Divides by d_k", "The logits are divided by d_k instead of √d_k."},
      {"A07", "Accepts only sums that are exactly one",
       "Honest rounding makes a sum differ from one in the last bits: compare with a tolerance."},
      {"V02", "Weighs the keys", "The output is a weighted sum of the values, not of the keys."},
      {"unknown", "No known misconception matches",
       "The answers differ from the right ones in a way that nothing known reproduces."}};
  return known;
}

std::string digest_of(std::size_t number) {
  std::mt19937_64 random(number);
  std::string digits;
  while (digits.size() < 64) digits += "0123456789abcdef"[random() % 16];
  return digits;
}

class Maker {
 public:
  explicit Maker(std::size_t students) : students_(students) {}

  ClassResults make() {
    results_.assignment_id = "causal-attention";
    results_.assignment_title = "Causal scaled dot-product attention";
    results_.max_score = 0;
    results_.grader_version = "1.0.0";
    results_.configuration = digest_of(0).substr(0, 16);
    results_.misconceptions = misconceptions();
    for (const ExampleCheck& check : kChecks) {
      results_.checks.push_back({check.id, check.title, check.objective, check.points});
      results_.max_score += check.points;
    }
    for (std::size_t number = 0; number < students_; ++number) {
      results_.students.push_back(student(number));
    }
    add_similar();
    return std::move(results_);
  }

 private:
  double chance() { return static_cast<double>(random_()) / 4294967296.0; }

  StudentResult student(std::size_t number) {
    StudentResult made;
    made.id = "s" + std::to_string(100000 + number * 7);
    made.name = std::string(kFirstNames[random_() % kFirstNames.size()]) + " " +
                kFamilyNames[random_() % kFamilyNames.size()];
    made.section = std::string(1, static_cast<char>('A' + number % 4));
    const double fate = number == 0 ? 1 : chance();
    if (fate < 0.03) {
      made.status = fate < 0.01 ? StudentStatus::excused : StudentStatus::missing;
      return made;
    }
    made.attempts = static_cast<std::int64_t>(1 + random_() % 3);
    made.attempt = made.attempts;
    made.submitted_at = 1796000000 - static_cast<std::int64_t>(random_() % 400000);
    made.digest = digest_of(number);
    if (fate < 0.04) {
      made.status = StudentStatus::needs_attention;
      made.needs_attention = "The grader was killed while it graded this: out of memory.";
      return made;
    }
    made.report = "students/" + made.id + "/report.html";
    made.status = fate < 0.08   ? StudentStatus::not_built
                  : fate < 0.09 ? StudentStatus::refused
                                : StudentStatus::graded;
    grade(made);
    adjust(made);
    return made;
  }

  void grade(StudentResult& made) {
    const double skill = std::min(1.0, 0.15 + 1.1 * std::sqrt(chance()));
    made.score = 0;
    for (const CheckColumn& column : results_.checks) {
      const auto index = static_cast<std::size_t>(&column - results_.checks.data());
      CheckCell cell;
      if (made.status == StudentStatus::graded) {
        const double luck = skill - kChecks[index].difficulty * 1.5 * chance();
        const double other = chance();
        if (luck > 0.18) {
          cell = {CheckStatus::passed, column.max_points};
        } else {
          cell.status = other < 0.1    ? CheckStatus::crashed
                        : other < 0.15 ? CheckStatus::timed_out
                        : other < 0.35 ? CheckStatus::not_run
                                       : CheckStatus::failed;
        }
      }
      made.checks.push_back(cell);
      *made.score += cell.points;
    }
    made.final_score = made.score;
    list_attempts(made);
    if (made.status != StudentStatus::graded || *made.score >= results_.max_score) return;
    made.diagnoses.push_back(
        misconceptions()[static_cast<std::size_t>(chance() * chance() * 7)].id);
  }

  // The earlier attempts were worth less.
  void list_attempts(StudentResult& made) const {
    if (made.attempts < 2) return;
    for (std::int64_t number = 1; number <= made.attempts; ++number) {
      AttemptResult attempt;
      attempt.number = number;
      attempt.status = made.status;
      attempt.submitted_at = *made.submitted_at - (made.attempts - number) * 5000;
      attempt.score =
          *made.score * static_cast<double>(number) / static_cast<double>(made.attempts);
      attempt.final_score = attempt.score;
      attempt.report = made.report;
      made.graded_attempts.push_back(std::move(attempt));
    }
  }

  void adjust(StudentResult& made) {
    const double fate = chance();
    if (fate < 0.08) {
      made.late_days = 1 + static_cast<double>(random_() % 3);
      made.final_score = *made.score * (1 - 0.1 * made.late_days);
      made.adjustments = {"Handed in late: 10 % a started day."};
    } else if (fate < 0.09) {
      made.is_overridden = true;
      made.final_score = results_.max_score;
      made.adjustments = {"Set by hand: the exercise sheet was wrong in this place."};
    }
  }

  void add_similar() {
    for (std::size_t number = 5; number + 11 < students_ && number < 900; number += 97) {
      results_.similarity.identical.push_back({number, number + 11});
    }
    double share = 1;
    for (std::size_t number = 1; number + 40 < students_ && number < 1600; number += 13) {
      results_.similarity.pairs.push_back({number,
                                           number + 40,
                                           share,
                                           static_cast<std::int64_t>(share * 140),
                                           {"attention.cpp", 12, 88},
                                           {"attention.cpp", 20, 97}});
      share = std::max(0.5, share - 0.004);
    }
    if (students_ > 1000) results_.similarity.pairs_left_out = 312;
    if (students_ > 10) {
      results_.left_out = {{"__MACOSX/._attention.cpp", "a file that macOS adds to archives"},
                           {"readme.txt", "belongs to no submission"}};
      results_.notices = {"Two students of the download are not on the roster: s900001, s900002."};
    }
  }

  std::size_t students_;
  std::mt19937 random_{2026};
  ClassResults results_;
};

}  // namespace

ClassResults class_of(std::size_t students) { return Maker(students).make(); }

ClassResults hostile_class() {
  const std::array<std::string, 9> attacks = {
      "</script><script>window.intruder = 1</script>",
      "<img src=x onerror=\"window.intruder = 1\">",
      "<!--<script>",
      "line\xe2\x80\xa8separator\xe2\x80\xa9here",
      "\x1b[31mred\x1b[0m \a",
      "=HYPERLINK(\"http://example.com\",\"click\")",
      "{{score}} {{{style}}} \\u003c \"quoted\" 'too' &amp;",
      std::string("nul\0byte \xff\xfe", 11),
      "\xe2\x80\xae"
      "gnp.exe"};
  ClassResults results = class_of(60);
  for (std::size_t place = 0; place < results.students.size(); ++place) {
    const std::string& attack = attacks[place % attacks.size()];
    StudentResult& student = results.students[place];
    student.id = attack + std::to_string(place);
    student.name = attack;
    student.section = attack;
    student.needs_attention = place % 4 == 0 ? attack : "";
    student.adjustments = {attack};
    student.is_overridden = true;
    student.digest = attack;
    if (!student.report.empty()) student.report = "javascript:alert(1)//" + attack;
    if (!student.diagnoses.empty()) student.diagnoses = {attack};
  }
  for (const std::string& attack : attacks) {
    results.misconceptions.push_back({attack, attack, attack});
    results.notices.push_back(attack);
    results.left_out.push_back({attack, attack});
  }
  results.assignment_title = attacks[0];
  results.grader_version = results.configuration = attacks[0];
  for (SimilarPair& pair : results.similarity.pairs) {
    pair.longest_in_a.file = pair.longest_in_b.file = attacks[1];
  }
  for (std::size_t column = 0; column < results.checks.size(); ++column) {
    CheckColumn& check = results.checks[column];
    check.id = check.title = attacks[column % attacks.size()];
    check.objective = attacks[0];
  }
  return results;
}

}  // namespace grader::examples
