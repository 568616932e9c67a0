// What the data of every report have in common: how numbers are written, and what is told of the
// run.
#pragma once

#include <lass0/report.hpp>
#include <nlohmann/json.hpp>

namespace lass0::report {

using Json = nlohmann::ordered_json;

Json number(double value);                        // null where it is not finite
Json number(const std::optional<double>& value);  // null where there is none
Json plotted(double value);                       // with the digits that a plot can show

Json run_json(std::string_view kind, const ReportContext& context, Index n, Index p);
Json rules_json();  // names, labels and meanings of all rules, in their order
Json timings_json(const ReportContext& context, std::string_view what, double seconds);

// Bytes of a name that are no UTF-8 are shown as U+FFFD: a page is for people.
std::string dump(const Json& json);

}  // namespace lass0::report
