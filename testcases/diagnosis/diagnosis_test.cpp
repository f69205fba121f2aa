// The judge as it is shipped names the mistake of every model, and nothing of a correct style.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "grader/diagnosis/diagnose.hpp"
#include "testcases/diagnosis/modelled_mistakes.hpp"
#include "testcases/misconceptions/parts.hpp"

extern "C" const grader::Judge* attention_grader_judge();

namespace attention_assignment {
namespace {

using grader::Diagnosis;
using grader::Model;

std::string text_of(const std::vector<Diagnosis>& diagnoses) {
  std::string text;
  for (const Diagnosis& diagnosis : diagnoses) {
    text += diagnosis.id + " [" + diagnosis.stage + "] " + diagnosis.title + " " +
            std::to_string(diagnosis.evidence.agreeing) + "/" +
            std::to_string(diagnosis.evidence.cases);
    for (const std::string& id : diagnosis.indistinguishable) text += " or " + id;
    text += "\n";
  }
  return text.empty() ? "nothing\n" : text;
}

std::vector<Diagnosis> diagnosis_of(const Model& model) {
  const auto implementation = model.make();
  return grader::diagnose(*attention_grader_judge(), *implementation);
}

bool names(const Diagnosis& diagnosis, const std::string& id) {
  return diagnosis.id == id ||
         std::ranges::find(diagnosis.indistinguishable, id) != diagnosis.indistinguishable.end();
}

TEST(DiagnosisTest, AccusesNoCorrectStyle) {
  for (const Model& model : attention_grader_judge()->models) {
    if (model.role != Model::Role::correct_style) continue;
    EXPECT_EQ(text_of(diagnosis_of(model)), "nothing\n") << model.id;
  }
}

TEST(DiagnosisTest, SaysNothingOfImplementationsThatDoNotReturn) {
  for (const Model& model : attention_grader_judge()->models) {
    if (model.id != "throw" && model.id != "hang") continue;
    EXPECT_EQ(text_of(diagnosis_of(model)), "nothing\n") << model.id;
  }
}

TEST(DiagnosisTest, NamesTheMistakeOfEveryModel) {
  for (const Model& model : attention_grader_judge()->models) {
    if (model.role != Model::Role::misconception) continue;
    const std::vector<Diagnosis> all = diagnosis_of(model);
    EXPECT_TRUE(all.size() == 1 && names(all.front(), model.id))
        << model.id << " " << model.title << "\n"
        << text_of(all);
  }
}

/// The diagnosis of one implementation that makes all these mistakes.
std::vector<Diagnosis> diagnosis_of_all(const std::vector<std::string>& ids) {
  std::vector<misconceptions::Replacement> replacements;
  for (const std::string& id : ids) {
    const auto& all = modelled_mistakes();
    const auto found = std::ranges::find_if(
        all, [&](const ModelledMistake& mistake) { return mistake.known.id == id; });
    if (found == all.end()) throw std::out_of_range("no mistake " + id);
    replacements.push_back({&found->model, found->replaced});
  }
  const auto implementation = misconceptions::implement(misconceptions::combined(replacements));
  return grader::diagnose(*attention_grader_judge(), *implementation);
}

TEST(DiagnosisTest, NamesTwoAndThreeMistakesTogether) {
  const std::vector<std::vector<std::string>> together = {
      {"S01", "M08"},        {"P02", "M01"},        {"S02", "X14"},       {"S01", "M02"},
      {"M08", "P04"},        {"P26", "S03"},        {"X04", "X16"},       {"M11", "E01"},
      {"O01", "S07"},        {"J01", "A07"},        {"P28", "S01"},       {"X12", "X04"},
      {"S01", "M09", "P03"}, {"P26", "S02", "M07"}, {"X05", "J03", "A11"}};
  for (const std::vector<std::string>& ids : together) {
    const std::vector<Diagnosis> all = diagnosis_of_all(ids);
    EXPECT_EQ(all.size(), ids.size()) << ids[0] << " and " << ids[1] << "\n" << text_of(all);
    for (const std::string& id : ids) {
      EXPECT_TRUE(std::ranges::any_of(all, [&](const Diagnosis& each) { return names(each, id); }))
          << id << " of " << ids[0] << " and " << ids[1] << "\n"
          << text_of(all);
    }
  }
}

}  // namespace
}  // namespace attention_assignment
