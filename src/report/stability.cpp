// The data of a report on stability. report/src/payload.ts has their shape.
#include <algorithm>

#include "report/run.hpp"

namespace lass0 {
namespace {

using report::Json;
using report::number;

constexpr Index kColumnsListed = 300;  // the most frequent ones, so that a page stays small

}  // namespace

std::string report_json(const Problem& problem, const Stability& stability,
                        const ReportContext& context) {
  Json json = report::run_json("stability", context, stability.problem.n, stability.problem.p);
  json["seed"] = stability.seed;
  json["k"] = stability.k ? Json(*stability.k) : Json();
  json["lambda"] = number(stability.lambda);
  json["by_cross_validation"] = stability.by_cross_validation;
  json["ridge"] = number(stability.ridge);
  json["included"] = stability.problem.include.size();
  json["pairs"] = stability.pairs;
  json["pairs_done"] = stability.pairs_done;
  json["threshold"] = stability.threshold;
  json["stable"] = stability.stable;
  json["mean_size"] = number(stability.mean_size);
  json["candidates"] = stability.candidates;
  json["low_probability"] = number(stability.low_probability);
  json["expected_low_probability"] = number(stability.expected_low_probability);
  json["expected_low_probability_r_concave"] = number(stability.expected_low_probability_r_concave);
  json["short_lists"] = stability.short_lists;
  json["columns"] = Json::array();
  const auto& columns = stability.columns;
  Index ever = 0;
  for (const ColumnFrequency& one : columns) {
    if (one.halves == 0) break;  // they are sorted
    if (++ever > kColumnsListed) continue;
    json["columns"].push_back({{"name", column_name(problem, one.column)},
                               {"number", one.column + 1},
                               {"halves", one.halves}});
  }
  json["chosen_ever"] = ever;
  json["never"] = std::ssize(columns) - ever;
  json["timings"] = report::timings_json(context, "stability selection", stability.seconds);
  return report::dump(json);
}

}  // namespace lass0
