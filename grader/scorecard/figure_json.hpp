// Figures as JSON and back.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "grader/assignment/figure.hpp"

namespace grader {

/// The figure as an object of scorecard.schema.json; texts become plain lines.
nlohmann::ordered_json figure_to_json(const Figure& figure);

/// The figure in `json`. `where` names the place in the document for the UsageFault that anything
/// malformed causes.
Figure figure_from_json(const nlohmann::ordered_json& json, const std::string& where);

}  // namespace grader
