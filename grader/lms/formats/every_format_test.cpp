// What holds for the export of one scorecard in every format.
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "grader/base/fault.hpp"
#include "grader/base/plain_text.hpp"
#include "grader/lms/export_format.hpp"
#include "grader/lms/formats/formats_fixture.hpp"
#include "grader/scorecard/redaction.hpp"

namespace grader {
namespace {

template <class Use>
void for_each_exporter(const Use& use) {
  for (const ExportFormat& format : export_formats()) {
    if (const auto* exporter = std::get_if<ScorecardExporter>(&format.exporter)) {
      use(format, *exporter);
    }
  }
}

TEST(EveryFormatTest, ThereIsOneForEachSystem) {
  std::string names;
  for_each_exporter([&](const ExportFormat& format, ScorecardExporter) {
    names += std::string(format.name) + " ";
  });
  EXPECT_EQ(names, "autolab github-classroom gradescope junit observations prairielearn ");
}

TEST(EveryFormatTest, HostileTextsBecomePlainOnes) {
  for_each_exporter([&](const ExportFormat& format, ScorecardExporter exporter) {
    for (const Scorecard& scorecard : scorecards_of_every_kind()) {
      for (const std::string& text : hostile_texts()) {
        const std::string bytes = exporter(with_text_everywhere(scorecard, text), {});
        EXPECT_EQ(plain_text(bytes, bytes.size()), bytes)
            << format.name << ": control characters or invalid UTF-8";
        EXPECT_TRUE(bytes.ends_with('\n')) << format.name;
      }
    }
  });
}

TEST(EveryFormatTest, TheSameScorecardGivesTheSameBytes) {
  for_each_exporter([&](const ExportFormat& format, ScorecardExporter exporter) {
    for (const Scorecard& scorecard : scorecards_of_every_kind()) {
      EXPECT_EQ(exporter(scorecard, {}), exporter(scorecard, {})) << format.name;
    }
  });
}

TEST(EveryFormatTest, EveryHintLevelIsKept) {
  for_each_exporter([&](const ExportFormat& format, ScorecardExporter exporter) {
    const std::string hints = exporter(redacted(examples::masked_too_late(), HintLevel::hints), {});
    EXPECT_EQ(hints.find("smallest input"), std::string::npos) << format.name;
    EXPECT_EQ(hints.find("attention-grader replay"), std::string::npos) << format.name;
    const std::string scores =
        exporter(redacted(examples::masked_too_late(), HintLevel::score_only), {});
    for (const char* secret : {"smallest input", "sums to 0.5", "Do not clear", "M02"}) {
      EXPECT_EQ(scores.find(secret), std::string::npos) << format.name << ": " << secret;
    }
  });
}

TEST(EveryFormatTest, AnUnknownNameIsRefusedWithTheNearest) {
  try {
    export_format("gradscope");
    FAIL() << "it is known";
  } catch (const UsageFault& fault) {
    EXPECT_NE(fault.hint().find("gradescope"), std::string::npos) << fault.hint();
  }
}

}  // namespace
}  // namespace grader
