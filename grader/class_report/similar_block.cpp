#include "grader/class_report/similar_block.hpp"

#include <algorithm>
#include <cmath>

#include "grader/class_report/class_data.hpp"
#include "grader/class_report/embedded.hpp"
#include "grader/report/number_text.hpp"

namespace grader::class_report {
namespace {

using html::Data;
using html::list;
using html::object;

// So many pairs are seen at once; the others are folded.
constexpr std::size_t kFirstPairs = 20;

std::string lines_text(const Passage& passage) {
  const std::string first = std::to_string(passage.first_line);
  const std::string last = std::to_string(passage.last_line);
  return passage.file + " " + (first == last ? first : first + "–" + last);
}

// Never rounded up to all.
std::string share_text(double share) {
  return number_text(share < 1 ? std::min(99.0, std::round(100 * share)) : 100) + " %";
}

Data pair_data(const SimilarPair& pair, const ClassResults& results) {
  return object({{"a", student_data(results.students[pair.a])},
                 {"b", student_data(results.students[pair.b])},
                 {"share", share_text(pair.share)},
                 {"lines", std::to_string(pair.matching_lines)},
                 {"in_a", lines_text(pair.longest_in_a)},
                 {"in_b", lines_text(pair.longest_in_b)}});
}

}  // namespace

Data student_data(const StudentResult& student) {
  const Data report = student.report.empty() ? Data{false} : Data{report_link(student.report)};
  return object(
      {{"name", student.name.empty() ? student.id : student.name + " (" + student.id + ")"},
       {"report", report}});
}

void add_similar(Data& page, const ClassResults& results) {
  const SimilarityReport& similarity = results.similarity;
  page.set("pair", Data{kainjow::mustache::partial{[] { return std::string(kPairTemplate); }}});
  Data groups = list();
  for (const std::vector<std::size_t>& group : similarity.identical) {
    Data members = list();
    for (const std::size_t member : group) members << student_data(results.students[member]);
    groups << object({{"size", std::to_string(group.size())}, {"members", members}});
  }
  Data first = list();
  Data others = list();
  for (std::size_t place = 0; place < similarity.pairs.size(); ++place) {
    (place < kFirstPairs ? first : others) << pair_data(similarity.pairs[place], results);
  }
  const std::size_t folded =
      similarity.pairs.size() - std::min(similarity.pairs.size(), kFirstPairs);
  page.set("has_similar", groups.is_non_empty_list() || first.is_non_empty_list());
  page.set("has_identical", groups.is_non_empty_list());
  page.set("identical", groups);
  page.set("has_pairs", first.is_non_empty_list());
  page.set("pairs", first);
  page.set("other_pairs",
           folded == 0 ? Data{false}
                       : object({{"count", counted(folded, "more pair")}, {"rows", others}}));
  page.set("pairs_left_out", similarity.pairs_left_out == 0
                                 ? Data{false}
                                 : Data{counted(similarity.pairs_left_out, "further pair")});
}

}  // namespace grader::class_report
