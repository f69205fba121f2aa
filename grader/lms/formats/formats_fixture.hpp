// What the tests of export formats share: scorecards of every kind, hostile texts in every place,
// and the programs that hold an export to its reader's rules.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "grader/base/files.hpp"
#include "grader/lms/export_format.hpp"
#include "grader/scorecard/example_scorecards.hpp"

namespace grader {

inline Scorecard internal_error() {
  Scorecard scorecard = examples::environment_error();
  scorecard.status = ScorecardStatus::internal_error;
  scorecard.error = "A promise of the grader was broken.";
  return scorecard;
}

/// One and more of each ScorecardStatus.
inline std::vector<Scorecard> scorecards_of_every_kind() {
  return {examples::all_right(),
          examples::masked_too_late(),
          examples::faulty(),
          examples::with_figures(),
          examples::not_built(),
          examples::refused(),
          examples::environment_error(),
          internal_error(),
          examples::unfinished(),
          examples::hostile()};
}

/// Texts that try to end what they stand in, or to be taken for something else.
inline const std::vector<std::string>& hostile_texts() {
  static const std::vector<std::string> texts = {
      std::string("nul \0 inside", 12),
      "\x1b[31mred\x1b[0m \x07 \x08 \x7f \xc2\x85",
      "]]> <!-- --> </script><img src=x onerror=alert(1)>",
      "\"}, {\"score\": 100, \"x\": \"\\",
      "bidi \u202e\u2066 zero\u200bwidth \ufeff",
      "invalid \xff\xfe\xc3 overlong \xc0\xaf",
      "surrogates \xed\xa0\x80 \xed\xbf\xbf no characters \xef\xbf\xbe \xef\xbf\xbf",
      "::error::fail\n  ::set-env name=PATH::x\n##[command]x",
      "Q1: softmax attn::mask {\"scores\": {\"shapes\": 12}}",
      "line\r\nline\u2028line\u2029line\tline\n\n",
      "=1+1|cmd",
      "_presentation",
      "\\u0000 \\ud800 %s {{x}} ${{ github.token }}",
      "",
  };
  return texts;
}

/// The scorecard with `text` in every place that a submission or a foreign file could fill.
inline Scorecard with_text_everywhere(Scorecard scorecard, const std::string& text) {
  const auto fill = [&](std::string& place) { place = text; };
  for (std::string* place :
       {&scorecard.error, &scorecard.error_hint, &scorecard.submission_id, &scorecard.printed,
        &scorecard.build.problem, &scorecard.build.diagnostics, &scorecard.build.hint,
        &scorecard.assignment_title, &scorecard.toolchain, &scorecard.grader_version}) {
    fill(*place);
  }
  scorecard.notices = {text, text};
  for (SubmittedFile& file : scorecard.files) fill(file.name);
  for (Diagnosis& diagnosis : scorecard.diagnosis) {
    fill(diagnosis.title);
    fill(diagnosis.explanation);
    diagnosis.indistinguishable = {text};
  }
  const auto fill_judgement = [&](Judgement& judgement) {
    fill(judgement.message);
    for (Field& field : judgement.returned) fill(field.name);
    for (Field& field : judgement.expected) fill(field.name);
  };
  for (ScoredCheck& check : scorecard.checks) {
    CheckResult& result = check.result;
    for (std::string* place : {&check.title, &check.hint, &check.lesson, &check.replay,
                               &result.message, &result.blocked_by}) {
      fill(*place);
    }
    result.coverage = {{text, 3}};
    result.accepted_wrongly = {text};
    if (result.fault) result.fault = Fault{text, text, text, text, 1, text};
    for (auto* found : {&result.minimal, &result.original}) {
      if (!*found) continue;
      fill((*found)->explanation);
      fill((*found)->test_case.label);
      fill((*found)->test_case.name);
      for (Input& input : (*found)->test_case.inputs) fill(input.name);
      fill_judgement((*found)->judgement);
    }
  }
  for (Figure& figure : scorecard.figures) {
    fill(figure.title);
    fill(figure.caption);
    for (Series& series : figure.series) fill(series.name);
  }
  return scorecard;
}

/// `document` as one valid JSON document without the words that JavaScript alone reads.
inline nlohmann::json parsed(const std::string& document) {
  nlohmann::json json = nlohmann::json::parse(document, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << document.substr(0, 2'000);
  return json;
}

/// Holds documents to a schema of this folder; says what is wrong where.
inline void expect_schema(const std::string& schema, const std::vector<std::string>& documents) {
  const TemporaryDirectory folder;
  std::string command = "python3 " CHECK_SCHEMA " " FORMATS "/" + schema;
  for (std::size_t index = 0; index < documents.size(); ++index) {
    const std::string file = (folder.path() / (std::to_string(index) + ".json")).string();
    write_new(file, documents[index], "");
    command += " " + file;
  }
  EXPECT_EQ(std::system(command.c_str()), 0) << "prints what is wrong above";
}

}  // namespace grader
