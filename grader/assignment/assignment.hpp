// The seam between the machine and an assignment. `grader/` knows nothing of attention: it loads a
// folder that holds a judge module (shared object), a contract header, a dispatch source and texts.
//
//   <assignment>/assignment.json     id, titles, points, hints, limits, policy
//   <assignment>/judge.so            exports attention_grader_judge(), see below
//   <assignment>/contract/           headers a submission may include; they win over its own copies
//   <assignment>/dispatch.cpp        linked into every submission; answers numbered calls
//   <assignment>/template/           what students start from, if anything: no sign of copying
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "grader/assignment/figure.hpp"
#include "grader/contract/implementation.hpp"
#include "grader/diagnosis/evidence.hpp"
#include "grader/engine/check.hpp"

namespace grader {

/// A model implementation that the self-test runs: a correct style, a known mistake, or a null
/// implementation (throws, returns nothing, …).
struct Model {
  enum class Role : std::uint8_t { correct_style, misconception, null_implementation };
  std::string id;  ///< taxonomy id ("M02"), style or null name
  Role role = Role::correct_style;
  std::string stage;  ///< "mask", "scale", "softmax", …; for the order of the kill matrix
  std::string title;  ///< one line for people
  /// Objectives that this mistake is allowed to cost points in (its own first). Checks judged end
  /// to end may fail besides. Empty for correct styles.
  std::vector<std::string> objectives;
  /// For null implementations: the highest score that it may reach.
  double ceiling = 0;
  std::function<std::unique_ptr<Implementation>()> make;
  /// For misconceptions: what a tutor would say.
  std::string explanation = {};
};

/// What a judge module hands to the machine.
struct Judge {
  Contract contract;
  std::vector<Check> checks;
  /// Ids of checks that are judged end to end on purpose (fairness rule 1) and may therefore fail
  /// for a mistake of any objective.
  std::vector<std::string> end_to_end;
  /// The check that answers for what a submission keeps between calls ("purity.repeatable"); see
  /// EngineOptions::state_check. Empty: none does.
  std::string state_check;
  std::function<std::unique_ptr<Implementation>()> make_reference;
  std::vector<Model> models;
  /// Asks an implementation diagnostic questions, so that its mistakes can be named; each known
  /// mistake has the id of a misconception in `models`. Empty, or when it throws CallFault: nothing
  /// is named.
  std::function<Evidence(Implementation&)> observe = {};
  /// Each asks the submission something and draws what it does. One that throws CallFault is left
  /// out: the checks tell of the fault.
  std::vector<std::function<Figure(Implementation&)>> figures = {};
};

/// Version of this header's layout; a module built against another one is refused.
inline constexpr std::uint32_t kJudgeVersion = 5;

/// Every judge module defines these two with C linkage:
///   std::uint32_t attention_grader_judge_version();   returns kJudgeVersion
///   const grader::Judge* attention_grader_judge();    lives as long as the module
using JudgeVersionFunction = std::uint32_t (*)();
using JudgeFunction = const Judge* (*)();

}  // namespace grader
