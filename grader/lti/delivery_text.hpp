// What a delivery did, or would do, for people.
#pragma once

#include <string>

#include "grader/lti/deliverables.hpp"
#include "grader/lti/delivery.hpp"

namespace grader {

/// How many scores were delivered and were there already; who was not delivered and why.
std::string delivery_text(const DeliveryReport& report, const Deliverables& class_scores,
                          const std::string& line_item);

/// What delivering would send to the line item, by what `gradebook` knows.
std::string dry_run_text(const Deliverables& class_scores, const Platform& platform,
                         const std::string& line_item, const Gradebook& gradebook);

}  // namespace grader
