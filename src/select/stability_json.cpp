// Stability selection as JSON: the output of `lass0 stability`.
#include <lass0/stability.hpp>
#include <lass0/version.hpp>

#include "model/json.hpp"

namespace lass0 {

std::string to_json(const Stability& stability, std::span<const std::string> names) {
  const Names name(names, stability.problem.names);
  Json columns = Json::array(), stable = Json::array();
  for (const ColumnFrequency& one : stability.columns) {
    if (std::ssize(stable) < stability.stable) stable.push_back(name(one.column));
    columns.push_back({{"name", name(one.column)}, {"frequency", one.frequency}});
  }
  Json json;
  json["version"] = version();
  json["status"] = to_string(stability.status);
  json["n"] = stability.problem.n;
  json["p"] = stability.problem.p;
  if (stability.k) json["k"] = *stability.k;
  if (stability.lambda) json["lambda"] = *stability.lambda;
  json["chosen_by"] = stability.by_cross_validation ? "cross-validation" : "user";
  if (stability.ridge > 0) json["ridge"] = stability.ridge;
  if (!stability.problem.include.empty()) json["include"] = name(stability.problem.include);
  json["seed"] = stability.seed;
  json["effort"] = to_string(stability.effort);
  json["pairs"] = stability.pairs;
  json["pairs_done"] = stability.pairs_done;
  json["threshold"] = stability.threshold;
  json["stable"] = std::move(stable);
  json["mean_size"] = stability.mean_size;
  json["candidates"] = stability.candidates;
  json["low_probability"] = stability.low_probability;
  json["expected_low_probability"] = stability.expected_low_probability;
  json["expected_low_probability_r_concave"] = stability.expected_low_probability_r_concave;
  json["columns"] = std::move(columns);
  json["seconds"] = stability.seconds;
  return text_of(json);
}

}  // namespace lass0
