// The small functions of the contract, each seen alone.
#pragma once

#include <cstddef>

#include "grader/diagnosis/evidence.hpp"
#include "grader/engine/check.hpp"
#include "testcases/diagnosis/own_answers.hpp"

namespace attention_assignment {

/// Entry `entry` of shape_ledger().
grader::ObservedStage ledger_stage(OwnAnswers& own, std::size_t entry);

/// softmax() itself. `single_precision` is the mistake to name for that.
grader::ObservedStage softmax_stage(OwnAnswers& own, std::size_t single_precision);

grader::ObservedStage entropy_stage(OwnAnswers& own, std::size_t single_precision);

/// The assertion function that `check` judges, on the check's data. scaling_raises_entropy() is set
/// against assertions that call the submission's own entropy().
grader::ObservedStage assertion_stage(OwnAnswers& own, const grader::Check& check);

}  // namespace attention_assignment
