#include "grader/diagnosis/explain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace grader {
namespace {

/// A stage that is reproduced by the combinations `right` alone. `differing` of its four cases are
/// wrong when no mistake is made.
ObservedStage stage(std::vector<Combination> right, std::size_t differing = 4) {
  ObservedStage stage;
  stage.name = "numbers";
  stage.cases = 4;
  stage.reproduces = [right = std::move(right), differing](const Combination& mistakes,
                                                           std::size_t index) {
    if (mistakes.empty()) return index >= differing;
    return std::ranges::find(right, mistakes) != right.end();
  };
  return stage;
}

ObservedStage right_stage() { return stage({}, 0); }

KnownMistake mistake(std::string id, std::uint64_t stages, std::uint64_t parts) {
  return {std::move(id), stages, parts, ""};
}

std::vector<std::string> ids(const Evidence& evidence) {
  std::vector<std::string> ids;
  for (const Finding& finding : explain(evidence)) {
    ids.push_back(finding.is_known ? evidence.mistakes[finding.mistake].id : "unknown");
  }
  return ids;
}

using Ids = std::vector<std::string>;

TEST(ExplainTest, FindsNothingWhereEveryStageIsRight) {
  EXPECT_TRUE(explain({{mistake("a", 1, 1)}, {right_stage()}}).empty());
}

TEST(ExplainTest, NamesTheMistakeThatReproducesEveryCase) {
  const Evidence evidence{{mistake("a", 1, 1), mistake("b", 1, 1)}, {stage({{1}}, 3)}};
  ASSERT_EQ(ids(evidence), Ids{"b"});
  EXPECT_EQ(explain(evidence)[0].cases, 3U);
  EXPECT_TRUE(explain(evidence)[0].indistinguishable.empty());
}

TEST(ExplainTest, SaysThatNothingExplainsAStage) {
  EXPECT_EQ(ids({{mistake("a", 1, 1)}, {stage({})}}), Ids{"unknown"});
}

TEST(ExplainTest, KeepsQuietAboutUnknownStagesThatOthersReport) {
  ObservedStage calls = stage({});
  calls.tells_unknown = false;
  EXPECT_TRUE(explain({{}, {calls}}).empty());
}

TEST(ExplainTest, NamesIndistinguishableMistakesTogetherOnceAnId) {
  const Evidence evidence{
      {mistake("a", 1, 1), mistake("b", 1, 1), mistake("b", 1, 1), mistake("a", 1, 1)},
      {stage({{0}, {1}, {2}, {3}})}};
  ASSERT_EQ(ids(evidence), Ids{"a"});
  EXPECT_EQ(explain(evidence)[0].indistinguishable, Ids{"b"});
}

TEST(ExplainTest, NamesTwoAndThreeMistakesOfOneStage) {
  const std::vector<KnownMistake> mistakes = {mistake("a", 1, 1), mistake("b", 1, 2),
                                              mistake("c", 1, 4)};
  EXPECT_EQ(ids({mistakes, {stage({{0, 2}})}}), (Ids{"a", "c"}));
  // Each of three mistakes explains a case of its own.
  ObservedStage three = stage({});
  three.cases = 3;
  three.reproduces = [](const Combination& made, std::size_t index) {
    return std::ranges::find(made, index) != made.end();
  };
  EXPECT_EQ(ids({mistakes, {three}}), (Ids{"a", "b", "c"}));
}

TEST(ExplainTest, CombinesNoMoreMistakesThanAStageAllows) {
  ObservedStage calls = stage({{0, 1}});
  calls.most_mistakes = 1;
  EXPECT_EQ(ids({{mistake("a", 1, 1), mistake("b", 1, 2)}, {calls}}), Ids{"unknown"});
}

TEST(ExplainTest, DoesNotCombineMistakesThatReplaceTheSamePart) {
  EXPECT_EQ(ids({{mistake("a", 1, 1), mistake("b", 1, 1)}, {stage({{0, 1}})}}), Ids{"unknown"});
}

TEST(ExplainTest, PrefersFewMistakes) {
  const Evidence evidence{{mistake("a", 1, 1), mistake("b", 2, 2), mistake("both", 3, 3)},
                          {stage({{0}, {2}}), stage({{1}, {2}})}};
  EXPECT_EQ(ids(evidence), Ids{"both"});
}

TEST(ExplainTest, DoesNotNameAMistakeThatAnotherStageContradicts) {
  // "both" would reproduce the first stage, but it would show in the second, which is right.
  const Evidence evidence{{mistake("both", 3, 1), mistake("a", 1, 1)},
                          {stage({{0}, {1}}), right_stage()}};
  EXPECT_EQ(ids(evidence), Ids{"a"});
}

TEST(ExplainTest, AddsUpTheEvidenceOfAllStagesOfAMistake) {
  const Evidence evidence{{mistake("both", 3, 1)}, {stage({{0}}, 3), stage({{0}}, 2)}};
  ASSERT_EQ(ids(evidence), Ids{"both"});
  EXPECT_EQ(explain(evidence)[0].cases, 5U);
}

TEST(ExplainTest, TriesOneMoreMistakeWhereTheFewestDoNotFitTogether) {
  // Stage 0 alone is explained by "one"; stage 1 needs "late", which in stage 0 needs "other" too.
  const Evidence evidence{{mistake("one", 1, 1), mistake("late", 3, 2), mistake("other", 1, 4)},
                          {stage({{0}, {1, 2}}), stage({{1}})}};
  EXPECT_EQ(ids(evidence), (Ids{"late", "other"}));
}

TEST(ExplainTest, ExplainsWhatItCanAndLeavesTheRestUnknown) {
  const Evidence evidence{{mistake("a", 1, 1), mistake("b", 2, 1)}, {stage({{0}}), stage({})}};
  EXPECT_EQ(ids(evidence), (Ids{"a", "unknown"}));
}

TEST(ExplainTest, NamesSinglePrecisionWhereNothingElseFits) {
  ObservedStage rough = stage({});
  rough.single_precision = 1;
  rough.reproduces_in_single_precision = [](const Combination& mistakes) {
    return mistakes.empty();
  };
  const std::vector<KnownMistake> mistakes = {mistake("a", 1, 1), mistake("float", 1, 2)};
  EXPECT_EQ(ids({mistakes, {rough}}), Ids{"float"});
  rough.reproduces = stage({{0}}).reproduces;
  EXPECT_EQ(ids({mistakes, {rough}}), Ids{"a"});
}

TEST(ExplainTest, NamesSinglePrecisionBesideAnotherMistake) {
  ObservedStage rough = stage({});
  rough.single_precision = 1;
  rough.reproduces_in_single_precision = [](const Combination& mistakes) {
    return mistakes == Combination{0};
  };
  const std::vector<KnownMistake> mistakes = {mistake("a", 1, 1), mistake("float", 1, 2)};
  EXPECT_EQ(ids({mistakes, {rough}}), (Ids{"a", "float"}));
}

}  // namespace
}  // namespace grader
