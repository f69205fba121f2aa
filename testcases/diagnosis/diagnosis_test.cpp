// The judge as it is shipped names the mistake of every model, and nothing of a correct style.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "grader/diagnosis/diagnose.hpp"

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

TEST(DiagnosisTest, NamesTheMistakeOfEveryModel) {
  for (const Model& model : attention_grader_judge()->models) {
    if (model.role != Model::Role::misconception) continue;
    const std::vector<Diagnosis> all = diagnosis_of(model);
    EXPECT_TRUE(all.size() == 1 && names(all.front(), model.id))
        << model.id << " " << model.title << "\n"
        << text_of(all);
  }
}

}  // namespace
}  // namespace attention_assignment
