// Cases near a given one, for the searches of checks (grader/engine/search.hpp): each has one thing
// about its queries and keys, or its row z, pushed further. Whether they still lie in the domain is
// for the check's `admits` to say.
#pragma once

#include "grader/engine/check.hpp"

namespace attention_assignment {

/// Queries or keys longer, all keys negated, keys turned towards a query or away from it, scaled
/// off.
grader::Case with_other_products(grader::Random& random, const grader::Case& from);

/// The numbers of z all multiplied, or one of them changed.
grader::Case with_other_row(grader::Random& random, const grader::Case& from);

}  // namespace attention_assignment
