// Random arguments of attention(): Q, K, V and the options. Most checks draw these first, under
// one generator name, so that they ask the submission for the same calls.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/engine/check.hpp"
#include "testcases/checks/attention_types.hpp"

namespace attention_assignment {

/// Name for Check::generator of every check whose cases begin with attention_inputs().
inline constexpr std::string_view kAttentionInputs = "attention_inputs";

/// Inputs Q (n × d_k), K (n × d_k), V (n × d_v), causal, scaled. The label is the class of values;
/// classes come in turn, so each has a fixed share of the schedule. Of eight cases six are causal
/// and five scaled, in all four combinations. Always in the domain (domain.hpp).
grader::Case draw_attention_inputs(grader::Random& random, const grader::Schedule& schedule);

/// The classes of values, in the order of the schedule.
std::vector<std::string_view> attention_input_classes();

/// One quota for each class, at half of its regular share.
std::vector<grader::Quota> attention_input_quotas();

/// The case's inputs as arguments.
AttentionInputs attention_inputs_of(const grader::Case& test_case);

/// A case of exactly these inputs.
grader::Case attention_case(const AttentionInputs& inputs, std::string label, std::string name);

/// True when the case's Q, K, V have matching sizes, at least one token and feature, and lie in
/// the domain. What shrinking may not leave.
bool admits_attention_inputs(const grader::Case& test_case);

/// The lesson's example: four tokens of two features, Q = K.
AttentionInputs lesson_inputs(const Options& options);

/// The lesson's example as fixed cases: causal and scaled first, then the other options.
std::vector<grader::Case> lesson_cases();

/// What the lesson's example is called in reports.
inline constexpr std::string_view kLessonName = "the lesson's four tokens";

}  // namespace attention_assignment
