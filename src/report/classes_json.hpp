// The data of a report that only a target of two classes has.
#pragma once

#include "report/classes.hpp"
#include "report/run.hpp"

namespace lass0::report {

// Their names (0 and 1 where they have none), rows and weights.
Json classes_json(const Problem& problem, const std::vector<std::string>& names);
Json confusion_json(const Confusion& confusion);  // by observed class, then by predicted class
Json held_out_json(const HeldOutClasses& judged);

}  // namespace lass0::report
