// What the other functions of the contract make of the submission's own attention().
#pragma once

#include <memory>

#include "grader/diagnosis/evidence.hpp"
#include "testcases/diagnosis/attention_stages.hpp"
#include "testcases/diagnosis/own_answers.hpp"

namespace attention_assignment {

/// attention_row() given the own attention(). Rows that are right in themselves are right, too.
grader::ObservedStage rows_stage(OwnAnswers& own);

/// self_attention() given the own attention().
grader::ObservedStage projections_stage(OwnAnswers& own);

/// attention() again and again in one process. When nothing is kept between calls, `own` asks
/// without fresh processes from then on.
grader::ObservedStage state_stage(OwnAnswers& own);

}  // namespace attention_assignment
